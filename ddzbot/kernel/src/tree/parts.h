/* The tree search, and proofs that a side wins. Internal. */
#ifndef TREE_PARTS_H
#define TREE_PARTS_H

#include "base/parts.h"
#include "include/ddz_search.h"
#include "rules/parts.h"
#include "split/parts.h"
#include "worlds/parts.h"

/* ---- Positions --------------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t hands[DDZ_SEATS];
    ddz_move to_beat;
    uint8_t seat;
    uint8_t passes;
    uint8_t winner;
} position;

/* Checks that two seats win together. */
static inline bool same_side(unsigned one, unsigned other) { return (one == 0) == (other == 0); }

/* Gets what is legal in a position. */
static inline void position_menu(const ddz_rules *rules, const position *at, menu *legal)
{
    menu_open(rules, at->hands[at->seat], &at->to_beat, legal);
    menu_settle(rules, legal);
}

/* Plays a legal move. */
static inline void position_play(position *at, const ddz_move *move)
{
    unsigned seat = at->seat;
    trick_play(&at->to_beat, &at->passes, move);
    at->hands[seat] -= move->cards;
    if (at->hands[seat] == 0)
        at->winner = (uint8_t)seat;
    at->seat = (uint8_t)(seat == DDZ_SEATS - 1 ? 0 : seat + 1);
}

/* Checks a situation that a caller gave, and reads the cards on its table as a move. */
ddz_status situation_read(const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *situation,
                          ddz_move *table);

/* ---- Divisions of hands by price --------------------------------------------------------------------------------- */

enum {
    MOST_PARTS = 16, /* one for each rank, or for a chain, which leaves five cards fewer for the others */
    PLAN_BITS = 12,
    PLAN_SLOTS = 1 << PLAN_BITS
};

/*
 * What groups cost a seat, in turns: 2 when they always lose the lead, 0 when they always win it back. By the cards of
 * each rank, 1 to 3; then by the number of ranks, 1 without a chain; then by the lowest rank.
 */
typedef struct {
    double of[4][DDZ_MAX_LENGTH + 1][DDZ_RANKS];
} prices;

/* One move of a division. */
typedef struct {
    ddz_move move;
    double price;
} part;

/* The cheapest division of a seat's hand. */
typedef struct {
    uint64_t key; /* the hand, and above it the seat + 1; 0 for an empty slot */
    double price;
    uint32_t count;
    part parts[MOST_PARTS];
} plan;

/* All that plans depend on, and the plans that were made. */
typedef struct {
    const ddz_rules *rules;
    const ddz_splits *splits;
    const row *rows[5][3][DDZ_MAX_LENGTH + 1]; /* the row of so many cards a rank, cards a kicker, and ranks, or null */
    prices by_seat[DDZ_SEATS];
    plan slots[PLAN_SLOTS];
} planner;

/* How many of a move's cards are of each rank of its body. */
static inline unsigned group_of(const ddz_move *move) { return (unsigned)(move->cards >> 4 * move->rank & 15); }

static inline bool is_blast(const ddz_move *move) { return move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET; }

/* Gets the cheapest division of a hand; it stays where it is until the next one is made. */
const plan *plan_of(planner *plans, uint64_t hand, unsigned seat);

/* Prepares the prices of a situation; false if the rules have no trio or no bomb. */
bool planner_set_up(planner *plans, const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *seen);

/*
 * How many answers to a group or chain some hands may be expected to hold: so many hands, which together have that
 * share of the others' cards.
 */
double threat_to(uint64_t others, unsigned hands, double share, unsigned group, unsigned length, unsigned rank);

/* ---- The two functions of UCT as tables -------------------------------------------------------------------------- */

enum { MANTISSA_BITS = 6, CURVE_POINTS = 32 << MANTISSA_BITS };

/* Functions of a whole number from 1 on, at steps of 2^-MANTISSA_BITS of itself. */
typedef struct {
    double root_of_log[CURVE_POINTS];      /* sqrt(2 ln n) */
    double inverse_of_root[CURVE_POINTS];  /* 1 / sqrt(n) */
} curves;

/* The number of the curve point for n, which is at least 1. */
static inline unsigned curve_point(uint32_t n)
{
    unsigned exponent = 31u - (unsigned)__builtin_clz(n);
    uint32_t mantissa = exponent > MANTISSA_BITS ? n >> (exponent - MANTISSA_BITS) : n << (MANTISSA_BITS - exponent);
    return (exponent << MANTISSA_BITS) + (mantissa - (1u << MANTISSA_BITS));
}

void curves_fill(curves *curve);

/* ---- The memory of a search -------------------------------------------------------------------------------------- */

#define SEARCH_MAGIC 0x6863726165535A44ULL

enum {
    MOST_WORLDS = 256,
    FEWEST_BITS = 14
};

/* A move of the tree and what follows it. Nodes name each other by index; 0 is the root, and as a link nothing. */
typedef struct {
    ddz_move move;
    uint32_t visits;
    uint32_t wins;      /* of the side that made the move */
    union {
        uint32_t available; /* simulations in which the move could be chosen */
        uint32_t given_up;  /* of a move of the root: 1 when it is */
    };
    uint32_t child;     /* the first one */
    uint32_t last;      /* the last one */
    uint32_t next;      /* sibling */
} node;

/* What a branch has before the search. */
typedef struct {
    uint32_t visits;
    uint32_t wins;
} head_start;

struct ddz_search {
    uint64_t magic;
    const ddz_rules *rules;
    const ddz_splits *splits;
    const ddz_worlds *table;
    ddz_situation situation;
    ddz_search_options options;
    ddz_random random;
    position root;
    curves curve;
    fewest_slot fewest[1 << FEWEST_BITS];
    planner plans;
    uint64_t world_hands[MOST_WORLDS]; /* of the first hidden seat */
    uint8_t hidden_ranks[DECK_SIZE];  /* the unseen cards whose holder is not certain, in any order */
    uint32_t hidden_count;
    uint32_t hidden_taken; /* how many of them the first hidden seat gets */
    uint64_t hidden_certain[2];
    uint32_t simulations;
    uint32_t used;
    uint32_t capacity;
    uint32_t field;        /* moves of the root that are still tried; the others were given up */
    uint32_t field_target; /* visits at which the field is halved */
    uint32_t branches;     /* 0: the candidates compete */
    uint32_t in_turn;      /* simulations of the branches before UCT chooses among them */
    uint32_t head_visits;  /* of all branches */
    head_start heads[DDZ_MOST_BRANCHES];
    ddz_move listed[DDZ_MOST_MOVES];
    node nodes[];
};

/* Checks that this is a search that was set up. */
static inline ddz_status search_check(const ddz_search *search)
{
    if (bad_pointer(search, 8))
        return DDZ_BAD_POINTER;
    return search->magic == SEARCH_MAGIC ? DDZ_OK : DDZ_BAD_GAME;
}

static inline uint32_t fewest_known(ddz_search *search, uint64_t hand)
{
    return fewest_remembered(search->splits, search->fewest, FEWEST_BITS, hand);
}

/* ---- Worlds ------------------------------------------------------------------------------------------------------ */

/* Prepares the dealing of hidden hands; takes the world of the next simulation. */
void worlds_prepare(ddz_search *search);
void worlds_take(ddz_search *search, position *at);

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

/* Keeps and counts the candidates among the legal moves of a hand; those of DDZ_MINI_SPLIT. */
uint32_t candidates_keep(ddz_search *search, uint64_t hand, uint32_t margin, ddz_move *moves, uint32_t count);
uint32_t mini_keep(const ddz_rules *rules, uint64_t hand, ddz_move *moves, uint32_t count);

/* ---- Playouts ---------------------------------------------------------------------------------------------------- */

/* Gets the move that a quick player makes. */
ddz_move quick_move(ddz_search *search, const position *at);

/* A random legal move; and what is played beyond the tree: one move, and all to the end. */
ddz_move position_draw(ddz_search *search, const menu *legal);
ddz_move position_move(ddz_search *search, const position *at);
void position_play_out(ddz_search *search, position *at);

/* ---- The tree ---------------------------------------------------------------------------------------------------- */

/* Gives the root its children; gives it these moves in their place, with no head start yet; runs one simulation. */
ddz_status tree_open_root(ddz_search *search);
void tree_open_branches(ddz_search *search, const ddz_move *moves, uint32_t count);
void tree_simulate(ddz_search *search);

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */

/* Gets the size of a ddz_certain. */
uint32_t certain_size(void);

#endif
