/* The tree of a search. Internal. */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include "tree/search_state.h"

/* One simulation; the children of the root, and these moves in their place, with no head start yet. */
ddz_status tree_open_root(ddz_search *search);
void tree_open_branches(ddz_search *search, const ddz_move *moves, uint32_t count);
void tree_simulate(ddz_search *search);

#endif
