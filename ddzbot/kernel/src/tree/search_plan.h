/* The cheapest division of a hand into moves. Internal. */
#ifndef SEARCH_PLAN_H
#define SEARCH_PLAN_H

#include "tree/planner.h"

/* The plan stays where it is until the next one is made. */
const plan *plan_of(planner *plans, uint64_t hand, unsigned seat);

#endif
