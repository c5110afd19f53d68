/* The entry points of the tree search. */
#include "tree/parts.h"

_Static_assert(sizeof(ddz_situation) == 48, "the header says 48 bytes");
_Static_assert(sizeof(ddz_search_options) == 64, "the header says 64 bytes");
_Static_assert(sizeof(ddz_arm) == 24, "the header says 24 bytes");

enum { MOST_EXPLORATION = 1000000, MOST_HALVING_VISITS = 1 << 24, MOST_NOISE = 1000000 };

static bool are_good_options(const ddz_search_options *options)
{
    return options->worlds <= MOST_WORLDS && options->root_margin <= DDZ_ALL_MOVES &&
           options->tree_margin <= DDZ_ALL_MOVES && options->expand_at >= 1 &&
           options->exploration <= MOST_EXPLORATION && options->halving_visits <= MOST_HALVING_VISITS &&
           options->halving_least >= 1 && options->finish <= 1 && options->long_solos <= DDZ_ALL_MOVES &&
           options->quick <= 1 && options->noise <= MOST_NOISE &&
           options->long_list <= DDZ_MOST_MOVES && options->pruning <= DDZ_MINI_SPLIT;
}

/* Checks that a table of worlds speaks of these hidden hands. */
static bool fits(const ddz_worlds *worlds, const ddz_situation *seen)
{
    unsigned first = (seen->seat + 1u) % DDZ_SEATS;
    return worlds->unseen == seen->unseen && worlds_first_cards(worlds) == seen->cards_left[first];
}

static void set_up(ddz_search *search, uint32_t nodes, const ddz_situation *situation,
                   const ddz_search_options *options)
{
    search->magic = 0;
    search->situation = *situation;
    search->options = *options;
    search->capacity = nodes;
    search->simulations = 0;
    search->branches = search->in_turn = search->head_visits = 0;
    search->root = (position){{0, 0, 0}, pass_move(), situation->seat, situation->passes, DDZ_NOBODY};
    search->root.hands[situation->seat] = situation->hand;
    for (unsigned slot = 0; slot < 1u << FEWEST_BITS; slot++)
        search->fewest[slot] = 0;
    curves_fill(&search->curve);
    ddz_random_seed(&search->random, options->seed);
}

ddz_status ddz_search_layout(uint32_t *sizes, uint32_t count)
{
    const uint32_t known[] = {sizeof(ddz_situation), sizeof(ddz_search_options), sizeof(ddz_arm),
                              sizeof(ddz_search),    sizeof(node),               certain_size()};
    return tell_sizes(known, sizeof(known) / sizeof(known[0]), sizes, count);
}

ddz_status ddz_search_init(ddz_search *search, uint32_t nodes, const ddz_rules *rules, const ddz_splits *splits,
                           const ddz_worlds *worlds, const ddz_situation *situation,
                           const ddz_search_options *options)
{
    if (bad_pointer(search, 8))
        return DDZ_BAD_POINTER;
    if (bad_pointer(options, 8) || ((uintptr_t)worlds & 7))
        return DDZ_BAD_POINTER;
    ddz_move table;
    ddz_status status = situation_read(rules, splits, situation, &table);
    if (status != DDZ_OK)
        return status;
    if (worlds && !fits(worlds, situation))
        return DDZ_BAD_GAME;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    if (nodes == 0)
        return DDZ_SHORT_BUFFER;
    set_up(search, nodes, situation, options);
    search->rules = rules;
    search->splits = splits;
    search->table = worlds;
    search->root.to_beat = table;
    if (options->quick && !planner_set_up(&search->plans, rules, splits, situation))
        return DDZ_BAD_RULES;
    worlds_prepare(search);
    status = tree_open_root(search);
    search->magic = status == DDZ_OK ? SEARCH_MAGIC : 0;
    return status;
}

ddz_status ddz_search_run(ddz_search *search, uint32_t simulations)
{
    ddz_status status = search_check(search);
    if (status != DDZ_OK)
        return status;
    if (simulations > UINT32_MAX - 1 - search->head_visits - search->simulations)
        return DDZ_BAD_INDEX;
    for (uint32_t run = 0; run < simulations; run++)
        tree_simulate(search);
    return DDZ_OK;
}

ddz_status ddz_search_arms(const ddz_search *search, ddz_arm *arms, uint32_t capacity, uint32_t *counts)
{
    ddz_status status = search_check(search);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(arms, 8) || bad_pointer(counts, 4))
        return DDZ_BAD_POINTER;
    counts[0] = 0;
    for (uint32_t at = search->nodes[0].child; at; at = search->nodes[at].next) {
        if (counts[0] == capacity)
            return DDZ_SHORT_BUFFER;
        const node *child = &search->nodes[at];
        arms[counts[0]++] = (ddz_arm){child->move, child->visits, child->wins};
    }
    counts[1] = search->simulations;
    counts[2] = search->used;
    return DDZ_OK;
}

ddz_status ddz_search_watch(ddz_search *search, uint64_t *hands, ddz_move *moves, uint32_t capacity, uint32_t *count)
{
    ddz_status status = search_check(search);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(hands, 8) || bad_pointer(moves, 8) || bad_pointer(count, 4))
        return DDZ_BAD_POINTER;
    position at = search->root;
    worlds_take(search, &at);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        hands[seat] = at.hands[seat];
    for (*count = 0; at.winner == DDZ_NOBODY; position_play(&at, &moves[(*count)++])) {
        if (*count == capacity)
            return DDZ_SHORT_BUFFER;
        moves[*count] = position_move(search, &at);
    }
    return DDZ_OK;
}
