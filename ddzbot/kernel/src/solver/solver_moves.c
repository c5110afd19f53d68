/* The solver's moves: what is legal, and what to try first. */
#include "solver/parts.h"

void turn_open(const ddz_solver *solver, const position *at, menu *legal)
{
    menu_open(solver->rules, at->hands[at->seat], &at->table, legal);
    legal->rocket &= solver->rocket;
}

/* Checks that some body of the segment finds its kickers; a doubtful one may not have counted. */
static bool has_kickers(const ddz_rules *rules, const menu *legal, const segment *one)
{
    const row *shape = &rules->legal.rows[one->row];
    if (!one->doubtful)
        return one->total != 0;
    for (uint64_t starts = one->starts; starts; starts &= starts - 1) {
        kicker_walk walk;
        uint64_t body = body_of(shape, one->length, lowest(starts));
        if (kickers_start(&walk, shape, one->length, legal->held.cards - body, body))
            return true;
    }
    return false;
}

bool turn_has_move(const ddz_rules *rules, const menu *legal)
{
    bool found = legal->rocket;
    for (uint32_t which = 0; which < legal->count && !found; which++)
        found = has_kickers(rules, legal, &legal->segments[which]);
    return found;
}

bool turn_goes_out(const ddz_rules *rules, const menu *legal)
{
    unsigned size = size_of(legal->held.cards);
    bool found = legal->rocket && size == 2;
    for (uint32_t which = 0; which < legal->count && !found; which++) {
        const segment *one = &legal->segments[which];
        if (rules->legal.rows[one->row].cards_per_rank * one->length == size)
            found = has_kickers(rules, legal, one);
    }
    return found;
}

/*
 * The fewest moves left come first; among those the larger and then the lower move. A bomb counts as if it left two
 * moves more, the pass three: of what was tried, this took the fewest nodes. Below 2^12.
 */
static uint32_t order_of(ddz_solver *solver, uint64_t hand, const ddz_move *move)
{
    uint32_t fewest = fewest_remembered(solver->splits, solver->fewest, FEWEST_BITS, hand - move->cards);
    uint32_t order = 32 * fewest + 4u * ((uint32_t)DDZ_SPLIT_CARDS - move->size);
    if (move->kind == DDZ_PASS)
        return order + 96;
    return order + (uint32_t)move->rank + 1 + (move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET ? 64u : 0u);
}

/* Adds a move to the candidates; false if there is no room. */
static bool add(ddz_solver *solver, const menu *legal, frame *top, ddz_move move)
{
    if (top->end == MOST_CANDIDATES)
        return false;
    uint32_t order = order_of(solver, legal->held.cards, &move) << CANDIDATE_BITS | (top->end - top->first);
    solver->candidates[top->end++] = (candidate){move.cards, move.kind, move.rank, move.length, move.size, order};
    return true;
}

static bool add_segment(ddz_solver *solver, const menu *legal, frame *top, uint32_t which)
{
    const segment *one = &legal->segments[which];
    const row *shape = &solver->rules->legal.rows[one->row];
    for (uint64_t starts = one->starts; starts; starts &= starts - 1) {
        kicker_walk walk;
        unsigned start = lowest(starts);
        uint64_t body = body_of(shape, one->length, start);
        bool more = kickers_start(&walk, shape, one->length, legal->held.cards - body, body);
        for (; more; more = kickers_next(&walk)) {
            uint64_t cards = body + walk.cards;
            if (one->doubtful && !menu_is_first(solver->rules, legal, which, start, cards))
                continue;
            if (!add(solver, legal, top, move_of(shape, one->length, start, cards)))
                return false;
        }
    }
    return true;
}

/* Shell's sort: short lists are the rule, long ones must not take forever. No two orders are the same. */
static void sort(candidate *moves, uint32_t count)
{
    static const uint32_t GAPS[] = {7000, 1750, 701, 132, 23, 4, 1};
    for (unsigned pass = 0; pass < sizeof(GAPS) / sizeof(GAPS[0]); pass++) {
        uint32_t gap = GAPS[pass];
        for (uint32_t index = gap; index < count; index++) {
            candidate moved = moves[index];
            uint32_t to = index;
            for (; to >= gap && moves[to - gap].order > moved.order; to -= gap)
                moves[to] = moves[to - gap];
            moves[to] = moved;
        }
    }
}

bool turn_list(ddz_solver *solver, const menu *legal, frame *top)
{
    bool fits = !legal->pass || add(solver, legal, top, pass_move());
    for (uint32_t which = 0; which < legal->count && fits; which++)
        fits = add_segment(solver, legal, top, which);
    if (legal->rocket)
        fits = fits && add(solver, legal, top, rocket_move());
    sort(solver->candidates + top->first, top->end - top->first);
    return fits;
}
