/* The moves that DDZ_MINI_SPLIT looks at. Internal. */
#ifndef MINI_SPLIT_H
#define MINI_SPLIT_H

#include "base/hand.h"

/* Keeps and counts them, of all legal moves of a hand. */
uint32_t mini_keep(const ddz_rules *rules, uint64_t hand, ddz_move *moves, uint32_t count);

#endif
