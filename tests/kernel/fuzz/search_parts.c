/* Worlds, the solver, tree search and proofs. */
#include "input.h"

uint32_t worlds_size(void)
{
    uint32_t size;
    MUST(ddz_worlds_layout(&size, 1) == DDZ_OK);
    return size;
}

bool any_worlds(input *in, const position *where, ddz_worlds *worlds)
{
    uint32_t weights[DDZ_COUNTS * DDZ_RANKS];
    uint32_t next = (where->game.seat + 1u) % DDZ_SEATS;
    uint64_t unseen = where->unseen;
    uint32_t first = size_of_cards(where->game.hands[next]);
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        for (unsigned held = 0; held < DDZ_COUNTS; held++)
            weights[DDZ_COUNTS * rank + held] = held <= (unseen >> 4 * rank & 15) ? 1 + (uint32_t)take(in, 1) % 16 : 0;
    spoil(in, weights, sizeof(weights), 0, 0);
    spoil(in, &unseen, sizeof(unseen), 0, 0);
    return ddz_worlds_init(worlds, unseen, option(in, first), weights) == DDZ_OK;
}

/* All worlds deal out the same cards, and as many to each. */
static void check_worlds(const uint64_t *hands, unsigned count)
{
    for (unsigned world = 1; world < count; world++)
        MUST(hands[2 * world] + hands[2 * world + 1] == hands[0] + hands[1] &&
             size_of_cards(hands[2 * world]) == size_of_cards(hands[0]));
}

void fuzz_worlds(input *in)
{
    enum { PARTS = 3, DRAWN = 5 };
    position where = any_position(in, any_rules(in));
    uint32_t size = worlds_size(), good = 0;
    ddz_worlds *parts = room(PARTS * (size_t)size), *mixture = room(size);
    uint64_t shares[PARTS], *hands = room(2 * DRAWN * sizeof(uint64_t));
    ddz_random random;
    memset(parts, 0, PARTS * (size_t)size);
    memset(mixture, 0, size);
    ddz_random_seed(&random, take(in, 2));
    for (unsigned part = 0; part < PARTS; part++) {
        ddz_worlds *table = (ddz_worlds *)(void *)((char *)parts + part * (size_t)size);
        shares[part] = take(in, 1) % 8 ? take(in, 1) : take(in, 8);
        good += any_worlds(in, &where, table);
        if (ddz_worlds_draw(table, &random, hands, DRAWN) == DDZ_OK)
            check_worlds(hands, DRAWN);
    }
    ddz_status status = ddz_worlds_mix(mixture, parts, shares, option(in, 1 + below(in, PARTS)) % (PARTS + 1));
    if (status == DDZ_OK) {
        MUST(good && ddz_worlds_draw(mixture, &random, hands, DRAWN) == DDZ_OK);
        check_worlds(hands, DRAWN);
    }
    free(hands);
    free(mixture);
    free(parts);
}

void fuzz_solver(input *in)
{
    uint32_t sizes[3], winner = 0;
    position where = any_position(in, any_rules(in));
    const rule_set *set = where.set;
    MUST(ddz_solver_layout(sizes, 3) == DDZ_OK);
    uint32_t count = option(in, 64) % 1025;
    ddz_solver *solver = room(sizes[1]);
    void *entries = calloc(count + 1u, sizes[2]);
    ddz_endgame endgame = {{0, 0, 0}, where.game.to_beat.cards,
                           where.game.to_beat.kind == DDZ_PASS ? -1 : where.game.to_beat.kind, 3, where.game.seat, 0, 0};
    ddz_endgame_key key;
    MUST(entries);
    if (endgame.table_cards)
        endgame.table_seat = (uint8_t)((where.game.seat + 2u - where.game.passes) % DDZ_SEATS);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        endgame.hands[seat] = where.game.hands[seat];
    if (take(in, 1) % 4 == 0) {
        endgame.seats = 2;
        endgame.hands[2] = 0;
        endgame.seat %= 2;
        endgame.table_seat = (uint8_t)(endgame.table_cards ? 1 - endgame.seat : 0);
    }
    spoil(in, &endgame, sizeof(endgame), 0, 0);
    uint32_t options = option(in, below(in, 4));
    if (ddz_solver_init(solver, set->rules, take(in, 1) % 4 ? set->splits : 0, options, entries, count) == DDZ_OK &&
        ddz_solver_begin(solver, &endgame) == DDZ_OK) {
        ddz_solver_key(solver, &endgame, &key);
        for (unsigned portion = 0; portion < 3; portion++) {
            uint64_t nodes = below(in, 400), asked = nodes;
            if (ddz_solver_run(solver, &nodes, &winner) != DDZ_OK)
                break;
            /* The first portion tells of the position itself too, which is looked at before. */
            MUST((nodes <= asked || (portion == 0 && nodes == 1)) && (winner == DDZ_NOBODY || winner <= DDZ_PEASANTS));
            if (winner != DDZ_NOBODY)
                break;
        }
    }
    free(entries);
    free(solver);
}

static ddz_search_options any_options(input *in)
{
    return (ddz_search_options){.seed = take(in, 4),
                                .worlds = option(in, below(in, 8)),
                                .root_margin = option(in, 1),
                                .tree_margin = option(in, 2),
                                .expand_at = option(in, 1 + below(in, 3)),
                                .exploration = option(in, 1400),
                                .halving_visits = option(in, below(in, 6)),
                                .halving_least = option(in, 1 + below(in, 3)),
                                .finish = option(in, below(in, 2)),
                                .long_solos = option(in, 6),
                                .quick = option(in, below(in, 2)),
                                .noise = option(in, 300),
                                .long_list = option(in, 40),
                                .pruning = option(in, below(in, 2))};
}

static void search_on(input *in, ddz_search *search, const ddz_situation *known)
{
    enum { MOST = 512 };
    uint32_t capacity = below(in, MOST), counts[3], count;
    ddz_arm *arms = room(MOST * sizeof(ddz_arm));
    ddz_move *moves = room(capacity * sizeof(ddz_move));
    uint64_t hands[DDZ_SEATS];
    if (take(in, 1) % 3 == 0 && ddz_search_arms(search, arms, MOST, counts) == DDZ_OK) {
        uint32_t branches = option(in, counts[0]);
        for (uint32_t index = 0; index < counts[0]; index++) {
            arms[index].visits = option(in, below(in, 20));
            arms[index].wins = option(in, 0);
        }
        ddz_search_branches(search, arms, branches > MOST ? MOST : branches, option(in, below(in, 10)));
    }
    for (unsigned portion = 0; portion < 2; portion++) {
        if (ddz_search_run(search, below(in, 24)) != DDZ_OK)
            break;
        if (ddz_search_arms(search, arms, MOST, counts) == DDZ_OK)
            for (uint32_t index = 0; index < counts[0]; index++)
                MUST(arms[index].wins <= arms[index].visits);
        if (ddz_search_watch(search, hands, moves, capacity, &count) == DDZ_OK)
            MUST(hands[known->seat] == known->hand && count <= capacity);
    }
    free(moves);
    free(arms);
}

void fuzz_search(input *in)
{
    uint32_t sizes[6], nodes = option(in, 600) % 3000;
    position where = any_position(in, any_rules(in));
    ddz_situation known = situation_of(&where);
    ddz_search_options options = any_options(in);
    MUST(ddz_search_layout(sizes, 6) == DDZ_OK);
    ddz_worlds *worlds = room(worlds_size());
    ddz_search *search = room(sizes[3] + (size_t)nodes * sizes[4]);
    bool drawn = take(in, 1) % 2 && any_worlds(in, &where, worlds);
    spoil(in, &known, sizeof(known), 0, 0);
    if (ddz_search_init(search, nodes, where.set->rules, where.set->splits, drawn ? worlds : 0, &known, &options) ==
        DDZ_OK)
        search_on(in, search, &known);
    free(search);
    free(worlds);
}

void fuzz_certain(input *in)
{
    uint32_t sizes[6], found = 9;
    position where = any_position(in, any_rules(in));
    ddz_situation known = situation_of(&where);
    uint64_t nodes = below(in, 500), asked = nodes;
    ddz_move move;
    MUST(ddz_search_layout(sizes, 6) == DDZ_OK);
    ddz_certain *proof = room(sizes[5]);
    spoil(in, &known, sizeof(known), 0, 0);
    if (ddz_certain_win(proof, where.set->rules, where.set->splits, &known, &nodes, &move, &found) == DDZ_OK)
        MUST(found <= 1 && nodes <= asked);
    free(proof);
}
