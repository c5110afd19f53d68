/* Games inside a search. Internal. */
#ifndef SEARCH_PLAY_H
#define SEARCH_PLAY_H

#include "tree/search_state.h"

/* A random legal move; and how play goes on without the tree, for a move and to the end. */
ddz_move position_draw(ddz_search *search, const menu *legal);
ddz_move position_move(ddz_search *search, const position *at);
void position_play_out(ddz_search *search, position *at);

#endif
