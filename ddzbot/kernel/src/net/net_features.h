/* The features of the fast network: a situation as its mover sees it, after one of the mover's moves. Internal. */
#ifndef NET_FEATURES_H
#define NET_FEATURES_H

#include "net/net_table.h"

enum { CARD_SLOTS = 57 /* a set of cards as features: slot 4r + k - 1 for the k-th card of rank r */ };

/* Where each group of features begins; "next" and "previous" are seats as the mover sees them. */
enum {
    HAND_AFTER = 0,
    LAID_NOW = HAND_AFTER + CARD_SLOTS,
    UNSEEN = LAID_NOW + CARD_SLOTS,
    PLAYED = UNSEEN + CARD_SLOTS,          /* by next; then by previous */
    LAST_LAID = PLAYED + 2 * CARD_SLOTS,   /* likewise; nothing after a pass */
    LED = LAST_LAID + 2 * CARD_SLOTS,      /* likewise: what was laid as a lead */
    BOTTOM_LEFT = LED + 2 * CARD_SLOTS,    /* the landlord's public cards that are still held */
    KIND_NOW = BOTTOM_LEFT + CARD_SLOTS,
    KIND_TO_BEAT = KIND_NOW + DDZ_KINDS,   /* the pass on a lead */
    TABLE_HOLDER = KIND_TO_BEAT + DDZ_KINDS, /* nobody, next, previous */
    LAST_PASSED = TABLE_HOLDER + DDZ_SEATS,  /* next, previous */
    CARDS_LEFT = LAST_PASSED + 2,            /* own after the move, next, previous: 0 to 20 */
    FEWEST_AFTER = CARDS_LEFT + 3 * 21,      /* 0 to 15 */
    BOMBS_SO_FAR = FEWEST_AFTER + 16,        /* at least 1, ... at least 6 */
    STAKE = BOMBS_SO_FAR + 6,
    DECLINED = STAKE + 3,            /* next's solo, pair; previous' solo, pair: the lowest rank that an enemy laid */
    ON_TOP = DECLINED + 4 * 16,      /* no unseen move of the same kind beats this one */
    BLASTS_UNSEEN = ON_TOP + 1,      /* the unseen cards have a bomb or the rocket */
    SOLOS_AFTER = BLASTS_UNSEEN + 1,     /* 5 * ranks of one card, to 7, + those that no unseen card beats, to 4 */
    PAIRS_AFTER = SOLOS_AFTER + 8 * 5,   /* 4 * ranks of two, to 5, + those that no unseen pair beats, to 3 */
    TRIOS_AFTER = PAIRS_AFTER + 6 * 4,   /* 3 * (4 * of three, to 4, + likewise, to 3) + bombs and rockets, to 2 */
    USED_FEATURES = TRIOS_AFTER + 5 * 4 * 3
};

/* What a situation contributes, whatever is laid; and what a move does. Both return the end. */
uint16_t *features_of_state(const public_table *table, uint64_t unseen, uint16_t *out);
uint16_t *features_of_cards(uint64_t cards, unsigned group, uint16_t *out);
/* Without the cards that leave the hand and are laid; fewest moves empty what is left then. */
uint16_t *features_of_move(const public_table *table, uint64_t hand, uint64_t unseen, const ddz_move *move,
                           uint32_t fewest, uint16_t *out);

/* All of them. */
uint16_t *features_list(const ddz_splits *splits, const public_table *table, uint64_t hand, uint64_t unseen,
                        const ddz_move *move, uint16_t *out);

#endif
