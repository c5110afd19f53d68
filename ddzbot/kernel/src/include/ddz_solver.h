/*
 * The exact endgame solver: the winner when all hands are open and all play perfectly. Part of the ddzbot kernel;
 * ddz_kernel.h says what holds for every entry point.
 *
 * Seat 0, the landlord, plays against all others; the seat that plays its last card wins for its side. There are two
 * or three seats, and play goes 0, 1, (2,) 0, ... When all others have passed, the last seat to play leads.
 *
 * A position is searched in portions: ddz_solver_begin sets it up, and each ddz_solver_run continues where the last one
 * stopped. What is found out stays in the entries, for later positions too.
 */
#ifndef DDZ_SOLVER_H
#define DDZ_SOLVER_H

#include "include/ddz_kernel.h"

/* A position with open hands. 40 bytes. */
typedef struct {
    uint64_t hands[DDZ_SEATS]; /* what each seat holds, at least one card; hands[2] is 0 when there are two seats */
    uint64_t table_cards;      /* what must be beaten, 0 on a lead */
    int32_t table_kind;        /* what these cards were taken for, as in ddz_moves; -1 on a lead */
    uint8_t seats;             /* 2 or 3 */
    uint8_t seat;              /* the seat to move */
    uint8_t table_seat;        /* the seat that played table_cards; 0 on a lead */
    uint8_t unused;
} ddz_endgame;

/* Four words that are the same for two positions only if these are the same game. 32 bytes. */
typedef struct {
    uint64_t words[4];
} ddz_endgame_key;

/* A search and all that it needs beside its entries. Opaque. */
typedef struct ddz_solver ddz_solver;

/* The only option: the rocket may not be played. */
enum { DDZ_WITHOUT_ROCKET = 1 };

/* The winner of a search: a side, or DDZ_NOBODY as long as it is not known. */
enum { DDZ_LANDLORD, DDZ_PEASANTS };

/* Writes the sizes in bytes of ddz_endgame, ddz_solver and one entry. DDZ_SHORT_BUFFER if count is below 3. */
DDZ_API ddz_status ddz_solver_layout(uint32_t *sizes, uint32_t count);

/*
 * Prepares a solver. rules must let any card be played alone. splits order the moves, and may be those of a rule set
 * with other kinds of move; without them (null) the search takes longer. entries is memory for so many entries, all
 * zero or as another solver with the same rules and options left it; DDZ_SHORT_BUFFER unless their count is a power of
 * two from 2 on, DDZ_BAD_INDEX for another option. All this memory must stay where it is for as long as the solver is
 * used.
 */
DDZ_API ddz_status ddz_solver_init(ddz_solver *solver, const ddz_rules *rules, const ddz_splits *splits,
                                   uint32_t options, void *entries, uint64_t count);

/* Sets up the search of a position. DDZ_BAD_GAME if its fields contradict each other, or a hand is empty. */
DDZ_API ddz_status ddz_solver_begin(ddz_solver *solver, const ddz_endgame *endgame);

/*
 * Searches on until the winner is known, but for at most so many nodes; *nodes becomes the number that it took. A node
 * is a position that was looked at. DDZ_SHORT_BUFFER if the position is too large: the search has then ended.
 */
DDZ_API ddz_status ddz_solver_run(ddz_solver *solver, uint64_t *nodes, uint32_t *winner);

/*
 * Gets the key of a position, for tests. All words are 0 where a seat can go out at once, or where the cards on the
 * table can be answered as two kinds of move: such positions have no key.
 */
DDZ_API ddz_status ddz_solver_key(const ddz_solver *solver, const ddz_endgame *endgame, ddz_endgame_key *key);

#endif
