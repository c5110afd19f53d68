/* What a set of cards is: its readings as moves. */
#include "rules/parts.h"

bool reads_as(const row *shape, unsigned length, unsigned start, uint64_t cards)
{
    uint64_t body = body_of(shape, length, start);
    uint64_t rest = cards - body;
    uint64_t ranks = at_least_1(rest);
    bool whole = shape->kicker != 2 || (rest & RANK_BITS) == 0;
    bool outside = (ranks & run_of(length) << start) == 0;
    if (shape->kicker_rule == DDZ_ANY)
        return whole;
    if (shape->kicker_rule == DDZ_REPEATED)
        return whole && outside;
    return outside && rest == ranks * shape->kicker;
}

uint64_t reading_starts(const row *shape, unsigned length, uint64_t cards)
{
    uint64_t starts = run_starts(at_least(cards, shape->group) & shape->body_ranks, length);
    for (uint64_t left = starts; left; left &= left - 1)
        if (!reads_as(shape, length, lowest(left), cards))
            starts &= ~(left & -left);
    return starts;
}

ddz_status ddz_classify(const ddz_rules *rules, uint64_t cards, uint32_t recognised, ddz_move *moves,
                        uint32_t capacity, uint32_t *count)
{
    if (bad_pointer(rules, 8) || bad_pointer(moves, 8) || bad_pointer(count, 4))
        return DDZ_BAD_POINTER;
    if (bad_rules(rules))
        return DDZ_BAD_RULES;
    if (!is_hand(cards))
        return DDZ_BAD_CARDS;
    *count = 0;
    if (capacity == 0)
        return DDZ_SHORT_BUFFER;
    if (cards == 0 || cards == ROCKET_CARDS) {
        moves[(*count)++] = cards ? rocket_move() : pass_move();
        return DDZ_OK;
    }
    const grammar *asked = recognised ? &rules->recognised : &rules->legal;
    unsigned size = size_of(cards);
    for (unsigned index = asked->first_form[size]; index < asked->first_form[size + 1]; index++) {
        const row *shape = &asked->rows[asked->forms[index].row];
        unsigned length = asked->forms[index].length;
        for (uint64_t starts = reading_starts(shape, length, cards); starts; starts &= starts - 1) {
            if (*count == capacity)
                return DDZ_SHORT_BUFFER;
            moves[(*count)++] = move_of(shape, length, lowest(starts), cards);
        }
    }
    return DDZ_OK;
}
