/* What everybody sees of a game, kept up move by move. */
#include "net/net.h"

void table_start(public_table *table, uint64_t bottom, const uint8_t *seat_cards, uint8_t stake)
{
    *table = (public_table){.bottom_left = bottom, .to_beat = pass_move(), .stake = stake};
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        table->left[seat] = seat_cards[seat];
        table->declined[seat][0] = table->declined[seat][1] = NO_RANK;
    }
}

/* The cards of one set that the other does not cover. */
static uint64_t uncovered(uint64_t cards, uint64_t by)
{
    uint64_t left = 0;
    for (unsigned at = 0; at < 4 * DDZ_RANKS; at += 4) {
        uint64_t held = cards >> at & 15, gone = by >> at & 15;
        left |= (held > gone ? held - gone : 0) << at;
    }
    return left;
}

static void decline(public_table *table, unsigned seat)
{
    const ddz_move *refused = &table->to_beat;
    if ((refused->kind != DDZ_SOLO && refused->kind != DDZ_PAIR) || (seat == 0) == (table->holder == 0))
        return;
    uint8_t *lowest_one = &table->declined[seat][refused->kind - DDZ_SOLO];
    if (refused->rank < *lowest_one)
        *lowest_one = (uint8_t)refused->rank;
}

void table_lay(public_table *table, const ddz_move *move)
{
    unsigned seat = table->seat;
    table->last[seat] = move->cards;
    table->passed[seat] = move->kind == DDZ_PASS;
    if (move->kind == DDZ_PASS) {
        decline(table, seat);
    } else {
        if (table->to_beat.kind == DDZ_PASS)
            table->led[seat] += move->cards;
        table->played[seat] += move->cards;
        table->left[seat] = (uint8_t)(table->left[seat] - move->size);
        if (seat == 0 && table->bottom_left)
            table->bottom_left = uncovered(table->bottom_left, move->cards);
        table->holder = (uint8_t)seat;
        table->bombs += move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET;
    }
    trick_lay(&table->to_beat, &table->passes, move);
    table->seat = (uint8_t)seat_after(seat);
}
