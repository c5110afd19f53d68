/*
 * The moves that the report on an AI for mini Dou Dizhu would search. The reference implementation,
 * ddzbot/mini_split.py, explains the rule, names the source, and lists the same moves.
 */
#include "tree/parts.h"

/* Bodies of groups of three or more, in runs of one to six ranks, are 21 at most in a hand of 20 cards. */
enum { MOST_BODIES = DDZ_MAX_SHAPES * 21 };

/* A body that takes kickers, and the best of the moves with it so far. */
typedef struct {
    uint64_t body;
    uint64_t free; /* ranks that may be kickers and break nothing */
    uint64_t kickers;
    uint32_t bound; /* ranks of the kickers that are not free */
    uint8_t kind;
    int8_t rank;
    uint8_t length;
} carrier;

/* What the pruning needs to know of a hand, and what it chose. */
typedef struct {
    const grammar *legal;
    uint64_t quads;     /* rank bits */
    uint64_t rocket;    /* both jokers, or 0 */
    uint64_t rest;      /* the hand without bombs and rocket */
    uint64_t lowest[3]; /* the lowest free solo and pair; 0 without one */
    uint32_t count;
    carrier carriers[MOST_BODIES];
} pruning;

/* Checks that a move plays every bomb, and the rocket, whole or not at all. */
static bool leaves_bombs(const pruning *own, const ddz_move *move)
{
    uint64_t cards = move->cards, jokers = cards & own->rocket;
    return (at_least_1(cards) & own->quads) == (at_least_4(cards) & own->quads) &&
           (jokers == 0 || jokers == own->rocket);
}

/* The bits of so many ranks from each one on. */
static inline uint64_t spread(uint64_t ranks, unsigned number)
{
    uint64_t all = ranks;
    for (unsigned step = 1; step < number; step++)
        all |= ranks << 4 * step;
    return all;
}

static inline bool is_chain(const row *shape) { return shape->max_length > 1 && shape->kicker == 0; }

/* The ranks of which the cards are so many, and in no chain of more cards. */
static uint64_t alone(const grammar *legal, uint64_t cards, unsigned number)
{
    uint64_t found = at_least(cards, number) & ~at_least(cards, number + 1);
    for (uint32_t index = 0; index < legal->count && found; index++) {
        const row *shape = &legal->rows[index];
        if (!is_chain(shape))
            continue;
        unsigned length = shape->min_length;
        while (length * shape->group <= number)
            length++;
        if (length <= shape->longest)
            found &= ~spread(run_starts(at_least(cards, shape->group) & shape->body_ranks, length), length);
    }
    return found;
}

/* Where chains of a row and length start that are part of no other chain. */
static uint64_t longest_starts(const grammar *legal, uint64_t rest, const row *shape, unsigned length)
{
    uint64_t starts = run_starts(at_least(rest, shape->group) & shape->body_ranks, length);
    for (uint32_t index = 0; index < legal->count && starts; index++) {
        const row *other = &legal->rows[index];
        if (!is_chain(other) || other->group < shape->group)
            continue;
        unsigned longer = other->group == shape->group ? length + 1 : length;
        if (longer < other->min_length)
            longer = other->min_length;
        if (longer <= other->longest)
            starts &= ~spread(run_starts(at_least(rest, other->group) & other->body_ranks, longer),
                              longer - length + 1);
    }
    return starts;
}

/* The ranks of which a solo (number 1) or a pair (2) breaks nothing: alone at once, or beside a longest chain. */
static uint64_t free_ranks(const grammar *legal, uint64_t rest, unsigned number)
{
    uint64_t found = alone(legal, rest, number);
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        if (!is_chain(shape) || run_starts(at_least(rest, shape->group) & shape->body_ranks, shape->min_length) == 0)
            continue;
        for (unsigned length = shape->min_length; length <= shape->longest; length++) {
            uint64_t starts = longest_starts(legal, rest, shape, length);
            for (; starts; starts &= starts - 1)
                found |= alone(legal, rest - body_of(shape, length, lowest(starts)), number);
        }
    }
    return found;
}

/* Finds the carrier of a move, or null; moves with the same body follow each other. */
static const carrier *find_carrier(const pruning *own, const ddz_move *move)
{
    for (uint32_t at = own->count; at-- > 0;) {
        const carrier *known = &own->carriers[at];
        if (known->kind == move->kind && known->rank == move->rank && known->length == move->length)
            return known;
    }
    return 0;
}

static carrier *carrier_of(pruning *own, const ddz_move *move)
{
    const carrier *known = find_carrier(own, move);
    if (known)
        return &own->carriers[known - own->carriers];
    const row *shape = own->legal->rows;
    while (shape->kind != move->kind)
        shape++;
    carrier *made = &own->carriers[own->count++];
    uint64_t body = body_of(shape, move->length, 4 * (unsigned)move->rank);
    uint64_t rest = holds(own->rest, body) ? own->rest - body : own->rest;
    *made = (carrier){body, free_ranks(own->legal, rest, shape->kicker), UINT64_MAX, UINT32_MAX,
                      move->kind, move->rank, move->length};
    return made;
}

/* Has a move with kickers compete with those of the same body: few ranks that are not free, then low ones. */
static void weigh_kickers(pruning *own, const ddz_move *move)
{
    carrier *best = carrier_of(own, move);
    uint64_t kickers = move->cards - best->body;
    uint32_t bound = rank_count(at_least_1(kickers) & ~best->free);
    if (bound < best->bound || (bound == best->bound && kickers < best->kickers)) {
        best->bound = bound;
        best->kickers = kickers;
    }
}

static inline bool is_group(const ddz_move *move) { return move->kind == DDZ_SOLO || move->kind == DDZ_PAIR; }

/* Looks at every move once, and notes which ones are chosen. Solos come before pairs, and low ones before high ones. */
static void choose(pruning *own, const ddz_move *moves, uint32_t count)
{
    unsigned number = 0; /* the cards of the groups that free speaks of */
    uint64_t free = 0;
    for (uint32_t index = 0; index < count; index++) {
        const ddz_move *move = &moves[index];
        if (!leaves_bombs(own, move))
            continue;
        if (move->kickers)
            weigh_kickers(own, move);
        if (!is_group(move) || own->lowest[move->size])
            continue;
        if (number != move->size)
            free = free_ranks(own->legal, own->rest, number = move->size);
        if (free >> 4 * move->rank & 1)
            own->lowest[move->size] = move->cards;
    }
}

static bool is_chosen(const pruning *own, const ddz_move *move)
{
    if (!leaves_bombs(own, move))
        return false;
    if (is_group(move))
        return move->cards == own->lowest[move->size];
    if (move->kickers == 0)
        return true;
    const carrier *best = find_carrier(own, move);
    return best && move->cards == best->body + best->kickers;
}

/* Keeps the moves that pass a test, in their order, and counts them. */
static uint32_t keep(const pruning *own, bool (*test)(const pruning *, const ddz_move *), ddz_move *moves,
                     uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t index = 0; index < count; index++)
        if (test(own, &moves[index]))
            moves[kept++] = moves[index];
    return kept;
}

uint32_t mini_keep(const ddz_rules *rules, uint64_t hand, ddz_move *moves, uint32_t count)
{
    pruning own;
    uint32_t kept;
    own.legal = &rules->legal;
    own.quads = at_least_4(hand);
    own.rocket = holds(hand, ROCKET_CARDS) ? ROCKET_CARDS : 0;
    own.rest = hand - own.quads * 4 - own.rocket;
    own.lowest[1] = own.lowest[2] = 0;
    own.count = 0;
    choose(&own, moves, count);
    kept = keep(&own, is_chosen, moves, count);
    if (kept == 0)
        kept = keep(&own, leaves_bombs, moves, count);
    return kept ? kept : count;
}
