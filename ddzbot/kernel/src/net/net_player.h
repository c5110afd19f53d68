/* A seat that the fast network plays: memory for its legal moves and their values. Internal. */
#ifndef NET_PLAYER_H
#define NET_PLAYER_H

#include "net/net_parameters.h"
#include "net/net_table.h"
#include "rules/menu.h"

typedef struct {
    ddz_move moves[DDZ_MOST_MOVES];
    float heads[DDZ_MOST_MOVES][HEADS];
    menu legal;
} net_player;

/* Lists the legal moves of the seat whose turn it is, and returns how many they are. */
uint32_t player_moves(net_player *player, const ddz_rules *rules, const public_table *table, uint64_t hand);

/* Gets the index of the move that empties the hand, or count. */
uint32_t player_finish(const net_player *player, uint64_t hand, uint32_t count);

/* Gets the index of the move with the highest value of that head. */
uint32_t player_best(const net_player *player, uint32_t count, unsigned head);

#endif
