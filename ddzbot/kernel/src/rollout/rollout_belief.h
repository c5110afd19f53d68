/* How likely the play so far was. Internal. */
#ifndef ROLLOUT_BELIEF_H
#define ROLLOUT_BELIEF_H

#include "rollout/rollout_state.h"

/* The log of how likely it was in a world. */
float belief_likelihood(ddz_rollout *search, uint64_t first_hand);

#endif
