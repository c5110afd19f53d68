/*
 * One simulation of a search: down the tree, on to the end at random, and back.
 *
 * Where the mover's hand is known (the searching seat's own, and every hand when there is but one world) a node gets
 * all its children at once. At the other nodes legal moves differ from world to world: each visit draws a move as a
 * random player would, which becomes a child if it is none yet, and otherwise the legal children compete. A child is
 * charged only for the simulations in which it was available (P. Cowling, E. Powley, D. Whitehouse, "Information Set
 * Monte Carlo Tree Search", IEEE T-CIAIG 2012).
 *
 * With quick players the move that they draw is also the one that is made, so that only the searching seat learns from
 * the simulations. Otherwise the others would learn against hidden cards that they cannot know.
 */
#include "tree/parts.h"

enum { DEEPEST = 400 }; /* a game has at most 54 moves with two passes behind each */

static uint32_t add_child(ddz_search *search, uint32_t parent, const ddz_move *move)
{
    if (search->used == search->capacity)
        return 0;
    uint32_t added = search->used++;
    search->nodes[added] = (node){.move = *move};
    if (search->nodes[parent].child)
        search->nodes[search->nodes[parent].last].next = added;
    else
        search->nodes[parent].child = added;
    search->nodes[parent].last = added;
    return added;
}

/* Lists the candidates of the seat to move, and counts them; 0 if there is no room. */
static uint32_t list_candidates(ddz_search *search, const position *at, uint32_t margin)
{
    int32_t kind = at->to_beat.kind == DDZ_PASS ? -1 : at->to_beat.kind;
    uint64_t hand = at->hands[at->seat];
    uint32_t count, first_readings;
    if (ddz_moves(search->rules, hand, at->to_beat.cards, kind, search->listed, DDZ_MOST_MOVES, &count,
                  &first_readings) != DDZ_OK)
        return 0;
    return candidates_keep(search, hand, margin, search->listed, count);
}

/* Gives a node whose hand is known its children: the candidates, or going out alone. False if there is no room. */
static bool add_candidates(ddz_search *search, uint32_t parent, const position *at, uint32_t margin)
{
    menu legal;
    ddz_move out;
    uint32_t count = 1;
    position_menu(search->rules, at, &legal);
    if (menu_find(search->rules, &legal, at->hands[at->seat], &out))
        search->listed[0] = out;
    else if ((count = list_candidates(search, at, margin)) == 0)
        return false;
    if (count > search->capacity - search->used)
        return false;
    for (uint32_t index = 0; index < count; index++)
        add_child(search, parent, &search->listed[index]);
    return true;
}

/* UCT's value of a child, but for a constant; explored is C sqrt(2 ln N). */
static inline double value_of(const ddz_search *search, const node *child, double scale, double explored)
{
    return 2.0 * scale * child->wins / child->visits +
           explored * search->curve.inverse_of_root[curve_point(child->visits)];
}

static inline double exploration_after(const ddz_search *search, uint32_t visits)
{
    if (visits == 0)
        return 0.0;
    return search->options.exploration / 1000.0 * search->curve.root_of_log[curve_point(visits)];
}

/* A game pays the landlord 2 points, and a peasant 1. */
static inline double points_of(unsigned seat) { return seat == 0 ? 2.0 : 1.0; }

static uint32_t best_child(const ddz_search *search, uint32_t parent, unsigned seat)
{
    const node *nodes = search->nodes;
    double explored = exploration_after(search, nodes[parent].visits), scale = points_of(seat), best = -1.0;
    uint32_t chosen = nodes[parent].child;
    for (uint32_t at = nodes[parent].child; at; at = nodes[at].next) {
        if (parent == 0 && nodes[at].given_up)
            continue;
        if (nodes[at].visits == 0)
            return at;
        double value = value_of(search, &nodes[at], scale, explored);
        if (value > best) {
            best = value;
            chosen = at;
        }
    }
    return chosen;
}

/* Gives up the half of the root's field with the lowest means; the middle one of an odd number stays. */
static void halve_field(ddz_search *search)
{
    node *nodes = search->nodes;
    uint32_t kept = (search->field + 1) / 2;
    for (; search->field > kept; search->field--) {
        uint32_t worst = 0;
        for (uint32_t at = nodes[0].child; at; at = nodes[at].next) {
            if (nodes[at].given_up)
                continue;
            if (worst == 0 || (uint64_t)nodes[at].wins * nodes[worst].visits <=
                                  (uint64_t)nodes[worst].wins * nodes[at].visits)
                worst = at;
        }
        nodes[worst].given_up = 1;
    }
    search->field_target += search->options.halving_visits;
}

/* The branch for the next simulation: in turn at first, then by UCT. Branches are the nodes from 1 on. */
static uint32_t next_branch(const ddz_search *search)
{
    double explored = exploration_after(search, search->nodes[0].visits + search->head_visits), best = -1.0;
    uint32_t chosen = 1;
    if (search->simulations < search->in_turn)
        return 1 + search->simulations % search->branches;
    for (uint32_t at = 1; at <= search->branches; at++) {
        node both = search->nodes[at];
        both.visits += search->heads[at - 1].visits;
        both.wins += search->heads[at - 1].wins;
        if (both.visits == 0)
            return at;
        double value = value_of(search, &both, points_of(search->root.seat), explored);
        if (value > best) {
            best = value;
            chosen = at;
        }
    }
    return chosen;
}

/* The root's move for the next simulation: in turn until the field is small enough, then by UCT. */
static uint32_t root_child(ddz_search *search)
{
    const node *nodes = search->nodes;
    if (search->branches)
        return next_branch(search);
    while (search->options.halving_visits && search->field > search->options.halving_least) {
        uint32_t least = 0;
        for (uint32_t at = nodes[0].child; at; at = nodes[at].next)
            if (nodes[at].given_up == 0 && (least == 0 || nodes[at].visits < nodes[least].visits))
                least = at;
        if (nodes[least].visits < search->field_target)
            return least;
        halve_field(search);
    }
    return best_child(search, 0, search->root.seat);
}

static bool is_listed(const ddz_search *search, uint32_t count, const ddz_move *move)
{
    for (uint32_t index = 0; index < count; index++)
        if (search->listed[index].cards == move->cards)
            return true;
    return false;
}

/* Whether a move that was drawn may become a child. */
static bool is_candidate(ddz_search *search, const position *at, const ddz_move *move)
{
    uint64_t hand = at->hands[at->seat];
    uint32_t margin = search->options.tree_margin;
    if (search->options.pruning == DDZ_MINI_SPLIT)
        return is_listed(search, list_candidates(search, at, margin), move);
    if (move->kind == DDZ_PASS || margin >= DDZ_ALL_MOVES)
        return true;
    return 1 + fewest_known(search, hand - move->cards) <=
           fewest_known(search, hand) + margin;
}

/* Draws a move for the seat to move; true if it plays the whole hand. */
static bool draw(ddz_search *search, const position *at, ddz_move *drawn)
{
    uint64_t hand = at->hands[at->seat];
    menu legal;
    if (search->options.quick) {
        *drawn = quick_move(search, at);
        return drawn->cards == hand;
    }
    position_menu(search->rules, at, &legal);
    if (menu_find(search->rules, &legal, hand, drawn))
        return true;
    *drawn = position_draw(search, &legal);
    return false;
}

/* The child for the world at hand: a new one, or the best of those that are legal; 0 to continue without the tree. */
static uint32_t child_in_world(ddz_search *search, uint32_t parent, const position *at)
{
    node *nodes = search->nodes;
    uint64_t hand = at->hands[at->seat];
    double scale = points_of(at->seat), best = -1.0;
    uint32_t chosen = 0, met = 0;
    ddz_move drawn;
    bool out = draw(search, at, &drawn);
    bool follows = out || search->options.quick;
    for (uint32_t index = nodes[parent].child; index; index = nodes[index].next) {
        node *child = &nodes[index];
        if (child->move.cards == drawn.cards)
            met = index;
        if (!holds(hand, child->move.cards))
            continue;
        child->available++;
        double value = value_of(search, child, scale, exploration_after(search, child->available));
        if (value > best) {
            best = value;
            chosen = index;
        }
    }
    if (met == 0 && (follows || chosen == 0 || is_candidate(search, at, &drawn)))
        met = add_child(search, parent, &drawn);
    else if (!follows)
        met = chosen;
    if (met == 0)
        return search->options.quick ? 0 : chosen;
    nodes[met].available += nodes[met].visits == 0;
    return met;
}

/* The next node on the way down; 0 where the tree ends. */
static uint32_t next_node(ddz_search *search, uint32_t here, const position *at)
{
    const node *own = &search->nodes[here];
    if (here == 0)
        return root_child(search);
    if (own->visits < search->options.expand_at)
        return 0;
    if (search->options.worlds != 1 && at->seat != search->root.seat)
        return child_in_world(search, here, at);
    if (own->child == 0 && !add_candidates(search, here, at, search->options.tree_margin))
        return 0;
    return best_child(search, here, at->seat);
}

ddz_status tree_open_root(ddz_search *search)
{
    search->used = 1;
    search->nodes[0] = (node){.move = pass_move()};
    if (!add_candidates(search, 0, &search->root, search->options.root_margin))
        return DDZ_SHORT_BUFFER;
    search->field = search->used - 1;
    search->field_target = search->options.halving_visits;
    return DDZ_OK;
}

void tree_open_branches(ddz_search *search, const ddz_move *moves, uint32_t count)
{
    search->used = 1;
    search->nodes[0] = (node){.move = pass_move()};
    for (uint32_t index = 0; index < count; index++)
        add_child(search, 0, &moves[index]);
}

void tree_simulate(ddz_search *search)
{
    uint32_t path[DEEPEST];
    uint8_t movers[DEEPEST];
    unsigned depth = 0;
    uint32_t here = 0;
    position at = search->root;
    worlds_take(search, &at);
    while (at.winner == DDZ_NOBODY && depth < DEEPEST && (here = next_node(search, here, &at)) != 0) {
        bool fresh = search->nodes[here].visits == 0;
        path[depth] = here;
        movers[depth++] = at.seat;
        position_play(&at, &search->nodes[here].move);
        if (fresh)
            break;
    }
    position_play_out(search, &at);
    search->nodes[0].visits++;
    for (unsigned step = 0; step < depth; step++) {
        node *passed = &search->nodes[path[step]];
        passed->visits++;
        passed->wins += same_side(movers[step], at.winner);
    }
    search->simulations++;
}
