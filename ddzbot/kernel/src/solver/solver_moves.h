/* The solver's moves: what is legal, and what to try first. Internal. */
#ifndef SOLVER_MOVES_H
#define SOLVER_MOVES_H

#include "rules/menu.h"
#include "solver/solver_state.h"

/* What the seat whose turn it is may do. */
void turn_open(const ddz_solver *solver, const position *at, menu *legal);
/* Checks for a move that lays cards. */
bool turn_has_move(const ddz_rules *rules, const menu *legal);
/* Checks for a move that lays the whole hand. */
bool turn_goes_out(const ddz_rules *rules, const menu *legal);
/* Lists the moves from candidates[top->first] on, best first; false if they do not fit. */
bool turn_list(ddz_solver *solver, const menu *legal, frame *top);

#endif
