/* What groups of cards cost a player. Internal. */
#ifndef SEARCH_PRICE_H
#define SEARCH_PRICE_H

#include "include/ddz_search.h"
#include "tree/planner.h"

/* Prepares for a situation; false if the rules let no trio or no bomb be laid. */
bool planner_set_up(planner *plans, const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *seen);

/*
 * How many answers to a group or chain some hands may be expected to hold: so many hands, which together have that
 * share of the others' cards.
 */
double threat_to(uint64_t others, unsigned hands, double share, unsigned group, unsigned length, unsigned rank);

#endif
