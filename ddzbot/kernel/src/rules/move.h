/* How a move is made of a row of the rules, and what it leaves on the table. Internal. */
#ifndef MOVE_H
#define MOVE_H

#include "rules/rules_state.h"

#include <string.h>

/* The body of a row at that length; start is the bit position of its lowest rank. */
static inline uint64_t body_of(const row *shape, unsigned length, unsigned start)
{
    return run_of(length) * shape->group << start;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words of a move and the weights are little-endian");

/*
 * Makes a move of two words: of single bytes, the processor waits for all of them when the move is copied, a seventh of
 * the time of a search with random players.
 */
static inline ddz_move move_of_words(uint64_t cards, uint64_t kind, int rank, uint64_t length, uint64_t size,
                                     uint64_t kickers)
{
    uint64_t words[2] = {cards, kind | (uint64_t)(uint8_t)rank << 8 | length << 16 | size << 24 | kickers << 32};
    ddz_move made;
    memcpy(&made, words, sizeof made);
    return made;
}

static inline ddz_move move_of(const row *shape, unsigned length, unsigned start, uint64_t cards)
{
    return move_of_words(cards, shape->kind, (int)(start / 4), length, shape->cards_per_rank * length,
                         shape->per_group * length);
}

static inline ddz_move pass_move(void) { return move_of_words(0, DDZ_PASS, -1, 0, 0, 0); }

static inline ddz_move rocket_move(void) { return move_of_words(ROCKET_CARDS, DDZ_ROCKET, DDZ_RANKS - 2, 1, 2, 0); }

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
