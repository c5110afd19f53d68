/* What everybody sees of a game, kept up move by move. Internal. */
#ifndef NET_TABLE_H
#define NET_TABLE_H

#include "base/hand.h"
#include "include/ddz_net.h"

enum {
    NO_RANK = 15,
    MOST_PLAYS = 400 /* a game has at most 54 moves with two passes behind each */
};

/* What is public in a game. */
typedef struct {
    uint64_t played[DDZ_SEATS];
    uint64_t led[DDZ_SEATS];
    uint64_t last[DDZ_SEATS]; /* the cards of each seat's last move, 0 for a pass */
    uint64_t bottom_left;
    ddz_move to_beat;
    uint8_t declined[DDZ_SEATS][2]; /* the lowest rank of an enemy's solo, pair that a seat passed on; or NO_RANK */
    uint8_t passed[DDZ_SEATS];      /* 1: the last move was a pass */
    uint8_t left[DDZ_SEATS];
    uint8_t seat;
    uint8_t passes;
    uint8_t holder; /* who laid to_beat */
    uint8_t bombs;
    uint8_t stake;
} public_table;

/* The table before the first move; and a move on it. */
void table_start(public_table *table, uint64_t bottom, const uint8_t *seat_cards, uint8_t stake);
void table_lay(public_table *table, const ddz_move *move);

/* Rebuilds what is public in a view, and checks that it fits together. */
ddz_status table_read(const ddz_seen *seen, public_table *table, uint64_t *unseen);

static inline unsigned seat_after(unsigned seat) { return seat == 2 ? 0 : seat + 1; }
static inline unsigned seat_before(unsigned seat) { return seat == 0 ? 2 : seat - 1; }

#endif
