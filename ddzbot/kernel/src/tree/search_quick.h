/* The quick players of a search. Internal. */
#ifndef SEARCH_QUICK_H
#define SEARCH_QUICK_H

#include "tree/search_state.h"

/* Gets what the seat whose turn it is does. */
ddz_move quick_move(ddz_search *search, const position *at);

#endif
