/* The moves that a search looks at. Internal. */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "tree/search_state.h"

/* Keeps and counts the candidates among moves. */
uint32_t candidates_keep(ddz_search *search, uint64_t hand, uint32_t margin, ddz_move *moves, uint32_t count);

#endif
