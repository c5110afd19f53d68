/* What makes two positions the same game, and the table of those whose winner is known. Internal. */
#ifndef SOLVER_KEYS_H
#define SOLVER_KEYS_H

#include "rules/menu.h"
#include "solver/solver_state.h"

/* All words are 0 for a position without a key. legal is what the seat may do. */
void key_make(const ddz_solver *solver, const position *at, const menu *legal, ddz_endgame_key *key);
/* The winner that the entries have for a key, or DDZ_NOBODY. */
uint8_t key_find(const ddz_solver *solver, const ddz_endgame_key *key);
/* Keeps a winner, and that it took so many nodes to find. */
void key_keep(ddz_solver *solver, const ddz_endgame_key *key, uint8_t winner, uint64_t nodes);

#endif
