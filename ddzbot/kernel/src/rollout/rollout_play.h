/* A game on from a move. Internal. */
#ifndef ROLLOUT_PLAY_H
#define ROLLOUT_PLAY_H

#include "rollout/rollout_state.h"

/* Keeps what the moves so far mean for the score; needs the decisions. */
void rollout_open_game(ddz_rollout *search);
/* Plays on from a move in a world; returns who goes out, and what that pays the own seat: with by_score points, else 1
 * for a win and 0 for a loss. */
unsigned rollout_play(ddz_rollout *search, uint64_t first_hand, const ddz_move *move, float *payoff);

#endif
