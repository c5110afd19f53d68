/* How many sets of kickers rest allows; how to walk through them; and the one at an index. Internal. */
#ifndef KICKERS_H
#define KICKERS_H

#include "rules/rules_state.h"

enum { MAX_KICKERS = 2 * DDZ_MAX_LENGTH };

/* The sets of kickers for one body, in the order of itertools.combinations. */
typedef struct {
    uint64_t cards; /* the current set */
    uint64_t unit[DDZ_RANKS];
    uint8_t copies[DDZ_RANKS];
    uint8_t left[DDZ_RANKS + 1]; /* copies of this option and of all later ones */
    uint8_t chosen[MAX_KICKERS];
    unsigned number;
} kicker_walk;

uint32_t kickers_count(const ddz_rules *rules, const row *shape, unsigned length, uint64_t rest, uint64_t body);
bool kickers_start(kicker_walk *walk, const row *shape, unsigned length, uint64_t rest, uint64_t body);
bool kickers_next(kicker_walk *walk);
uint64_t kickers_nth(const row *shape, unsigned length, uint64_t rest, uint64_t body, uint32_t index);

#endif
