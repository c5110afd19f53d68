/* Divisions of hands by price, which the quick players of a search play by. Internal. */
#ifndef PLANNER_H
#define PLANNER_H

#include "rules/rules_state.h"

enum {
    MOST_PARTS = 16, /* one for each rank, or for a chain, which leaves five cards fewer for the others */
    PLAN_BITS = 12,
    PLAN_SLOTS = 1 << PLAN_BITS
};

/*
 * What groups cost a seat, in turns: 2 when they always lose the lead, 0 when they always win it back. By the cards of
 * each rank, 1 to 3; then by the number of ranks, 1 without a chain; then by the lowest rank.
 */
typedef struct {
    double of[4][DDZ_MAX_LENGTH + 1][DDZ_RANKS];
} prices;

/* One move of a division. */
typedef struct {
    ddz_move move;
    double price;
} part;

/* The cheapest division of a seat's hand. */
typedef struct {
    uint64_t key; /* the hand, and above it the seat + 1; 0 for an empty slot */
    double price;
    uint32_t count;
    part parts[MOST_PARTS];
} plan;

/* All that plans depend on, and the plans that were made. */
typedef struct {
    const ddz_rules *rules;
    const ddz_splits *splits;
    const row *rows[5][3][DDZ_MAX_LENGTH + 1]; /* the row of so many cards a rank, cards a kicker, and ranks, or null */
    prices by_seat[DDZ_SEATS];
    plan slots[PLAN_SLOTS];
} planner;

/* How many of a move's cards are of each rank of its body. */
static inline unsigned group_of(const ddz_move *move) { return (unsigned)(move->cards >> 4 * move->rank & 15); }

static inline bool is_blast(const ddz_move *move) { return move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET; }

#endif
