/*
 * The features of the fast network. Version "fast-2": what a number means is never changed, since packed networks rely
 * on it.
 */
#include "net/parts.h"

uint16_t *features_of_cards(uint64_t cards, unsigned group, uint16_t *out)
{
    const uint64_t least[4] = {at_least_1(cards), at_least_2(cards), at_least_3(cards), at_least_4(cards)};
    for (unsigned copy = 0; copy < 4; copy++)
        for (uint64_t ranks = least[copy]; ranks; ranks &= ranks - 1)
            *out++ = (uint16_t)(group + lowest(ranks) + copy);
    return out;
}

static bool has_blast(uint64_t cards) { return at_least_4(cards) != 0 || holds(cards, ROCKET_CARDS); }

static uint16_t *features_of_other(const public_table *table, unsigned seat, unsigned place, uint16_t *out)
{
    out = features_of_cards(table->played[seat], PLAYED + place * CARD_SLOTS, out);
    out = features_of_cards(table->last[seat], LAST_PLAYED + place * CARD_SLOTS, out);
    out = features_of_cards(table->led[seat], LED + place * CARD_SLOTS, out);
    if (table->passed[seat])
        *out++ = (uint16_t)(LAST_PASSED + place);
    *out++ = (uint16_t)(CARDS_LEFT + 21 * (1 + place) + table->left[seat]);
    for (unsigned kind = 0; kind < 2; kind++)
        *out++ = (uint16_t)(DECLINED + 16 * (2 * place + kind) + table->declined[seat][kind]);
    return out;
}

/* 0: the mover leads; 1: next played what must be beaten; 2: previous did. */
static unsigned holder_of(const public_table *table)
{
    if (table->to_beat.kind == DDZ_PASS)
        return 0;
    return table->holder == seat_after(table->seat) ? 1 : 2;
}

uint16_t *features_of_state(const public_table *table, uint64_t unseen, uint16_t *out)
{
    out = features_of_cards(unseen, UNSEEN, out);
    out = features_of_other(table, seat_after(table->seat), 0, out);
    out = features_of_other(table, seat_before(table->seat), 1, out);
    out = features_of_cards(table->bottom_left, BOTTOM_LEFT, out);
    *out++ = (uint16_t)(KIND_TO_BEAT + table->to_beat.kind);
    *out++ = (uint16_t)(TABLE_HOLDER + holder_of(table));
    for (unsigned bomb = 0; bomb < table->bombs && bomb < 6; bomb++)
        *out++ = (uint16_t)(BOMBS_SO_FAR + bomb);
    *out++ = (uint16_t)(STAKE + table->stake - 1);
    if (has_blast(unseen))
        *out++ = BLASTS_UNSEEN;
    return out;
}

/* Checks that no body of the same kind and length can be made higher of the unseen cards; kickers do not matter. */
static bool is_on_top(const ddz_move *move, uint64_t unseen)
{
    static const uint8_t GROUP[DDZ_KINDS] = {
        [DDZ_SOLO] = 1, [DDZ_PAIR] = 2, [DDZ_TRIO] = 3, [DDZ_TRIO_SOLO] = 3, [DDZ_TRIO_PAIR] = 3,
        [DDZ_SOLO_CHAIN] = 1, [DDZ_PAIR_CHAIN] = 2, [DDZ_PLANE] = 3, [DDZ_PLANE_SOLO] = 3, [DDZ_PLANE_PAIR] = 3,
        [DDZ_FOUR_TWO_SOLO] = 4, [DDZ_FOUR_TWO_PAIR] = 4, [DDZ_BOMB] = 4, [DDZ_SHUTTLE] = 4, [DDZ_SHUTTLE_SOLO] = 4,
        [DDZ_SHUTTLE_PAIR] = 4};
    if (GROUP[move->kind] == 0)
        return move->kind == DDZ_ROCKET;
    uint64_t ranks = at_least(unseen, GROUP[move->kind]);
    if (move->length > 1)
        ranks = run_starts(ranks & ranks_to(11), move->length);
    return (ranks & ranks_from((unsigned)move->rank + 1)) == 0;
}

static inline unsigned at_most(unsigned value, unsigned most) { return value < most ? value : most; }

/* Counts sets of one size up to most, times tops + 1; plus those that no unseen set beats, up to tops. */
static unsigned sets_and_tops(uint64_t sets, uint64_t unseen, unsigned most, unsigned tops)
{
    unsigned highest = unseen ? (63u - (unsigned)__builtin_clzll(unseen)) / 4 : 0;
    return at_most(rank_count(sets), most) * (tops + 1) + at_most(rank_count(sets & ranks_from(highest)), tops);
}

static uint16_t *features_of_sets(uint64_t hand, uint64_t unseen, uint16_t *out)
{
    const uint64_t least[4] = {at_least_1(hand), at_least_2(hand), at_least_3(hand), at_least_4(hand)};
    unsigned blasts = rank_count(least[3]) + holds(hand, ROCKET_CARDS);
    unsigned trios = sets_and_tops(least[2] ^ least[3], at_least_3(unseen), 4, 3);
    *out++ = (uint16_t)(SOLOS_AFTER + sets_and_tops(least[0] ^ least[1], at_least_1(unseen), 7, 4));
    *out++ = (uint16_t)(PAIRS_AFTER + sets_and_tops(least[1] ^ least[2], at_least_2(unseen), 5, 3));
    *out++ = (uint16_t)(TRIOS_AFTER + 3 * trios + at_most(blasts, 2));
    return out;
}

uint16_t *features_of_move(const public_table *table, uint64_t hand, uint64_t unseen, const ddz_move *move,
                           uint32_t fewest, uint16_t *out)
{
    *out++ = (uint16_t)(KIND_NOW + move->kind);
    *out++ = (uint16_t)(CARDS_LEFT + table->left[table->seat] - move->size);
    *out++ = (uint16_t)(FEWEST_AFTER + (fewest < 15 ? fewest : 15));
    if (move->kind != DDZ_PASS && is_on_top(move, unseen))
        *out++ = ON_TOP;
    return features_of_sets(hand - move->cards, unseen, out);
}

uint16_t *features_list(const ddz_splits *splits, const public_table *table, uint64_t hand, uint64_t unseen,
                        const ddz_move *move, uint16_t *out)
{
    out = features_of_state(table, unseen, out);
    out = features_of_cards(hand - move->cards, HAND_AFTER, out);
    out = features_of_cards(move->cards, PLAYED_NOW, out);
    uint32_t fewest = 0;
    ddz_fewest_moves(splits, hand - move->cards, &fewest);
    return features_of_move(table, hand, unseen, move, fewest, out);
}
