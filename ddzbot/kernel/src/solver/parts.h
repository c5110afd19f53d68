/* The endgame solver. Internal. */
#ifndef SOLVER_PARTS_H
#define SOLVER_PARTS_H

#include "include/ddz_solver.h"
#include "rules/parts.h"
#include "split/parts.h"

/* ---- The memory of the solver ------------------------------------------------------------------------------------ */

#define SOLVER_MAGIC 0x7265766C6F53ULL

enum {
    MOST_FRAMES = DDZ_SEATS * DECK_SIZE, /* between two moves that play cards no seat decides twice */
    CANDIDATE_BITS = 17,
    MOST_CANDIDATES = 1 << CANDIDATE_BITS,
    FEWEST_BITS = 14,
    CARD_BITS = 57 /* of a hand, up to the big joker; those above are free */
};

/* A position; table.kind is DDZ_PASS on a lead. */
typedef struct {
    uint64_t hands[DDZ_SEATS];
    ddz_move table;
    uint8_t seats;
    uint8_t seat;
    uint8_t table_seat;
} position;

/* A legal move; a smaller order is tried earlier. 16 bytes. */
typedef struct {
    uint64_t cards;
    uint8_t kind;
    int8_t rank;
    uint8_t length;
    uint8_t size;
    uint32_t order;
} candidate;

/* A position that is being searched, and its moves among the candidates. */
typedef struct {
    position at;
    ddz_endgame_key key;
    uint64_t nodes; /* when the search came here */
    uint32_t first;
    uint32_t next;
    uint32_t end;
} frame;

struct ddz_solver {
    uint64_t magic;
    const ddz_rules *rules;
    const ddz_splits *splits;
    ddz_endgame_key *entries;
    uint64_t entry_mask;
    uint64_t chain_ranks; /* rank bits that chains may hold */
    uint64_t nodes;
    uint64_t reported;   /* nodes that ddz_solver_run has reported */
    uint32_t depth;      /* frames in use */
    uint8_t shortest[5]; /* by group: the shortest chain, 0 where there is none */
    uint8_t rocket;      /* 1: it may be played */
    uint8_t folds;       /* 1: the names of ranks are folded */
    uint8_t winner;
    fewest_slot fewest[1 << FEWEST_BITS];
    frame frames[MOST_FRAMES];
    candidate candidates[MOST_CANDIDATES];
};

static inline uint8_t next_seat(const position *at) { return at->seat + 1 < at->seats ? at->seat + 1 : 0; }

static inline uint8_t side_of(uint8_t seat) { return seat == 0 ? DDZ_LANDLORD : DDZ_PEASANTS; }

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* All words are 0 for a position without a key. legal is what the seat may do. */
void key_make(const ddz_solver *solver, const position *at, const menu *legal, ddz_endgame_key *key);
/* The winner that the entries have for a key, or DDZ_NOBODY. */
uint8_t key_find(const ddz_solver *solver, const ddz_endgame_key *key);
/* Keeps a winner, and that it took so many nodes to find. */
void key_keep(ddz_solver *solver, const ddz_endgame_key *key, uint8_t winner, uint64_t nodes);

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* What the seat whose turn it is may do. */
void turn_open(const ddz_solver *solver, const position *at, menu *legal);
/* Checks for a move that plays cards. */
bool turn_has_move(const ddz_rules *rules, const menu *legal);
/* Checks for a move that plays the whole hand. */
bool turn_goes_out(const ddz_rules *rules, const menu *legal);
/* Lists the moves from candidates[top->first] on, best first; false if they do not fit. */
bool turn_list(ddz_solver *solver, const menu *legal, frame *top);

#endif
