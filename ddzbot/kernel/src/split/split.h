/* The splits of hands: a table that split_table.c fills, and what split.c checks. Internal. */
#ifndef DDZ_SPLIT_H
#define DDZ_SPLIT_H

#include "rules/rules_state.h"

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

#endif
