/*
 * The fewest moves that empty a hand.
 *
 * A split of a hand is some chains and some moves without a chain. The search goes through all sets of chain bodies,
 * in the order of (lowest rank, group, length) so that no set comes twice. What the chains leave is then one look-up
 * in the table of split_table.c. Only where chains carry kickers (planes, shuttles) are these taken from the rest
 * first, with one choice for each class of ranks that are alike.
 */
#include "split/parts.h"

typedef struct {
    uint64_t body;
    uint8_t group;
    uint8_t length;
} chain;

typedef struct {
    const ddz_splits *splits;
    unsigned best;
    unsigned carriers; /* chains that may carry kickers */
    unsigned room;     /* the most kickers that they can carry together */
    chain carrier[DDZ_SPLIT_CARDS / 6 + 1];
} search;

/* What could be a kicker. Ranks with the same key are alike for all that is still to be chosen, and neighbours here. */
typedef struct {
    uint64_t unit[DDZ_RANKS];
    uint16_t key[DDZ_RANKS];
    uint8_t copies[DDZ_RANKS];
    unsigned count;
} option_list;

/* One carrier that takes its kickers: what take_from hands down unchanged. */
typedef struct {
    search *run;
    option_list options;
    unsigned which;
    unsigned moves;
    unsigned room; /* what the later carriers can carry */
} taking;

static unsigned fewest_without_chain(const ddz_splits *splits, uint64_t hand)
{
    uint64_t jokers = (hand & ROCKET_CARDS) == ROCKET_CARDS ? ROCKET_CARDS : 0;
    hand -= jokers;
    unsigned most1 = rank_count(at_least_1(hand));
    unsigned most2 = rank_count(at_least_2(hand));
    unsigned most3 = rank_count(at_least_3(hand));
    unsigned fours = rank_count(at_least_4(hand));
    return splits->alone[jokers != 0][fours][most3 - fours][most2 - most3][most1 - most2];
}

static void choose_kickers(search *run, uint64_t hand, unsigned moves, unsigned which, unsigned room);

static void insert_option(option_list *options, uint64_t unit, unsigned key, unsigned copies)
{
    unsigned at = options->count++;
    for (; at > 0 && options->key[at - 1] > key; at--) {
        options->unit[at] = options->unit[at - 1];
        options->key[at] = options->key[at - 1];
        options->copies[at] = options->copies[at - 1];
    }
    options->unit[at] = unit;
    options->key[at] = (uint16_t)key;
    options->copies[at] = (uint8_t)copies;
}

/* A rank's key: its count, whether it is one of both jokers, and the later carriers whose body has it. */
static void list_options(const search *run, const row *shape, uint64_t hand, unsigned which, option_list *options)
{
    bool jokers = (hand & ROCKET_CARDS) == ROCKET_CARDS;
    uint64_t ranks = at_least_1(hand);
    if (shape->kicker_rule != DDZ_ANY)
        ranks &= ~at_least_1(run->carrier[which].body);
    options->count = 0;
    for (; ranks; ranks &= ranks - 1) {
        unsigned at = lowest(ranks);
        unsigned held = (unsigned)(hand >> at & 15);
        unsigned key = held | (jokers && (ROCKET_CARDS >> at & 1) ? 8u : 0u);
        for (unsigned later = which + 1; later < run->carriers; later++)
            key |= (run->carrier[later].body >> at & 15) != 0 ? 16u << later : 0u;
        unsigned copies = held / shape->kicker;
        if (shape->kicker_rule == DDZ_DISTINCT && copies > 1)
            copies = 1;
        if (copies)
            insert_option(options, (uint64_t)shape->kicker << at, key, copies);
    }
}

/* Takes so many kickers from the options from one on; of alike ranks none gives more than the one before, which gave
 * so many. */
static void take_from(const taking *carrier, unsigned option, unsigned before, unsigned number, uint64_t hand)
{
    const option_list *options = &carrier->options;
    if (number == 0) {
        choose_kickers(carrier->run, hand, carrier->moves, carrier->which + 1, carrier->room);
        return;
    }
    if (option == options->count)
        return;
    unsigned most = options->copies[option] < number ? options->copies[option] : number;
    if (option > 0 && options->key[option] == options->key[option - 1] && most > before)
        most = before;
    for (unsigned taken = 0; taken <= most; taken++)
        take_from(carrier, option + 1, taken, number - taken, hand - options->unit[option] * taken);
}

/* Gives kickers to the carriers from one on, in each way that the rules have for it, and looks up the rest. */
static void choose_kickers(search *run, uint64_t hand, unsigned moves, unsigned which, unsigned room)
{
    unsigned rest = fewest_without_chain(run->splits, hand);
    /* Each kicker saves one move at most: played alone it would be a solo or a pair. */
    if (moves + rest >= run->best + room)
        return;
    if (which == run->carriers) {
        run->best = moves + rest;
        return;
    }
    const grammar *legal = &run->splits->legal;
    const chain *own = &run->carrier[which];
    taking carrier = {run, {{0}, {0}, {0}, 0}, which, moves, 0};
    carrier.room = room - run->splits->most_kickers[own->group] * own->length;
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        if (shape->group != own->group || own->length < shape->min_length || own->length > shape->longest ||
            (at_least_1(own->body) & ~shape->body_ranks))
            continue;
        if (shape->per_group)
            list_options(run, shape, hand, which, &carrier.options);
        take_from(&carrier, 0, 0, shape->per_group * own->length, hand);
    }
}

static void add_chains(search *run, uint64_t hand, unsigned moves, chain last, unsigned last_start);

/* Takes each chain of one group that starts there and does not come before the last one. */
static void take_chains(search *run, uint64_t hand, unsigned moves, unsigned group, uint64_t ranks, unsigned start,
                        unsigned longest)
{
    const ddz_splits *splits = run->splits;
    unsigned most = lowest(~(ranks >> start) & EVERY_FOURTH) / 4;
    unsigned room = splits->most_kickers[group];
    if (most > longest)
        most = longest;
    for (unsigned length = most; length >= splits->shortest[group]; length--) {
        chain taken = {run_of(length) * group << start, (uint8_t)group, (uint8_t)length};
        if ((splits->lengths[group] >> length & 1) == 0)
            continue;
        if (room) {
            run->carrier[run->carriers++] = taken;
            run->room += room * length;
        }
        add_chains(run, hand - taken.body, moves + 1, taken, start);
        if (room) {
            run->carriers--;
            run->room -= room * length;
        }
    }
}

/* Looks at the hand with the chains so far, and then with one more. */
static void add_chains(search *run, uint64_t hand, unsigned moves, chain last, unsigned last_start)
{
    const ddz_splits *splits = run->splits;
    uint64_t least[5] = {0, at_least_1(hand), at_least_2(hand), at_least_3(hand), at_least_4(hand)};
    uint64_t starts[5] = {0};
    uint64_t any = 0;
    choose_kickers(run, hand, moves, 0, run->room);
    if (moves + 1 >= run->best)
        return;
    for (unsigned group = 1; group <= 4; group++) {
        least[group] &= splits->chain_ranks[group];
        starts[group] = run_starts(least[group], splits->shortest[group]) & ~0ULL << last_start;
        any |= starts[group];
    }
    for (; any; any &= any - 1) {
        unsigned start = lowest(any);
        bool same = start == last_start;
        for (unsigned group = same ? last.group : 1; group <= 4; group++)
            if (starts[group] >> start & 1)
                take_chains(run, hand, moves, group, least[group], start,
                            same && group == last.group ? last.length : splits->longest[group]);
    }
}

static unsigned fewest_moves(const ddz_splits *splits, uint64_t hand)
{
    search run = {splits, NO_SPLIT, 0, 0, {{0, 0, 0}}};
    chain first = {0, 1, DDZ_MAX_LENGTH};
    add_chains(&run, hand, 0, first, 0);
    return run.best;
}

static bool bad_splits(const ddz_splits *splits) { return bad_pointer(splits, 8) || splits->magic != SPLITS_MAGIC; }

ddz_status ddz_fewest_moves(const ddz_splits *splits, uint64_t hand, uint32_t *fewest)
{
    if (bad_pointer(fewest, 4))
        return DDZ_BAD_POINTER;
    if (bad_splits(splits))
        return bad_pointer(splits, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    if (!is_hand(hand) || size_of(hand) > DDZ_SPLIT_CARDS)
        return DDZ_BAD_CARDS;
    *fewest = fewest_moves(splits, hand);
    return DDZ_OK;
}

ddz_status ddz_fewest_moves_batch(const ddz_splits *splits, const uint64_t *hands, uint32_t hand_count,
                                  uint8_t *fewest)
{
    if (bad_pointer(hands, 8) || bad_pointer(fewest, 1))
        return DDZ_BAD_POINTER;
    if (bad_splits(splits))
        return bad_pointer(splits, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    for (uint32_t index = 0; index < hand_count; index++) {
        if (!is_hand(hands[index]) || size_of(hands[index]) > DDZ_SPLIT_CARDS)
            return DDZ_BAD_CARDS;
        fewest[index] = (uint8_t)fewest_moves(splits, hands[index]);
    }
    return DDZ_OK;
}

ddz_status split_check(const ddz_rules *rules, const ddz_splits *splits)
{
    if (bad_rules(rules))
        return bad_pointer(rules, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    if (bad_splits(splits))
        return bad_pointer(splits, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    return DDZ_OK;
}

ddz_status split_check_game(const ddz_rules *rules, const ddz_splits *splits)
{
    ddz_status status = split_check(rules, splits);
    return status == DDZ_OK && !rules->plays_on ? DDZ_BAD_RULES : status;
}
