/* What the files of the tree search share. Internal. */
#ifndef SEARCH_H
#define SEARCH_H

#include "include/ddz_search.h"
#include "rules/rules.h"
#include "split/fewest.h"
#include "tree/search_plan.h"
#include "worlds/worlds.h"

#define SEARCH_MAGIC 0x6863726165535A44ULL

enum {
    DEEPEST = 400,  /* a game has at most 54 moves with two passes behind each */
    MOST_WORLDS = 256,
    ALWAYS = 256,   /* as a share of 256 */
    MANTISSA_BITS = 6,
    CURVE_POINTS = 32 << MANTISSA_BITS,
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

/* A game as far as it matters who goes out. */
typedef struct {
    uint64_t hands[DDZ_SEATS];
    ddz_move to_beat;
    uint8_t seat;
    uint8_t passes;
    uint8_t winner;
} position;

/* What a branch has before the search. */
typedef struct {
    uint32_t visits;
    uint32_t wins;
} head_start;

/* Functions of a whole number from 1 on, at steps of 2^-MANTISSA_BITS of itself. */
typedef struct {
    double root_of_log[CURVE_POINTS];      /* sqrt(2 ln n) */
    double inverse_of_root[CURVE_POINTS];  /* 1 / sqrt(n) */
} curves;

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
    uint8_t hidden_ranks[DECK_SIZE];  /* the unseen cards that nobody surely holds, in any order */
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

/* The number of the curve point for n, which is at least 1. */
static inline unsigned curve_point(uint32_t n)
{
    unsigned exponent = 31u - (unsigned)__builtin_clz(n);
    uint32_t mantissa = exponent > MANTISSA_BITS ? n >> (exponent - MANTISSA_BITS) : n << (MANTISSA_BITS - exponent);
    return (exponent << MANTISSA_BITS) + (mantissa - (1u << MANTISSA_BITS));
}

/* search.c: checks a situation, and reads the cards on its table as a move. */
ddz_status situation_read(const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *situation,
                          ddz_move *table);

/* search.c: checks that this is a search that was set up. */
ddz_status search_check(const ddz_search *search);

/* search_certain.c: the size of its memory. */
uint32_t certain_size(void);

/* search_curve.c */
void curves_fill(curves *curve);

/* search_world.c: prepares the dealing; takes the world of the next simulation. */
void worlds_prepare(ddz_search *search);
void worlds_take(ddz_search *search, position *at);

/* search_play.c: what is legal; laying a move; a random legal one; how play goes on without the tree, to the end. */
void position_menu(const ddz_rules *rules, const position *at, menu *legal);
void position_lay(position *at, const ddz_move *move);
ddz_move position_draw(ddz_search *search, const menu *legal);
ddz_move position_move(ddz_search *search, const position *at);
void position_play_out(ddz_search *search, position *at);

/* search_quick.c: what a quick player does. */
ddz_move quick_move(ddz_search *search, const position *at);

/* candidates.c: keeps and counts the candidates among moves. */
uint32_t candidates_keep(ddz_search *search, uint64_t hand, uint32_t margin, ddz_move *moves, uint32_t count);

/* mini_split.c: keeps and counts those of all legal moves of a hand that DDZ_MINI_SPLIT looks at. */
uint32_t mini_keep(const ddz_rules *rules, uint64_t hand, ddz_move *moves, uint32_t count);

/* search_tree.c: one simulation; the children of the root, and these moves in their place, with no head start yet. */
ddz_status tree_open_root(ddz_search *search);
void tree_open_branches(ddz_search *search, const ddz_move *moves, uint32_t count);
void tree_simulate(ddz_search *search);

static inline uint32_t fewest_known(ddz_search *search, uint64_t hand)
{
    return fewest_remembered(search->splits, search->fewest, FEWEST_BITS, hand);
}

/* Checks that two seats win together. */
static inline bool same_side(unsigned one, unsigned other) { return (one == 0) == (other == 0); }

#endif
