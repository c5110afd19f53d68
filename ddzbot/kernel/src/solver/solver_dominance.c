/*
 * Moves that need not be tried, because another one is at least as good.
 *
 * A hand gets no worse when a higher rank takes the place of a lower one that is in no chain: what it could play it can
 * still play, that beats no less, and no more beats it. So of two moves which differ by such a rank, and which the same
 * moves answer, the one with the lower rank is at least as good: it leaves the higher one.
 *
 * A partner's card between the two ranks spoils that, because the partner may want to beat the lower one.
 */
#include "solver/parts.h"

static uint64_t exactly(uint64_t hand, unsigned times)
{
    return at_least(hand, times) & ~(times < 4 ? at_least(hand, times + 1) : 0);
}

/* The ranks above one and up to another. */
static uint64_t ranks_between(unsigned low, unsigned high) { return RANK_BITS & ((2ULL << high) - (2ULL << low)); }

/* The ranks of a hand that are in one of its chains. */
static uint64_t chained_ranks(const ddz_solver *solver, uint64_t hand)
{
    uint64_t ranks = 0;
    for (unsigned group = 1; group <= 4; group++) {
        unsigned shortest = solver->shortest[group];
        uint64_t starts = shortest ? run_starts(at_least(hand, group) & solver->chain_ranks, shortest) : 0;
        for (unsigned step = 0; step < shortest; step++)
            ranks |= starts << 4 * step;
    }
    return ranks;
}

/* Checks that the seat, which keeps low and plays high, had rather keep high. */
static bool prefers(const ddz_solver *solver, const position *at, uint64_t kept, unsigned low, unsigned high)
{
    bool has_rocket = (at->hands[at->seat] & ROCKET_CARDS) == ROCKET_CARDS;
    uint64_t partner = at->seats == DDZ_SEATS && at->seat != 0 ? at->hands[DDZ_SEATS - at->seat] : 0;
    if (has_rocket && ROCKET_CARDS >> high & 1)
        return false;
    return !(at_least_1(partner) & ranks_between(low, high)) && !(chained_ranks(solver, kept) >> low & 1);
}

/* Of trios that are not tried, the ranks may matter: as kickers they may continue the chain of a plane. */
static bool has_plane(const ddz_solver *solver, uint64_t hand)
{
    return run_starts(at_least_3(hand) & solver->chain_ranks, 2) != 0;
}

bool body_is_dominated(const ddz_solver *solver, const position *at, const segment *one, unsigned start)
{
    const row *shape = &solver->rules->legal.rows[one->row];
    uint64_t hand = at->hands[at->seat];
    uint64_t alike = exactly(hand, shape->group);
    uint64_t answers = 0;
    if (!solver->folds || one->length > 1 || !(alike >> start & 1) || (shape->group > 2 && has_plane(solver, hand)))
        return false;
    for (unsigned seat = 0; seat < at->seats; seat++)
        if (seat != at->seat)
            answers |= at_least(at->hands[seat], shape->group);
    for (uint64_t lower = one->starts & alike & ((1ULL << start) - 1); lower; lower &= lower - 1) {
        unsigned low = lowest(lower);
        if (!(answers & ranks_between(low, start)) &&
            prefers(solver, at, hand - body_of(shape, one->length, start), low, start))
            return true;
    }
    return false;
}

bool kickers_are_dominated(const ddz_solver *solver, const position *at, const row *shape, uint64_t body,
                           uint64_t kickers)
{
    uint64_t hand = at->hands[at->seat];
    uint64_t alike = shape->per_group && solver->folds ? exactly(hand, shape->kicker) : 0;
    uint64_t played = at_least_1(kickers);
    for (uint64_t highs = alike & played; highs; highs &= highs - 1)
        for (uint64_t lows = alike & ~played & ((1ULL << lowest(highs)) - 1); lows; lows &= lows - 1)
            if (prefers(solver, at, hand - body - kickers, lowest(lows), lowest(highs)))
                return true;
    return false;
}
