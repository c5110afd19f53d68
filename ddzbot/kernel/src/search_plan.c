/*
 * The cheapest division of a hand into moves: every set of chains, and for each the kickers that save most, given out
 * greedily. It is the division of the player "rule" (ddzbot/split.py, cheapest_split), but a bomb takes no kickers.
 */
#include "search_plan.h"

/* Bombs are worth more than nothing, because they win the lead whatever lies on the table; the lower goes first. */
static const double BOMB_PRICE = -0.7, BOMB_RANK = -0.02, ROCKET_PRICE = -1.7;
/* Kickers that save less stay in the hand. */
static const double LEAST_SAVING = 0.25;

/* The chains so far, the division that they make, and the best one. */
typedef struct {
    const planner *plans;
    const prices *own;
    ddz_move chains[MOST_CHAINS];
    unsigned chain_count;
    unsigned divisions;
    plan trial;
    plan *best;
} division;

static void add_part(plan *made, const ddz_move *move, double price)
{
    made->parts[made->count++] = (part){*move, price};
    made->price += price;
}

/* The lowest ranks of a set, so many of them. */
static uint64_t lowest_ranks(uint64_t ranks, unsigned number)
{
    uint64_t taken = 0;
    for (; number > 0; number--, ranks &= ranks - 1)
        taken |= ranks & -ranks;
    return taken;
}

static double price_of_all(const double *each, uint64_t ranks)
{
    double sum = 0.0;
    for (; ranks; ranks &= ranks - 1)
        sum += each[lowest(ranks) / 4];
    return sum;
}

/* Gives a body of trios its kickers, those that save most, and takes these from the loose ranks. */
static ddz_move with_kickers(const division *run, unsigned length, unsigned start, uint64_t loose[5])
{
    const row *const(*rows)[DDZ_MAX_LENGTH + 1] = run->plans->rows[3];
    uint64_t body = run_of(length) << start, chosen[3] = {0, 0, 0};
    double saved[3] = {LEAST_SAVING, 0.0, 0.0};
    unsigned best = 0;
    for (unsigned kicker = 1; kicker <= 2; kicker++) {
        uint64_t ranks = loose[kicker] & ~body;
        if (rows[kicker][length] == 0 || rank_count(ranks) < length)
            continue;
        chosen[kicker] = lowest_ranks(ranks, length);
        saved[kicker] = price_of_all(run->own->of[kicker][1], chosen[kicker]);
        if (saved[kicker] > saved[best])
            best = kicker;
    }
    loose[best] &= ~chosen[best];
    return move_of(rows[best][length], length, start, 3 * body + best * chosen[best]);
}

static void add_loose(division *run, uint64_t loose[5])
{
    plan *made = &run->trial;
    for (uint64_t left = loose[4]; left; left &= left - 1) {
        unsigned start = lowest(left);
        ddz_move bomb = move_of(run->plans->rows[4][0][1], 1, start, 4ULL << start);
        add_part(made, &bomb, BOMB_PRICE + BOMB_RANK * (start / 4));
    }
    for (uint64_t left = loose[3]; left; left &= left - 1) {
        ddz_move trio = with_kickers(run, 1, lowest(left), loose);
        add_part(made, &trio, run->own->of[3][1][trio.rank]);
    }
    for (unsigned group = 1; group <= 2; group++)
        for (uint64_t left = loose[group]; left; left &= left - 1) {
            unsigned start = lowest(left);
            ddz_move move = move_of(run->plans->rows[group][0][1], 1, start, (uint64_t)group << start);
            add_part(made, &move, run->own->of[group][1][start / 4]);
        }
}

/* Divides what the chains leave, and keeps the division if it is the cheapest so far. */
static void divide(division *run, uint64_t rest)
{
    plan *made = &run->trial;
    uint64_t loose[5] = {0, at_least_1(rest), at_least_2(rest), at_least_3(rest), at_least_4(rest)};
    made->count = 0;
    made->price = 0.0;
    for (unsigned held = 1; held < 4; held++)
        loose[held] &= ~loose[held + 1];
    if ((loose[1] & ROCKET_CARDS) == ROCKET_CARDS) {
        ddz_move rocket = rocket_move();
        loose[1] &= ~ROCKET_CARDS;
        add_part(made, &rocket, ROCKET_PRICE);
    }
    for (unsigned index = 0; index < run->chain_count; index++) {
        ddz_move chain = run->chains[index];
        unsigned group = group_of(&chain);
        if (group == 3)
            chain = with_kickers(run, chain.length, 4u * (unsigned)chain.rank, loose);
        add_part(made, &chain, run->own->of[group][chain.length][chain.rank]);
    }
    add_loose(run, loose);
    if (run->divisions++ == 0 || made->price < run->best->price) {
        made->key = run->best->key;
        *run->best = *made;
    }
}

static void add_chains(division *run, uint64_t hand, const ddz_move *last);

/* Takes each chain of one group that starts there and does not come before the last one. */
static void take_chains(division *run, uint64_t hand, unsigned group, uint64_t ranks, unsigned start,
                        const ddz_move *last)
{
    unsigned most = lowest(~(ranks >> start) & EVERY_FOURTH) / 4;
    bool same = (int)start == 4 * last->rank;
    if (same && group < group_of(last))
        return;
    if (same && group == group_of(last) && most > last->length)
        most = last->length;
    for (unsigned length = most; length >= run->plans->splits->shortest[group]; length--) {
        const row *shape = run->plans->rows[group][0][length];
        if (shape == 0 || run->divisions >= MOST_DIVISIONS)
            continue;
        ddz_move chain = move_of(shape, length, start, run_of(length) * group << start);
        run->chains[run->chain_count++] = chain;
        add_chains(run, hand - chain.cards, &chain);
        run->chain_count--;
    }
}

/* Looks at the hand with the chains so far, and then with one more. */
static void add_chains(division *run, uint64_t hand, const ddz_move *last)
{
    const ddz_splits *splits = run->plans->splits;
    uint64_t least[4] = {0, at_least_1(hand), at_least_2(hand), at_least_3(hand)};
    divide(run, hand);
    for (unsigned group = 1; group <= 3 && run->chain_count < MOST_CHAINS; group++) {
        uint64_t ranks = least[group] & splits->chain_ranks[group];
        if (splits->shortest[group] == 0)
            continue;
        uint64_t starts = run_starts(ranks, splits->shortest[group]) & ranks_from((unsigned)last->rank);
        for (; starts; starts &= starts - 1)
            take_chains(run, hand, group, ranks, lowest(starts), last);
    }
}

/* Finds the move that lays the whole hand, if there is one. */
static bool lay_all(const ddz_rules *rules, uint64_t hand, ddz_move *move)
{
    const grammar *legal = &rules->legal;
    unsigned size = size_of(hand);
    if (hand == ROCKET_CARDS) {
        *move = rocket_move();
        return true;
    }
    for (unsigned index = legal->first_form[size]; index < legal->first_form[size + 1]; index++) {
        const row *shape = &legal->rows[legal->forms[index].row];
        uint64_t starts = reading_starts(shape, legal->forms[index].length, hand);
        if (starts) {
            *move = move_of(shape, legal->forms[index].length, lowest(starts), hand);
            return true;
        }
    }
    return false;
}

const plan *plan_of(planner *plans, uint64_t hand, unsigned seat)
{
    static const ddz_move FIRST = {0, DDZ_SOLO, 0, DDZ_MAX_LENGTH, 0, 0, {0, 0, 0}};
    uint64_t key = hand | (uint64_t)(seat + 1) << 60;
    plan *slot = &plans->slots[key * 0x9E3779B97F4A7C15ULL >> (64 - PLAN_BITS)];
    ddz_move whole;
    if (slot->key == key)
        return slot;
    *slot = (plan){.key = key};
    if (hand && lay_all(plans->rules, hand, &whole)) {
        add_part(slot, &whole, 0.0);
    } else if (hand) {
        division run = {.plans = plans, .own = &plans->by_seat[seat], .best = slot};
        add_chains(&run, hand, &FIRST);
    }
    return slot;
}
