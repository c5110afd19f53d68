/* The worlds that come next. Internal. */
#ifndef ROLLOUT_POOL_H
#define ROLLOUT_POOL_H

#include "rollout/rollout_state.h"

/* Forgets all worlds; chooses the next batch. */
void pool_open(ddz_rollout *search);
void pool_fill(ddz_rollout *search);

#endif
