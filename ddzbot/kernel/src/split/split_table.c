/*
 * The fewest moves without a chain that empty a hand, for every hand up to the names of its ranks.
 *
 * Such moves ask of two ranks only whether they are the same, so the hand is its classes. The table is filled in an
 * order in which every move leads to an entry that is filled already: fours, trios, pairs, solos as the digits of a
 * number, because a move makes that number smaller.
 */
#include "split/parts.h"

/* A move that is being put together: what is left of the hand, and what of that may still be a kicker. */
typedef struct {
    ddz_splits *splits;
    const row *shape;
    classes open; /* ranks that may give a kicker */
    classes kept; /* ranks that may not, or no longer */
    uint8_t best;
} splitting;

static void finish(splitting *state)
{
    classes left = state->open;
    for (unsigned held = 1; held <= 4; held++)
        left.ranks[held] = (uint8_t)(left.ranks[held] + state->kept.ranks[held]);
    uint8_t more = *alone_at(state->splits, &left);
    if (more != NO_SPLIT && more + 1 < state->best)
        state->best = (uint8_t)(more + 1);
}

static void take_kickers(splitting *state, unsigned number, unsigned held);

/* Takes 1, 2, ... kickers from one rank that holds so many cards. */
static void take_from_rank(splitting *state, unsigned number, unsigned held)
{
    const row *shape = state->shape;
    unsigned most = shape->kicker_rule == DDZ_DISTINCT ? 1 : held / shape->kicker;
    if (state->open.ranks[held] == 0)
        return;
    for (unsigned taken = 1; taken <= most && taken <= number && taken * shape->kicker <= held; taken++) {
        unsigned rest = held - taken * shape->kicker;
        state->open.ranks[held]--;
        state->kept.ranks[rest]++;
        take_kickers(state, number - taken, held);
        state->open.ranks[held]++;
        state->kept.ranks[rest]--;
    }
}

static void take_joker(splitting *state, unsigned number)
{
    if (state->shape->kicker != 1)
        return;
    state->open.pair_of_jokers = 0;
    state->kept.ranks[1]++;
    take_kickers(state, number - 1, 0);
    state->kept.ranks[1]--;
    if (number >= 2)
        take_kickers(state, number - 2, 0);
    state->open.pair_of_jokers = 1;
}

/* Takes so many kickers, from ranks with at most held cards; 0 stands for the jokers. */
static void take_kickers(splitting *state, unsigned number, unsigned held)
{
    if (number == 0) {
        finish(state);
        return;
    }
    for (unsigned from = held; from > 0; from--)
        take_from_rank(state, number, from);
    if (state->open.pair_of_jokers)
        take_joker(state, number);
}

static void play_shape(splitting *state, const classes *hand)
{
    const row *shape = state->shape;
    for (unsigned held = shape->group; held <= 4; held++) {
        unsigned rest = held - shape->group;
        if (hand->ranks[held] == 0)
            continue;
        state->open = *hand;
        state->kept = (classes){0};
        state->open.ranks[held]--;
        classes *with = shape->kicker_rule == DDZ_ANY ? &state->open : &state->kept;
        with->ranks[rest]++;
        take_kickers(state, shape->per_group, 4);
    }
    if (shape->group == 1 && hand->pair_of_jokers) {
        state->open = *hand;
        state->kept = (classes){0};
        state->open.pair_of_jokers = 0;
        state->open.ranks[1]++;
        finish(state);
    }
}

static uint8_t fewest_alone(ddz_splits *splits, const classes *hand)
{
    splitting state = {splits, 0, {{0}, 0}, {{0}, 0}, NO_SPLIT};
    if (hand->pair_of_jokers) {
        state.open = *hand;
        state.open.pair_of_jokers = 0;
        finish(&state);
    }
    for (uint32_t index = 0; index < splits->legal.count; index++) {
        state.shape = &splits->legal.rows[index];
        if (state.shape->max_length == 1 && state.shape->longest)
            play_shape(&state, hand);
    }
    return state.best;
}

/* Fills the entries with so many fours, trios and pairs. */
static void fill_solos(ddz_splits *splits, classes *hand)
{
    unsigned ranks = (unsigned)hand->ranks[4] + hand->ranks[3] + hand->ranks[2];
    unsigned cards = 4u * hand->ranks[4] + 3u * hand->ranks[3] + 2u * hand->ranks[2] + 2u * hand->pair_of_jokers;
    for (unsigned solos = 0; solos + ranks + hand->pair_of_jokers <= MOST_RANKS && solos + cards <= DDZ_SPLIT_CARDS;
         solos++) {
        hand->ranks[1] = (uint8_t)solos;
        *alone_at(splits, hand) = solos + cards ? fewest_alone(splits, hand) : 0;
    }
}

static void fill_alone(ddz_splits *splits)
{
    classes hand = {0};
    for (hand.pair_of_jokers = 0; hand.pair_of_jokers < 2; hand.pair_of_jokers++)
        for (hand.ranks[4] = 0; hand.ranks[4] <= 5; hand.ranks[4]++)
            for (hand.ranks[3] = 0; hand.ranks[3] <= 6; hand.ranks[3]++)
                for (hand.ranks[2] = 0; hand.ranks[2] <= 10; hand.ranks[2]++)
                    fill_solos(splits, &hand);
}

static void find_chains(ddz_splits *splits)
{
    for (uint32_t index = 0; index < splits->legal.count; index++) {
        const row *shape = &splits->legal.rows[index];
        unsigned group = shape->group;
        if (shape->max_length == 1 || shape->longest < shape->min_length)
            continue;
        splits->chain_ranks[group] |= shape->body_ranks;
        for (unsigned length = shape->min_length; length <= shape->longest; length++)
            splits->lengths[group] |= (uint16_t)(1u << length);
        splits->shortest[group] = (uint8_t)__builtin_ctz(splits->lengths[group]);
        splits->longest[group] = (uint8_t)(31 - __builtin_clz(splits->lengths[group]));
        if (shape->per_group > splits->most_kickers[group])
            splits->most_kickers[group] = shape->per_group;
    }
}

/* Checks that what a kicker would be, a solo or a pair, may be state alone. */
static bool has_solos_and_pairs(const grammar *legal)
{
    bool pairs = false;
    bool solos = false;
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        bool bare = shape->max_length == 1 && shape->kicker == 0 && shape->longest == 1;
        solos = solos || (bare && shape->group == 1 && shape->body_ranks == RANK_BITS);
        pairs = pairs || (bare && shape->group == 2 && shape->body_ranks >= ranks_to(DDZ_RANKS - 3));
    }
    return solos && pairs;
}

ddz_status ddz_splits_init(const ddz_rules *rules, ddz_splits *splits)
{
    if (bad_pointer(rules, 8) || bad_pointer(splits, 8))
        return DDZ_BAD_POINTER;
    if (bad_rules(rules) || !has_solos_and_pairs(&rules->legal))
        return DDZ_BAD_RULES;
    *splits = (ddz_splits){0};
    splits->legal = rules->legal;
    find_chains(splits);
    fill_alone(splits);
    splits->magic = SPLITS_MAGIC;
    return DDZ_OK;
}
