/* What is legal in a situation, as a few segments that are counted without listing their moves. */
#include "rules/parts.h"

/* Appends the moves of one row and length, unless there are none. */
static inline void add_segment(const ddz_rules *rules, menu *legal, unsigned index, unsigned length, uint64_t starts)
{
    const row *shape = &rules->legal.rows[index];
    uint32_t each = 1;
    unsigned number = shape->per_group * length;
    if (number && shape->kicker_rule == DDZ_DISTINCT) {
        /* The body is among the ranks that could be kickers, because a kicker is smaller than a group. */
        unsigned options = legal->held.ranks[shape->kicker] - length;
        each = number > options ? 0 : rules->choose[options][number];
        if (each == 0)
            return;
    } else if (number) {
        each = 0;
    }
    segment *added = &legal->segments[legal->count++];
    *added = (segment){starts, each, each * rank_count(starts), (uint8_t)index, (uint8_t)length, !shape->sure, 0};
    if (each == 0 && shape->sure)
        for (; starts; starts &= starts - 1) {
            uint64_t body = body_of(shape, length, lowest(starts));
            added->total += kickers_count(rules, shape, length, legal->held.cards - body, body);
        }
    legal->total += added->total;
    legal->doubtful |= added->doubtful;
}

/* Where a row's body of that length may start, from bits of ranks that the hand holds often enough. */
static inline uint64_t starts_in(const menu *legal, const row *shape, unsigned length)
{
    return run_starts(legal->held.least[shape->group] & shape->body_ranks, length);
}

/* A sure row's segment is in doubt too after an unsure one of as many cards; and its total is no longer known. */
static void spread_doubt(const ddz_rules *rules, menu *legal)
{
    bool doubt[DECK_SIZE + 1] = {false};
    for (uint32_t index = 0; index < legal->count; index++) {
        segment *one = &legal->segments[index];
        bool *size = &doubt[rules->legal.rows[one->row].cards_per_rank * one->length];
        one->doubtful |= *size;
        *size = one->doubtful;
        if (one->doubtful) {
            legal->total -= one->total;
            one->total = 0;
        }
    }
}

static inline void start_menu(menu *legal, uint64_t hand, bool lead)
{
    profile_of(hand, &legal->held);
    legal->count = 0;
    legal->doubtful = 0;
    legal->lead = lead;
    legal->pass = !lead;
    legal->rocket = (hand & ROCKET_CARDS) == ROCKET_CARDS;
    legal->total = 0;
}

static inline void finish_menu(const ddz_rules *rules, menu *legal)
{
    if (legal->doubtful)
        spread_doubt(rules, legal);
    legal->total += legal->pass + legal->rocket;
}

void menu_lead(const ddz_rules *rules, uint64_t hand, menu *legal)
{
    start_menu(legal, hand, true);
    for (uint32_t index = 0; index < rules->legal.count; index++) {
        const row *shape = &rules->legal.rows[index];
        if (legal->held.least[shape->group] == 0)
            continue;
        uint64_t starts = starts_in(legal, shape, shape->min_length);
        for (unsigned length = shape->min_length; starts && length <= shape->longest; length++) {
            add_segment(rules, legal, index, length, starts);
            starts &= starts >> 4;
        }
    }
    finish_menu(rules, legal);
}

/* Appends the answers to one reading of the table: the row of the same kind and size, at higher ranks. */
static inline void add_answers(const ddz_rules *rules, menu *legal, unsigned size, unsigned kind, unsigned length,
                               unsigned rank)
{
    const grammar *own = &rules->legal;
    for (unsigned index = own->first_form[size]; index < own->first_form[size + 1]; index++) {
        const row *shape = &own->rows[own->forms[index].row];
        if (shape->kind != kind || own->forms[index].length != length)
            continue;
        uint64_t starts = starts_in(legal, shape, length) & ranks_from(rank + 1);
        if (starts)
            add_segment(rules, legal, own->forms[index].row, length, starts);
    }
}

/* Answers every recognised reading. Of several ranks of a form the lowest is enough: its answers are all of theirs. */
static void add_all_answers(const ddz_rules *rules, menu *legal, uint64_t cards, unsigned size)
{
    const grammar *seen = &rules->recognised;
    for (unsigned index = seen->first_form[size]; index < seen->first_form[size + 1]; index++) {
        const row *shape = &seen->rows[seen->forms[index].row];
        unsigned length = seen->forms[index].length;
        uint64_t starts = reading_starts(shape, length, cards);
        if (starts)
            add_answers(rules, legal, size, shape->kind, length, lowest(starts) / 4);
    }
}

/* Appends the bombs; a table that was called something else but reads as a bomb has put some on the menu already. */
static inline void add_bombs(const ddz_rules *rules, menu *legal)
{
    uint64_t starts = legal->held.least[4];
    if (starts == 0)
        return;
    uint32_t before = legal->count;
    for (uint32_t index = 0; index < rules->legal.count; index++) {
        const row *shape = &rules->legal.rows[index];
        if (shape->kind != DDZ_BOMB)
            continue;
        starts &= shape->body_ranks;
        for (uint32_t earlier = 0; earlier < before; earlier++)
            if (legal->segments[earlier].row == index)
                starts &= ~legal->segments[earlier].starts;
        if (starts)
            add_segment(rules, legal, index, 1, starts);
    }
}

static void menu_follow(const ddz_rules *rules, uint64_t hand, const ddz_move *to_beat, menu *legal)
{
    start_menu(legal, hand, false);
    if (to_beat->kind == DDZ_ROCKET) {
        legal->rocket = 0;
    } else if (rules->one_reading[to_beat->kind]) {
        add_answers(rules, legal, to_beat->size, to_beat->kind, to_beat->length, (unsigned)to_beat->rank);
    } else {
        add_all_answers(rules, legal, to_beat->cards, to_beat->size);
    }
    if (to_beat->kind != DDZ_BOMB && to_beat->kind != DDZ_ROCKET)
        add_bombs(rules, legal);
    finish_menu(rules, legal);
}

void menu_open(const ddz_rules *rules, uint64_t hand, const ddz_move *to_beat, menu *legal)
{
    if (to_beat->kind == DDZ_PASS)
        menu_lead(rules, hand, legal);
    else
        menu_follow(rules, hand, to_beat, legal);
}

ddz_status menu_read(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind, menu *legal)
{
    if (bad_rules(rules))
        return bad_pointer(rules, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    if (!is_hand(hand) || !is_hand(table_cards) || size_of(table_cards) > rules->terms.largest_hand)
        return DDZ_BAD_CARDS;
    if (table_kind < -1 || table_kind >= DDZ_KINDS || (table_kind == -1 && table_cards))
        return DDZ_BAD_MOVE;
    if (table_kind == -1) {
        menu_lead(rules, hand, legal);
        return DDZ_OK;
    }
    /* The kind is what the caller makes of the cards; the readings are found from the cards alone. */
    start_menu(legal, hand, false);
    if (table_kind == DDZ_ROCKET)
        legal->rocket = 0;
    add_all_answers(rules, legal, table_cards, size_of(table_cards));
    if (table_kind != DDZ_BOMB && table_kind != DDZ_ROCKET)
        add_bombs(rules, legal);
    finish_menu(rules, legal);
    return DDZ_OK;
}

bool menu_is_first(const ddz_rules *rules, const menu *legal, uint32_t index, unsigned start, uint64_t cards)
{
    const segment *own = &legal->segments[index];
    unsigned size = rules->legal.rows[own->row].cards_per_rank * own->length;
    for (uint32_t earlier = 0; earlier <= index; earlier++) {
        const segment *other = &legal->segments[earlier];
        const row *shape = &rules->legal.rows[other->row];
        if (shape->cards_per_rank * other->length != size)
            continue;
        for (uint64_t starts = other->starts; starts; starts &= starts - 1) {
            unsigned at = lowest(starts);
            if (earlier == index && at == start)
                return true;
            if (holds(cards, body_of(shape, other->length, at)) && reads_as(shape, other->length, at, cards))
                return false;
        }
    }
    return false;
}
