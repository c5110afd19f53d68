/* Sets of cards, real numbers and processors: what every other part uses. Internal. */
#ifndef BASE_PARTS_H
#define BASE_PARTS_H

#include "include/ddz_cpu.h"
#include "include/ddz_kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the records and the files of networks count on; 32-bit x86 needs -malign-double. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words of a move and the weights are little-endian");
struct word_after_byte {
    uint8_t byte;
    uint64_t word;
};
_Static_assert(offsetof(struct word_after_byte, word) == 8, "words in records are aligned to 8 bytes");

/* ---- Cards ------------------------------------------------------------------------------------------------------- */

/*
 * Sets of cards are words of fifteen 4-bit counts, and sets of ranks words with bit 4r set for rank r ("rank bits").
 * With this layout a run of ranks is a few shifts, and a population count is one multiplication.
 */

#define RANK_BITS 0x0111111111111111ULL
#define EVERY_FOURTH 0x1111111111111111ULL
#define GUARD_BITS 0x0888888888888888ULL
#define EVEN_COUNTS 0x0F0F0F0F0F0F0F0FULL
#define BYTE_ONES 0x0101010101010101ULL
#define FULL_DECK 0x0114444444444444ULL
#define ROCKET_CARDS 0x0110000000000000ULL

enum { DECK_SIZE = 54 };

static inline bool holds(uint64_t hand, uint64_t cards)
{
    return (((hand | GUARD_BITS) - cards) & GUARD_BITS) == GUARD_BITS;
}

/* Checks any word. With no count above 7, no four bits can borrow from their neighbour. */
static inline bool is_hand(uint64_t word)
{
    return (word & ~0x0777777777777777ULL) == 0 && holds(FULL_DECK, word);
}

static inline unsigned size_of(uint64_t cards)
{
    uint64_t pairs = (cards & EVEN_COUNTS) + ((cards >> 4) & EVEN_COUNTS);
    return (unsigned)((pairs * BYTE_ONES) >> 56);
}

/* The ranks that occur at least once, twice, ... in cards whose counts are at most 4. */
static inline uint64_t at_least_1(uint64_t cards) { return (cards | cards >> 1 | cards >> 2) & RANK_BITS; }
static inline uint64_t at_least_2(uint64_t cards) { return (cards >> 1 | cards >> 2) & RANK_BITS; }
static inline uint64_t at_least_3(uint64_t cards) { return ((cards & cards >> 1) | cards >> 2) & RANK_BITS; }
static inline uint64_t at_least_4(uint64_t cards) { return cards >> 2 & RANK_BITS; }

/* The ranks that occur at least so many times, 1 to 4. */
static inline uint64_t at_least(uint64_t cards, unsigned times)
{
    switch (times) {
    case 1:
        return at_least_1(cards);
    case 2:
        return at_least_2(cards);
    case 3:
        return at_least_3(cards);
    default:
        return at_least_4(cards);
    }
}

/* Counts rank bits; there are at most 15, so that the sums fit into four bits. */
static inline unsigned rank_count(uint64_t ranks) { return (unsigned)((ranks * EVERY_FOURTH) >> 60); }

/* The bit position, 4r, of the lowest rank bit. ranks must not be 0. */
static inline unsigned lowest(uint64_t ranks) { return (unsigned)__builtin_ctzll(ranks); }

/*
 * The bit position of the rank bit with that index, counted from the lowest, without a branch: the prefix counts of
 * all ranks come from one multiplication, and those that are at most index are counted.
 */
static inline unsigned nth_lowest(uint64_t ranks, unsigned index)
{
    uint64_t prefix = ranks * EVERY_FOURTH;
    uint64_t limit = (index | 0x80u) * BYTE_ONES;
    uint64_t even = (limit - (prefix & EVEN_COUNTS)) >> 7 & BYTE_ONES;
    uint64_t odd = (limit - (prefix >> 4 & EVEN_COUNTS)) >> 7 & BYTE_ONES;
    return (unsigned)(((even + odd) * BYTE_ONES) >> 56) * 4;
}

/* The ranks from rank upward; none for rank 15. */
static inline uint64_t ranks_from(unsigned rank) { return (RANK_BITS << 4 * rank) & RANK_BITS; }

/* The ranks up to top, at most 14. */
static inline uint64_t ranks_to(unsigned top) { return RANK_BITS >> 4 * (DDZ_RANKS - 1 - top); }

/* length consecutive ranks from rank 0, at least one. */
static inline uint64_t run_of(unsigned length) { return ranks_to(length - 1); }

/* Where runs of that length start within ranks. */
static inline uint64_t run_starts(uint64_t ranks, unsigned length)
{
    for (unsigned reached = 1; reached < length; reached++)
        ranks &= ranks >> 4;
    return ranks;
}

static inline bool bad_pointer(const void *pointer, uintptr_t alignment)
{
    return pointer == 0 || ((uintptr_t)pointer & (alignment - 1)) != 0;
}

/* What every layout function does: writes the known sizes into a buffer for count of them. */
static inline ddz_status tell_sizes(const uint32_t *known, uint32_t number, uint32_t *sizes, uint32_t count)
{
    if (bad_pointer(sizes, 4))
        return DDZ_BAD_POINTER;
    if (count < number)
        return DDZ_SHORT_BUFFER;
    for (uint32_t index = 0; index < number; index++)
        sizes[index] = known[index];
    return DDZ_OK;
}

/* ---- Processors -------------------------------------------------------------------------------------------------- */

/*
 * A body marked ALWAYS_INLINE is inlined into one plain function and one marked WITH_AVX2, and so compiled for both.
 * AVX2 brings no fused multiplication, so that both make the same bits where the order of additions is written down.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#else
#define WITH_AVX2
#endif

/* ---- Real numbers, with the same bits on every machine ----------------------------------------------------------- */

/* e to the power of x, for x up to 0, right to about 1e-6; 0 below -80. */
float exponential(float x);

/* The natural logarithm of x, which must be above 0, right to about 1e-6. */
float logarithm(float x);

/* The chance of winning that a logit says. */
float chance_of(float logit);

#endif
