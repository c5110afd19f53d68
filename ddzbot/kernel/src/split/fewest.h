/* A memory of the fewest moves that empty a hand, for callers that meet the same hands again and again. Internal. */
#ifndef DDZ_FEWEST_H
#define DDZ_FEWEST_H

#include "base/hand.h"

/*
 * A slot of a memory: the hand, and above its 57 bits the number. The owner keeps 2^bits of them. At first they are
 * zero: the empty hand, which takes none.
 */
typedef uint64_t fewest_slot;

/* Gets the fewest moves; of a hand that splits know nothing of, and without splits, as many as it has cards. */
static inline uint32_t fewest_found(const ddz_splits *splits, uint64_t hand)
{
    uint32_t fewest = size_of(hand);
    if (splits && fewest <= DDZ_SPLIT_CARDS)
        ddz_fewest_moves(splits, hand, &fewest);
    return fewest;
}

/* The same, from memory if it is there. */
static inline uint32_t fewest_remembered(const ddz_splits *splits, fewest_slot *memory, unsigned bits, uint64_t hand)
{
    enum { WIDTH = 57 };
    fewest_slot *slot = &memory[hand * 0x9E3779B97F4A7C15ULL >> (64 - bits)];
    if ((*slot & ((1ULL << WIDTH) - 1)) != hand)
        *slot = hand | (uint64_t)fewest_found(splits, hand) << WIDTH;
    return (uint32_t)(*slot >> WIDTH);
}

#endif
