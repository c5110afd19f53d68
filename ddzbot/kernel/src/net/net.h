/* What the fast network says of moves. Internal. */
#ifndef NET_H
#define NET_H

#include "net/net_parameters.h"
#include "net/net_table.h"
#include "split/fewest.h"

enum { FEWEST_BITS = 12 };

/* Values the moves of a hand; fewest, 2^FEWEST_BITS slots or 0, pays where the same hands come again. */
void net_value(const ddz_net *net, const ddz_splits *splits, fewest_slot *fewest, const public_table *table,
               uint64_t hand, uint64_t unseen, const ddz_move *moves, uint32_t count, float (*heads)[HEADS]);

/* Checks what everything that plays by a network is given; the rules must let every game end. */
ddz_status net_check_player(const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits);

#endif
