/* A game inside a search, as far as it matters who goes out. Internal. */
#ifndef POSITION_H
#define POSITION_H

#include "rules/move.h"
#include "rules/pick.h"

typedef struct {
    uint64_t hands[DDZ_SEATS];
    ddz_move to_beat;
    uint8_t seat;
    uint8_t passes;
    uint8_t winner;
} position;

/* Checks that two seats win together. */
static inline bool same_side(unsigned one, unsigned other) { return (one == 0) == (other == 0); }

/* What is legal. */
static inline void position_menu(const ddz_rules *rules, const position *at, menu *legal)
{
    if (at->to_beat.kind == DDZ_PASS)
        menu_lead(rules, at->hands[at->seat], legal);
    else
        menu_follow(rules, at->hands[at->seat], &at->to_beat, legal);
    menu_settle(rules, legal);
}

static inline void position_lay(position *at, const ddz_move *move)
{
    unsigned seat = at->seat;
    trick_lay(&at->to_beat, &at->passes, move);
    at->hands[seat] -= move->cards;
    if (at->hands[seat] == 0)
        at->winner = (uint8_t)seat;
    at->seat = (uint8_t)(seat == DDZ_SEATS - 1 ? 0 : seat + 1);
}

#endif
