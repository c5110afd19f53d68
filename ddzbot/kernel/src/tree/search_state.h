/* The memory of a search. Internal. */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "include/ddz_search.h"
#include "split/fewest.h"
#include "tree/planner.h"
#include "tree/position.h"
#include "tree/search_curve.h"
#include "worlds/worlds.h"

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

#endif
