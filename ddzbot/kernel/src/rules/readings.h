/* What sets of cards may be read as. Internal. */
#ifndef READINGS_H
#define READINGS_H

#include "rules/rules_state.h"

/* Checks that cards, which have the right number and hold the body, are a move of this row. */
bool reads_as(const row *shape, unsigned length, unsigned start, uint64_t cards);
/* The rank bits where cards, of the size of the form, read as it. */
uint64_t reading_starts(const row *shape, unsigned length, uint64_t cards);

#endif
