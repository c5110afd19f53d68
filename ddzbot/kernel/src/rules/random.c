/*
 * The seeded generator: xoshiro256** of D. Blackman and S. Vigna ("Scrambled Linear Pseudorandom Number Generators",
 * ACM TOMS 2021), its state filled by SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014). Bounded numbers as in D. Lemire, "Fast Random Integer Generation in an Interval" (ACM
 * TOMACS 2019): exact, and with a division only when the first draw may be one too many.
 */
#include "rules/parts.h"

static inline uint64_t rotated(uint64_t word, unsigned by) { return word << by | word >> (64 - by); }

static inline uint64_t next_word(ddz_random *random)
{
    uint64_t *state = random->state;
    uint64_t result = rotated(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 45);
    return result;
}

bool random_is_seeded(const ddz_random *random)
{
    const uint64_t *state = random->state;
    return (state[0] | state[1] | state[2] | state[3]) != 0;
}

uint32_t random_below(ddz_random *random, uint32_t bound)
{
    if (bound == 1)
        return 0;
    uint64_t product = (next_word(random) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t surplus = (0u - bound) % bound;
        while ((uint32_t)product < surplus)
            product = (next_word(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

uint64_t random_word(ddz_random *random) { return next_word(random); }

ddz_status ddz_random_seed(ddz_random *random, uint64_t seed)
{
    if (bad_pointer(random, 8))
        return DDZ_BAD_POINTER;
    for (unsigned word = 0; word < 4; word++) {
        seed += 0x9E3779B97F4A7C15ULL;
        uint64_t mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
        random->state[word] = mixed ^ mixed >> 31;
    }
    return DDZ_OK;
}

pack pack_of(uint64_t deck)
{
    pack cards = {.left = 0};
    for (unsigned at = 0; at < 4 * DDZ_RANKS; at += 4)
        for (unsigned copy = 0; copy < (deck >> at & 15); copy++)
            cards.shifts[cards.left++] = (uint8_t)at;
    return cards;
}

uint64_t pack_draw(pack *cards, unsigned number, ddz_random *random)
{
    uint64_t hand = 0;
    for (unsigned drawn = 0; drawn < number; drawn++) {
        unsigned at = random_below(random, cards->left);
        hand += 1ULL << cards->shifts[at];
        cards->shifts[at] = cards->shifts[--cards->left];
    }
    return hand;
}
