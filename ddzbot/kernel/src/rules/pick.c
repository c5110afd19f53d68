/* Counts the legal moves, and picks one by its index, without listing them. */
#include "rules/parts.h"

/*
 * Walks through the moves of a doubtful segment that no earlier segment or start makes, and stops at the one with that
 * index. Returns how many it met; *found is that move's body and kickers, its start in *start.
 */
static uint32_t walk_segment(const ddz_rules *rules, const menu *legal, uint32_t which, uint32_t index,
                             unsigned *start, uint64_t *found)
{
    const segment *one = &legal->segments[which];
    const row *shape = &rules->legal.rows[one->row];
    uint32_t met = 0;
    for (uint64_t starts = one->starts; starts; starts &= starts - 1) {
        kicker_walk walk;
        *start = lowest(starts);
        uint64_t body = body_of(shape, one->length, *start);
        bool more = kickers_start(&walk, shape, one->length, legal->held.cards - body, body);
        for (; more; more = kickers_next(&walk)) {
            *found = body + walk.cards;
            if (menu_is_first(rules, legal, which, *start, *found) && met++ == index)
                return met;
        }
    }
    return met;
}

void menu_settle(const ddz_rules *rules, menu *legal)
{
    unsigned start;
    uint64_t cards;
    if (!legal->doubtful)
        return;
    for (uint32_t which = 0; which < legal->count; which++) {
        segment *one = &legal->segments[which];
        if (one->doubtful) {
            one->total = walk_segment(rules, legal, which, UINT32_MAX, &start, &cards);
            legal->total += one->total;
        }
    }
}

/* The kickers at an index among distinct ones, in the order of itertools.combinations. */
static inline uint64_t distinct_nth(const ddz_rules *rules, uint64_t ranks, unsigned number, uint32_t index)
{
    uint64_t chosen = 0;
    unsigned later = rank_count(ranks) - 1;
    while (number > 1) {
        uint32_t with_lowest = rules->choose[later][number - 1];
        if (index < with_lowest) {
            chosen |= ranks & -ranks;
            number--;
        } else {
            index -= with_lowest;
        }
        ranks &= ranks - 1;
        later--;
    }
    return chosen | 1ULL << nth_lowest(ranks, index);
}

static inline ddz_move sure_nth(const ddz_rules *rules, const menu *legal, const segment *one, uint32_t index)
{
    const row *shape = &rules->legal.rows[one->row];
    unsigned number = shape->per_group * one->length;
    uint32_t place = index;
    uint32_t kickers = 0;
    if (number) {
        place = index / one->each;
        kickers = index % one->each;
    }
    unsigned start = nth_lowest(one->starts, place);
    uint64_t cards = body_of(shape, one->length, start);
    if (number) {
        uint64_t options = legal->held.least[shape->kicker] & ~(run_of(one->length) << start);
        cards += distinct_nth(rules, options, number, kickers) * shape->kicker;
    }
    return move_of(shape, one->length, start, cards);
}

/* A segment whose starts have different numbers of kicker sets. */
static ddz_move uneven_nth(const ddz_rules *rules, const menu *legal, const segment *one, uint32_t index)
{
    const row *shape = &rules->legal.rows[one->row];
    uint64_t starts = one->starts;
    for (;;) {
        unsigned start = lowest(starts);
        uint64_t body = body_of(shape, one->length, start);
        uint64_t rest = legal->held.cards - body;
        uint32_t here = kickers_count(rules, shape, one->length, rest, body);
        if (index < here || (starts & (starts - 1)) == 0) {
            uint64_t kickers = kickers_nth(shape, one->length, rest, body, index);
            return move_of(shape, one->length, start, body + kickers);
        }
        index -= here;
        starts &= starts - 1;
    }
}

static ddz_move doubtful_nth(const ddz_rules *rules, const menu *legal, uint32_t which, uint32_t index)
{
    const segment *one = &legal->segments[which];
    unsigned start = 0;
    uint64_t cards = 0;
    walk_segment(rules, legal, which, index, &start, &cards);
    return move_of(&rules->legal.rows[one->row], one->length, start, cards);
}

ddz_move menu_nth(const ddz_rules *rules, const menu *legal, uint32_t index)
{
    if (index < legal->pass)
        return pass_move();
    index -= legal->pass;
    for (uint32_t which = 0; which < legal->count; which++) {
        const segment *one = &legal->segments[which];
        if (index < one->total) {
            if (one->doubtful)
                return doubtful_nth(rules, legal, which, index);
            return one->each ? sure_nth(rules, legal, one, index) : uneven_nth(rules, legal, one, index);
        }
        index -= one->total;
    }
    return rocket_move();
}

bool menu_find(const ddz_rules *rules, const menu *legal, uint64_t cards, ddz_move *move)
{
    if (cards == 0 || cards == ROCKET_CARDS) {
        *move = cards ? rocket_move() : pass_move();
        return cards ? legal->rocket : legal->pass;
    }
    unsigned size = size_of(cards);
    for (uint32_t which = 0; which < legal->count && holds(legal->held.cards, cards); which++) {
        const segment *one = &legal->segments[which];
        const row *shape = &rules->legal.rows[one->row];
        if (shape->cards_per_rank * one->length != size)
            continue;
        uint64_t starts = one->starts & reading_starts(shape, one->length, cards);
        if (starts) {
            *move = move_of(shape, one->length, lowest(starts), cards);
            return true;
        }
    }
    return false;
}

ddz_status ddz_random_move(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind,
                           ddz_random *random, ddz_move *move)
{
    menu legal;
    if (bad_pointer(random, 8) || bad_pointer(move, 8))
        return DDZ_BAD_POINTER;
    if (!random_is_seeded(random))
        return DDZ_BAD_RANDOM;
    ddz_status status = menu_read(rules, hand, table_cards, table_kind, &legal);
    if (status != DDZ_OK)
        return status;
    menu_settle(rules, &legal);
    if (legal.total == 0)
        return DDZ_BAD_CARDS;
    *move = menu_nth(rules, &legal, random_below(random, legal.total));
    return DDZ_OK;
}
