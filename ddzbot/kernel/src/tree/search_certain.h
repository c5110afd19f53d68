/* A proof that the own side wins. Internal. */
#ifndef SEARCH_CERTAIN_H
#define SEARCH_CERTAIN_H

#include "base/hand.h"

/* Gets the size of its memory. */
uint32_t certain_size(void);

#endif
