/* Lists the legal moves. */
#include "rules/parts.h"

/* Writes one move, with other cards. */
static inline ddz_move *write_one(ddz_move *out, const ddz_move *move, uint64_t cards)
{
    *out = *move;
    out->cards = cards;
    return out + 1;
}

/* Writes the cards plus one kicker for each option. */
static inline ddz_move *write_ones(ddz_move *out, const ddz_move *move, uint64_t cards, uint64_t options,
                                   uint64_t kicker)
{
    for (; options; options &= options - 1)
        out = write_one(out, move, cards + (kicker << lowest(options)));
    return out;
}

/* Writes the moves of a segment without doubt and with distinct kickers. */
static ddz_move *write_sure(const ddz_rules *rules, const menu *legal, const segment *one, ddz_move *out)
{
    const row *shape = &rules->legal.rows[one->row];
    unsigned number = shape->per_group * one->length;
    for (uint64_t starts = one->starts; starts; starts &= starts - 1) {
        unsigned start = lowest(starts);
        uint64_t body = body_of(shape, one->length, start);
        uint64_t options = legal->held.least[shape->kicker] & ~(run_of(one->length) << start);
        ddz_move move = move_of(shape, one->length, start, body);
        if (number == 0) {
            *out++ = move;
        } else if (number == 1) {
            out = write_ones(out, &move, body, options, shape->kicker);
        } else if (number == 2) {
            for (; options & (options - 1); options &= options - 1) {
                uint64_t cards = body + ((uint64_t)shape->kicker << lowest(options));
                out = write_ones(out, &move, cards, options & (options - 1), shape->kicker);
            }
        } else {
            kicker_walk walk;
            bool more = kickers_start(&walk, shape, one->length, legal->held.cards - body, body);
            for (; more; more = kickers_next(&walk))
                out = write_one(out, &move, body + walk.cards);
        }
    }
    return out;
}

/* Writes the moves of any other segment; returns null if they do not fit before end. */
static ddz_move *write_walked(const ddz_rules *rules, const menu *legal, uint32_t which, ddz_move *out,
                              const ddz_move *end)
{
    const segment *one = &legal->segments[which];
    const row *shape = &rules->legal.rows[one->row];
    for (uint64_t starts = one->starts; starts; starts &= starts - 1) {
        kicker_walk walk;
        unsigned start = lowest(starts);
        uint64_t body = body_of(shape, one->length, start);
        bool more = kickers_start(&walk, shape, one->length, legal->held.cards - body, body);
        for (; more; more = kickers_next(&walk)) {
            uint64_t cards = body + walk.cards;
            if (one->doubtful && !menu_is_first(rules, legal, which, start, cards))
                continue;
            if (out == end)
                return 0;
            *out++ = move_of(shape, one->length, start, cards);
        }
    }
    return out;
}

ddz_move *menu_list(const ddz_rules *rules, const menu *legal, ddz_move *out, const ddz_move *end)
{
    /* The total is right but for doubtful segments, which check every move. */
    if ((uint64_t)(end - out) < legal->total)
        return 0;
    if (legal->pass)
        *out++ = pass_move();
    uint32_t owed = legal->total - legal->pass;
    for (uint32_t which = 0; which < legal->count && out; which++) {
        const segment *one = &legal->segments[which];
        if (!one->doubtful && one->each) {
            if ((uint64_t)(end - out) < owed)
                return 0;
            out = write_sure(rules, legal, one, out);
            owed -= one->total;
        } else {
            out = write_walked(rules, legal, which, out, end);
            owed -= one->doubtful ? 0 : one->total;
        }
    }
    if (!out || !legal->rocket)
        return out;
    if (out == end)
        return 0;
    *out++ = rocket_move();
    return out;
}

bool menu_has_first_readings(const ddz_rules *rules, const menu *legal)
{
    bool first = true;
    for (uint32_t which = 0; which < legal->count; which++)
        first = first && rules->legal.rows[legal->segments[which].row].first;
    return first || legal->lead;
}

ddz_status ddz_moves(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind,
                     ddz_move *moves, uint32_t capacity, uint32_t *count, uint32_t *first_readings)
{
    menu legal;
    if (bad_pointer(moves, 8) || bad_pointer(count, 4) || bad_pointer(first_readings, 4))
        return DDZ_BAD_POINTER;
    ddz_status status = menu_read(rules, hand, table_cards, table_kind, &legal);
    if (status != DDZ_OK)
        return status;
    const ddz_move *after = menu_list(rules, &legal, moves, moves + capacity);
    if (!after)
        return DDZ_SHORT_BUFFER;
    *count = (uint32_t)(after - moves);
    *first_readings = menu_has_first_readings(rules, &legal);
    return DDZ_OK;
}

ddz_status ddz_list(ddz_listing *asked)
{
    if (bad_pointer(asked, 8) || bad_pointer(asked->cards, 8))
        return DDZ_BAD_POINTER;
    if (asked->table_kind != (int32_t)asked->table_kind)
        return DDZ_BAD_MOVE;
    ddz_status status = ddz_moves(asked->rules, asked->hand, asked->table_cards, (int32_t)asked->table_kind,
                                  asked->moves, asked->capacity, &asked->count, &asked->first_readings);
    for (uint32_t index = 0; status == DDZ_OK && index < asked->count; index++)
        asked->cards[index] = asked->moves[index].cards;
    return status;
}

ddz_status ddz_leads_batch(const ddz_rules *rules, const uint64_t *hands, uint32_t hand_count, ddz_move *moves,
                           uint32_t capacity, uint32_t *ends)
{
    menu legal;
    ddz_move *out = moves;
    if (bad_pointer(rules, 8) || bad_pointer(hands, 8) || bad_pointer(moves, 8) || bad_pointer(ends, 4))
        return DDZ_BAD_POINTER;
    if (bad_rules(rules))
        return DDZ_BAD_RULES;
    for (uint32_t index = 0; index < hand_count; index++) {
        if (!is_hand(hands[index]))
            return DDZ_BAD_CARDS;
        menu_lead(rules, hands[index], &legal);
        out = menu_list(rules, &legal, out, moves + capacity);
        if (!out)
            return DDZ_SHORT_BUFFER;
        ends[index] = (uint32_t)(out - moves);
    }
    return DDZ_OK;
}
