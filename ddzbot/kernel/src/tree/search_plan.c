/*
 * The cheapest division of a hand into moves: every set of chains, and for each the kickers that save most, given out
 * greedily. It is the division of the player "rule" (ddzbot/split.py, cheapest_split), but a bomb takes no kickers.
 */
#include "tree/parts.h"

enum {
    MOST_CHAINS = 4,     /* in one hand of 20 cards */
    MOST_DIVISIONS = 300 /* sets of chains that are looked at */
};

/* Bombs are worth more than nothing, because they win the lead whatever lies on the table; the lower goes first. */
static const double BOMB_PRICE = -0.7, BOMB_RANK = -0.02, ROCKET_PRICE = -1.7;
/* Kickers that save less stay in the hand. */
static const double LEAST_SAVING = 0.25;

/* So many ranks from a start on, a bit position, and so many cards of each. */
typedef struct {
    uint8_t group;
    uint8_t length;
    uint8_t start;
} chain;

/* Some chains of a hand, and what they leave of it. */
typedef struct {
    uint64_t rest;
    unsigned count;
    chain chains[MOST_CHAINS];
} chain_set;

/* The chains so far, and the set of them whose division is the cheapest. */
typedef struct {
    const planner *plans;
    const prices *own;
    chain_set now;
    chain_set best;
    double least;
    unsigned divisions;
} division;

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

/*
 * Gives a body of trios its kickers, those that save most, and takes these from the loose ranks. Gets the ranks of the
 * kickers, and of which cards, 1 or 2 of a rank; 0 for none.
 */
static inline uint64_t take_kickers(const planner *plans, const prices *own, chain body, uint64_t loose[5],
                                    unsigned *kicker)
{
    uint64_t ranks = run_of(body.length) << body.start, taken = 0;
    double most = LEAST_SAVING;
    *kicker = 0;
    for (unsigned held = 1; held <= 2; held++) {
        uint64_t free = loose[held] & ~ranks;
        if (plans->rows[3][held][body.length] == 0 || rank_count(free) < body.length)
            continue;
        uint64_t chosen = lowest_ranks(free, body.length);
        double saved = price_of_all(own->of[held][1], chosen);
        if (saved > most) {
            most = saved;
            taken = chosen;
            *kicker = held;
        }
    }
    loose[*kicker] &= ~taken;
    return taken;
}

/* Gets a price, and adds the part that costs it where the caller wants the parts. */
static inline double part_of(plan *made, const row *shape, unsigned length, unsigned start, uint64_t kickers,
                             double price)
{
    if (made) {
        part *added = &made->parts[made->count++];
        added->move = move_of(shape, length, start, body_of(shape, length, start) + kickers);
        added->price = price;
    }
    return price;
}

/* Gets the price of trios with their kickers. */
static inline double trios_of(plan *made, const planner *plans, const prices *own, chain body, uint64_t loose[5])
{
    unsigned kicker;
    uint64_t kickers = take_kickers(plans, own, body, loose, &kicker);
    const row *shape = plans->rows[3][kicker][body.length];
    return part_of(made, shape, body.length, body.start, kickers * kicker, own->of[3][body.length][body.start / 4]);
}

/* Adds what bombs, trios with their kickers, pairs and solos cost to a price. */
static inline double divide_loose(plan *made, const planner *plans, const prices *own, uint64_t loose[5], double price)
{
    for (uint64_t left = loose[4]; left; left &= left - 1) {
        unsigned start = lowest(left);
        price += part_of(made, plans->rows[4][0][1], 1, start, 0, BOMB_PRICE + BOMB_RANK * (start / 4));
    }
    for (uint64_t left = loose[3]; left; left &= left - 1)
        price += trios_of(made, plans, own, (chain){3, 1, (uint8_t)lowest(left)}, loose);
    for (unsigned group = 1; group <= 2; group++)
        for (uint64_t left = loose[group]; left; left &= left - 1) {
            unsigned start = lowest(left);
            price += part_of(made, plans->rows[group][0][1], 1, start, 0, own->of[group][1][start / 4]);
        }
    return price;
}

/* Divides what the chains leave, and gets the price of it all; made gets the parts, unless it is null. */
static inline double divide(plan *made, const planner *plans, const prices *own, const chain_set *set)
{
    uint64_t four = at_least_4(set->rest), three = at_least_3(set->rest), two = at_least_2(set->rest);
    uint64_t loose[5] = {0, at_least_1(set->rest) & ~two, two & ~three, three & ~four, four};
    double price = 0.0;
    if ((loose[1] & ROCKET_CARDS) == ROCKET_CARDS) {
        loose[1] &= ~ROCKET_CARDS;
        price += ROCKET_PRICE;
        if (made)
            made->parts[made->count++] = (part){rocket_move(), ROCKET_PRICE};
    }
    for (unsigned index = 0; index < set->count; index++) {
        chain body = set->chains[index];
        double each = own->of[body.group][body.length][body.start / 4];
        if (body.group == 3)
            price += trios_of(made, plans, own, body, loose);
        else
            price += part_of(made, plans->rows[body.group][0][body.length], body.length, body.start, 0, each);
    }
    return divide_loose(made, plans, own, loose, price);
}

static void add_chains(division *run, chain last);

/* Takes each chain of one group that starts there and does not come before the last one. */
static void take_chains(division *run, unsigned group, uint64_t ranks, unsigned start, chain last)
{
    unsigned most = lowest(~(ranks >> start) & EVERY_FOURTH) / 4;
    bool same = start == last.start;
    if (same && group < last.group)
        return;
    if (same && group == last.group && most > last.length)
        most = last.length;
    for (unsigned length = most; length >= run->plans->splits->shortest[group]; length--) {
        if (run->plans->rows[group][0][length] == 0 || run->divisions >= MOST_DIVISIONS)
            continue;
        chain taken = {(uint8_t)group, (uint8_t)length, (uint8_t)start};
        uint64_t cards = (run_of(length) << start) * group;
        run->now.chains[run->now.count++] = taken;
        run->now.rest -= cards;
        add_chains(run, taken);
        run->now.rest += cards;
        run->now.count--;
    }
}

/* Looks at the hand with the chains so far, and then with one more. */
static void add_chains(division *run, chain last)
{
    const ddz_splits *splits = run->plans->splits;
    uint64_t hand = run->now.rest;
    double price = divide(0, run->plans, run->own, &run->now);
    if (run->divisions++ == 0 || price < run->least) {
        run->least = price;
        run->best = run->now;
    }
    for (unsigned group = 1; group <= 3 && run->now.count < MOST_CHAINS; group++) {
        uint64_t ranks = at_least(hand, group) & splits->chain_ranks[group];
        if (splits->shortest[group] == 0)
            continue;
        uint64_t starts = run_starts(ranks, splits->shortest[group]) & ranks_from(last.start / 4u);
        for (; starts; starts &= starts - 1)
            take_chains(run, group, ranks, lowest(starts), last);
    }
}

/* Finds the move that plays the whole hand, if there is one. */
static bool play_all(const ddz_rules *rules, uint64_t hand, ddz_move *move)
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

/* Writes the cheapest division of a hand. */
static void divide_best(const planner *plans, uint64_t hand, unsigned seat, plan *best)
{
    static const chain FIRST = {1, DDZ_MAX_LENGTH, 0};
    division run = {.plans = plans, .own = &plans->by_seat[seat], .now = {.rest = hand}};
    add_chains(&run, FIRST);
    best->price = divide(best, plans, run.own, &run.best);
}

const plan *plan_of(planner *plans, uint64_t hand, unsigned seat)
{
    uint64_t key = hand | (uint64_t)(seat + 1) << 60;
    plan *slot = &plans->slots[key * 0x9E3779B97F4A7C15ULL >> (64 - PLAN_BITS)];
    ddz_move whole;
    if (slot->key == key)
        return slot;
    slot->key = key;
    slot->price = 0.0;
    slot->count = 0;
    if (hand && play_all(plans->rules, hand, &whole))
        slot->parts[slot->count++] = (part){whole, 0.0};
    else if (hand)
        divide_best(plans, hand, seat, slot);
    return slot;
}
