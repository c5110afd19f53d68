/*
 * The quick players of a search. They play by the division of their own hand, as the player "rule" does:
 * ddzbot/players/rule.py says what the worths mean that are added up here. They know their hand, which cards are out
 * and how many the others hold, but not which. Noise, drawn for each move, makes them differ.
 */
#include "tree/parts.h"

static const double HOLD_SCALE = 0.6, OWN_LEAD = 3.0, OWN_LEAST = 0.1, ENEMY_LEAD = 8.0;
static const double PARTNER_LEAD = 3.0, PARTNER_LEAST = 1.0, PARTNER_ACTS = 0.8;
static const double CHAIN_LEAD = 0.8, RANK_LEAD = 0.1, PEASANT_SOLO = 0.3;

enum { NOISE_STEPS = 1024, ENDGAME = 2, LOWEST_TWO = 12 };

/* What the seat whose turn it is makes of the game, and the best move so far. */
typedef struct {
    ddz_search *search;
    const position *at;
    const plan *own;
    uint64_t hand;
    uint64_t others; /* what the others hold together */
    double share;    /* of that, what enemies hold */
    unsigned enemies;
    unsigned enemy_cards; /* the fewest of an enemy */
    bool bombs_out;
    ddz_move best;
    double best_worth;
} outlook;

static void look(outlook *seen, ddz_search *search, const position *at)
{
    unsigned left[DDZ_SEATS], first = (at->seat + 1u) % DDZ_SEATS, second = (at->seat + 2u) % DDZ_SEATS;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        left[seat] = size_of(at->hands[seat]);
    seen->search = search;
    seen->at = at;
    seen->hand = at->hands[at->seat];
    seen->own = plan_of(&search->plans, seen->hand, at->seat);
    seen->others = at->hands[first] + at->hands[second];
    seen->enemies = at->seat ? 1 : 2;
    seen->enemy_cards = at->seat ? left[0] : left[1] < left[2] ? left[1] : left[2];
    seen->share = at->seat ? (double)left[0] / (left[first] + left[second]) : 1.0;
    seen->bombs_out = at_least_4(seen->others) || (seen->others & ROCKET_CARDS) == ROCKET_CARDS;
    seen->best = pass_move();
    seen->best_worth = -1e9;
}

static inline double enemy_lead(unsigned cards) { return ENEMY_LEAD / (cards * cards); }

/* The chance that no enemy beats a move. */
static double hold_of(const outlook *seen, const ddz_move *move)
{
    if (is_blast(move) || move->rank < 0)
        return 1.0;
    double threat = threat_to(seen->others, seen->enemies, seen->share, group_of(move), move->length,
                              (unsigned)move->rank);
    return HOLD_SCALE / (HOLD_SCALE + threat);
}

/* Checks that no other hand can hold an answer. */
static bool is_sure(const outlook *seen, const ddz_move *move)
{
    uint64_t others = seen->others, above = ranks_from((unsigned)move->rank + 1);
    if (move->kind == DDZ_ROCKET)
        return true;
    if (move->kind == DDZ_BOMB)
        return (at_least_4(others) & above) == 0 && (others & ROCKET_CARDS) != ROCKET_CARDS;
    uint64_t ranks = move->length > 1 ? ranks_to(DDZ_MAX_LENGTH - 1) : RANK_BITS;
    return !seen->bombs_out && (run_starts(at_least(others, group_of(move)) & ranks, move->length) & above) == 0;
}

/* Gets the first sure move of the division if at most one of its moves is not sure, else null. */
static const ddz_move *sure_move(const outlook *seen)
{
    const ddz_move *sure = 0;
    unsigned unsure = 0;
    for (unsigned index = 0; index < seen->own->count && unsure <= 1; index++) {
        const ddz_move *move = &seen->own->parts[index].move;
        if (!is_sure(seen, move))
            unsure++;
        else if (sure == 0)
            sure = move;
    }
    return unsure <= 1 ? sure : 0;
}

/* What a move is worth if the rest of the hand costs so much and takes so many moves. */
static double worth_of(const outlook *seen, const ddz_move *move, double rest, unsigned moves)
{
    double hold = hold_of(seen, move), own = moves > 1 ? OWN_LEAD / (moves * moves) : OWN_LEAD;
    if (own < OWN_LEAST)
        own = OWN_LEAST;
    return hold * own - (1.0 - hold) * enemy_lead(seen->enemy_cards) - rest;
}

static void offer(outlook *seen, const ddz_move *move, double worth)
{
    ddz_search *search = seen->search;
    if (search->options.noise)
        worth += search->options.noise / 1000.0 * random_below(&search->random, NOISE_STEPS) / NOISE_STEPS;
    if (worth > seen->best_worth) {
        seen->best_worth = worth;
        seen->best = *move;
    }
}

static ddz_move lead(outlook *seen)
{
    const plan *own = seen->own;
    unsigned low = lowest(at_least_1(seen->hand));
    const ddz_move *sure = sure_move(seen);
    if (own->count == 1 || sure)
        return sure ? *sure : own->parts[0].move;
    if (seen->at->seat == 1 && size_of(seen->at->hands[2]) == 1 && low < 4 * LOWEST_TWO)
        return move_of(seen->search->plans.rows[1][0][1], 1, low, 1ULL << low);
    for (unsigned index = 0; index < own->count; index++) {
        const ddz_move *move = &own->parts[index].move;
        double worth = worth_of(seen, move, own->price - own->parts[index].price, own->count - 1);
        if (own->count > ENDGAME) {
            worth += (move->length > 1 ? CHAIN_LEAD : 0.0) - RANK_LEAD * move->rank;
            worth -= seen->at->seat && move->kind == DDZ_SOLO ? PEASANT_SOLO : 0.0;
        }
        offer(seen, move, worth);
    }
    return seen->best;
}

/* What a pass leads to, the own hand left out. */
static double worth_of_pass(const outlook *seen, unsigned owner)
{
    const position *at = seen->at;
    const ddz_move *table = &at->to_beat;
    unsigned left = size_of(at->hands[owner]);
    if (same_side(at->seat, owner)) {
        /* What landlord_up played came past the landlord already. */
        double hold = at->seat == 1 ? 1.0 : hold_of(seen, table), partner = PARTNER_LEAD / left;
        if (partner < PARTNER_LEAST)
            partner = PARTNER_LEAST;
        return hold * partner - (1.0 - hold) * enemy_lead(size_of(at->hands[0]));
    }
    if (at->seat != 1 || is_blast(table) || table->rank < 0)
        return -enemy_lead(left);
    double answers = threat_to(seen->others, 1, 1.0 - seen->share, group_of(table), table->length,
                               (unsigned)table->rank);
    return (PARTNER_ACTS * answers / (answers + HOLD_SCALE) - 1.0) * enemy_lead(left);
}

static bool beats(const ddz_move *move, const ddz_move *table)
{
    if (move->kind == DDZ_ROCKET || table->kind == DDZ_ROCKET)
        return table->kind != DDZ_ROCKET;
    if (move->kind == DDZ_BOMB && table->kind != DDZ_BOMB)
        return true;
    return move->kind == table->kind && move->size == table->size && move->rank > table->rank;
}

/* The lowest kickers for a body, those that stand alone in the hand first; 0 if there are not enough. */
static uint64_t kickers_for(uint64_t hand, uint64_t body_ranks, unsigned kicker, unsigned number)
{
    uint64_t any = at_least(hand, kicker) & ~body_ranks, alone = any & ~at_least(hand, kicker + 1), chosen = 0;
    for (; number > 0; number--) {
        uint64_t from = alone ? alone : any;
        if (from == 0)
            return 0;
        chosen |= from & -from;
        alone &= ~chosen;
        any &= ~chosen;
    }
    return chosen * kicker;
}

/* Weighs an answer with that body that breaks the division. */
static void offer_broken(outlook *seen, const row *shape, unsigned start)
{
    unsigned length = seen->at->to_beat.length;
    uint64_t body = run_of(length) << start, kickers = 0;
    if (shape->kicker && (kickers = kickers_for(seen->hand, body, shape->kicker, length)) == 0)
        return;
    ddz_move move = move_of(shape, length, start, body * shape->group + kickers);
    const plan *rest = plan_of(&seen->search->plans, seen->hand - move.cards, seen->at->seat);
    offer(seen, &move, worth_of(seen, &move, rest->price, rest->count));
}

/* Weighs the lowest and the highest answer of those whose bodies the division has not. */
static void offer_others(outlook *seen, uint64_t met)
{
    const ddz_move *table = &seen->at->to_beat;
    if (table->rank < 0 || is_blast(table) || table->kickers > table->length)
        return;
    unsigned group = group_of(table), kicker = table->kickers ? table->size / table->length - group : 0;
    const row *shape = group <= 3 ? seen->search->plans.rows[group][kicker][table->length] : 0;
    if (shape == 0 || shape->kind != table->kind)
        return;
    uint64_t starts = run_starts(at_least(seen->hand, group) & shape->body_ranks, table->length);
    starts &= ranks_from((unsigned)table->rank + 1) & ~met;
    if (starts == 0)
        return;
    unsigned low = lowest(starts), high = (63u - (unsigned)__builtin_clzll(starts)) & ~3u;
    offer_broken(seen, shape, low);
    if (high != low)
        offer_broken(seen, shape, high);
}

static ddz_move follow(outlook *seen, unsigned owner)
{
    const plan *own = seen->own;
    const ddz_move *table = &seen->at->to_beat;
    bool is_partner = same_side(seen->at->seat, owner), wins = own->count == 1 || sure_move(seen);
    ddz_move pass = pass_move();
    uint64_t met = 0;
    offer(seen, &pass, worth_of_pass(seen, owner) - own->price);
    for (unsigned index = 0; index < own->count; index++) {
        const ddz_move *move = &own->parts[index].move;
        if (!beats(move, table))
            continue;
        if (own->count == 1 || (wins && is_sure(seen, move)))
            return *move;
        if (!is_blast(move))
            met |= 1ULL << 4 * move->rank;
        if (!is_blast(move) || !is_partner)
            offer(seen, move, worth_of(seen, move, own->price - own->parts[index].price, own->count - 1));
    }
    offer_others(seen, met);
    return seen->best;
}

ddz_move quick_move(ddz_search *search, const position *at)
{
    outlook seen;
    look(&seen, search, at);
    if (at->to_beat.kind == DDZ_PASS)
        return lead(&seen);
    return follow(&seen, (at->seat + (at->passes ? 1u : 2u)) % DDZ_SEATS);
}
