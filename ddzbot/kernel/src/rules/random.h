/* The seeded generator, and cards that it deals. Internal. */
#ifndef RANDOM_H
#define RANDOM_H

#include "base/hand.h"

bool random_is_seeded(const ddz_random *random);
uint64_t random_word(ddz_random *random);
uint32_t random_below(ddz_random *random, uint32_t bound);

/* A multiple of 2^-24 from 0 to below 1. */
static inline float random_share(ddz_random *random)
{
    return (float)random_below(random, 1u << 24) / (float)(1u << 24);
}

/* Cards that are still to be dealt: where each lies in a hand, in any order. */
typedef struct {
    uint8_t shifts[DECK_SIZE];
    unsigned left;
} pack;

/* Lists the cards of a deck; draws so many, each set with the same probability. */
pack pack_of(uint64_t deck);
uint64_t pack_draw(pack *cards, unsigned number, ddz_random *random);

#endif
