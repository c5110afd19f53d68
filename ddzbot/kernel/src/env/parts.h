/* What a player sees. Internal. */
#ifndef ENV_PARTS_H
#define ENV_PARTS_H

#include "include/ddz_env.h"
#include "rules/parts.h"

/* Writes what a seat sees, DDZ_ENV_SEEN bytes. Of the game hands, to_beat, seat, passes, bombs and stake are read. */
void env_seen(const ddz_env_table *table, unsigned seat, uint8_t *out);

#endif
