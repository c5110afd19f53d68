/* What a caller says of a game. Internal. */
#ifndef SITUATION_H
#define SITUATION_H

#include "base/hand.h"
#include "include/ddz_search.h"

/* Checks a situation, and reads the cards on its table as a move. */
ddz_status situation_read(const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *situation,
                          ddz_move *table);

#endif
