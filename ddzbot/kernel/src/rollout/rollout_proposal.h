/* The tables that worlds are drawn from. Internal. */
#ifndef ROLLOUT_PROPOSAL_H
#define ROLLOUT_PROPOSAL_H

#include "rollout/rollout_state.h"

/* Begins with the model; draws a world; notes how much likelier the proposals from the first one on draw a world than
 * the model; writes the weights of the pool, and returns their sum; makes a new proposal from the pool. */
void proposals_open(ddz_rollout *search);
uint64_t proposals_draw(ddz_rollout *search);
void proposals_compare(const ddz_rollout *search, pooled *world, uint32_t first);
float proposals_weigh(const ddz_rollout *search, float *weights);
void proposals_adapt(ddz_rollout *search);

#endif
