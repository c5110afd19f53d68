/* What all players see of a game, kept up move by move. */
#include "net/parts.h"

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

void table_play(public_table *table, const ddz_move *move)
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
    trick_play(&table->to_beat, &table->passes, move);
    table->seat = (uint8_t)seat_after(seat);
}

/* Checks what later code relies on: a kind and a place that there are, and the rank that a solo or a pair is of. */
static bool is_good_reading(const ddz_move *move)
{
    if (move->kind >= DDZ_KINDS || move->rank < -1 || move->rank >= DDZ_RANKS || move->length > DDZ_MAX_LENGTH)
        return false;
    if (move->kind != DDZ_SOLO && move->kind != DDZ_PAIR)
        return (move->kind == DDZ_PASS) == (move->cards == 0);
    return move->rank >= 0 && move->cards == (move->kind == DDZ_SOLO ? 1ULL : 2ULL) << 4 * move->rank;
}

ddz_status table_read(const ddz_seen *seen, public_table *table, uint64_t *unseen)
{
    uint64_t played = 0;
    if (bad_pointer(seen, 8) || (seen->play_count && bad_pointer(seen->plays, 8)))
        return DDZ_BAD_POINTER;
    if (seen->play_count > MOST_PLAYS || seen->seat >= DDZ_SEATS || seen->play_count % DDZ_SEATS != seen->seat ||
        seen->stake < 1 || seen->stake > 3 || !is_hand(seen->hand) || !is_hand(seen->bottom) || !is_hand(seen->deck))
        return DDZ_BAD_GAME;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        if (seen->seat_cards[seat] > DDZ_SPLIT_CARDS)
            return DDZ_BAD_GAME;
    table_start(table, seen->bottom, seen->seat_cards, seen->stake);
    for (uint32_t index = 0; index < seen->play_count; index++) {
        const ddz_move *move = &seen->plays[index];
        if (!is_good_reading(move) || !is_hand(move->cards) || move->size != size_of(move->cards) ||
            move->size >= table->left[table->seat] ||
            (move->kind == DDZ_PASS && table->to_beat.kind == DDZ_PASS) || !is_hand(played + move->cards))
            return DDZ_BAD_GAME;
        played += move->cards;
        table_play(table, move);
    }
    if (!is_hand(played + seen->hand) || !holds(seen->deck, played + seen->hand))
        return DDZ_BAD_GAME;
    *unseen = seen->deck - played - seen->hand;
    unsigned others = table->left[seat_after(seen->seat)] + (unsigned)table->left[seat_before(seen->seat)];
    return size_of(seen->hand) == table->left[seen->seat] && size_of(*unseen) == others ? DDZ_OK : DDZ_BAD_GAME;
}
