/* How a move is made of a row of the rules, and what it leaves on the table. Internal. */
#ifndef MOVE_H
#define MOVE_H

#include "rules/rules_state.h"

/* The body of a row at that length; start is the bit position of its lowest rank. */
static inline uint64_t body_of(const row *shape, unsigned length, unsigned start)
{
    return run_of(length) * shape->group << start;
}

static inline ddz_move move_of(const row *shape, unsigned length, unsigned start, uint64_t cards)
{
    return (ddz_move){cards,
                      shape->kind,
                      (int8_t)(start / 4),
                      (uint8_t)length,
                      (uint8_t)(shape->cards_per_rank * length),
                      (uint8_t)(shape->per_group * length),
                      {0, 0, 0}};
}

static inline ddz_move pass_move(void) { return (ddz_move){0, DDZ_PASS, -1, 0, 0, 0, {0, 0, 0}}; }

static inline ddz_move rocket_move(void)
{
    return (ddz_move){ROCKET_CARDS, DDZ_ROCKET, DDZ_RANKS - 2, 1, 2, 0, {0, 0, 0}};
}

/* What a move leaves on the table; two passes make a lead, of whoever laid last. */
static inline void trick_lay(ddz_move *to_beat, uint8_t *passes, const ddz_move *move)
{
    if (move->kind != DDZ_PASS) {
        *to_beat = *move;
        *passes = 0;
    } else if (++*passes == DDZ_SEATS - 1) {
        *to_beat = pass_move();
        *passes = 0;
    }
}

#endif
