/* The hidden hands of a search. Internal. */
#ifndef SEARCH_WORLD_H
#define SEARCH_WORLD_H

#include "tree/search_state.h"

/* Prepares the dealing; takes the world of the next simulation. */
void worlds_prepare(ddz_search *search);
void worlds_take(ddz_search *search, position *at);

#endif
