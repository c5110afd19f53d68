/* The fewest moves that empty a hand. Internal. */
#ifndef SPLIT_PARTS_H
#define SPLIT_PARTS_H

#include "base/parts.h"
#include "rules/parts.h"

/* ---- Splits ------------------------------------------------------------------------------------------------------ */

/* Marks memory that an init function filled. */
#define SPLITS_MAGIC 0x74696C70735A44ULL

enum {
    NO_SPLIT = 255, /* more moves than any hand has */
    MOST_RANKS = 14 /* ranks of 3 to 2, and one joker */
};

/*
 * The ranks of a hand by how many cards they have, 1 to 4; pair_of_jokers is 1 when both jokers are there, which are
 * then not among the ranks. Moves without a chain see no more of a hand than this.
 */
typedef struct {
    uint8_t ranks[5];
    uint8_t pair_of_jokers;
} classes;

struct ddz_splits {
    uint64_t magic;
    grammar legal;
    /* Chains by group; where the rules have none of that group, all these are 0. */
    uint64_t chain_ranks[5]; /* rank bits that they may hold */
    uint16_t lengths[5];     /* bit n: a chain of n ranks */
    uint8_t shortest[5];
    uint8_t longest[5];
    uint8_t most_kickers[5]; /* the most kickers for each rank */
    /* The fewest moves without a chain, by classes of at most DDZ_SPLIT_CARDS cards. */
    uint8_t alone[2][6][7][11][MOST_RANKS + 1];
};

static inline uint8_t *alone_at(ddz_splits *splits, const classes *hand)
{
    return &splits->alone[hand->pair_of_jokers][hand->ranks[4]][hand->ranks[3]][hand->ranks[2]][hand->ranks[1]];
}

/* Checks rules and splits that a caller gave; and that the rules let every game end. */
ddz_status split_check(const ddz_rules *rules, const ddz_splits *splits);
ddz_status split_check_game(const ddz_rules *rules, const ddz_splits *splits);

/* ---- A memory of fewest moves ------------------------------------------------------------------------------------ */

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
