/* The quick players of a search as rivals in self-play. Internal. */
#ifndef QUICK_RIVAL_H
#define QUICK_RIVAL_H

#include "include/ddz_search.h"

/* Checks that a search can play by these rules. */
ddz_status quick_rival_check(const ddz_search *search, const ddz_rules *rules);

/* Gets the move of the seat whose turn it is. */
ddz_move quick_rival_move(ddz_search *search, const ddz_game *game);

#endif
