/* A game on from a move, all seats by the fast network. */
#include "rollout.h"

static ddz_move choose(ddz_rollout *search, const public_table *table, uint64_t hand, uint64_t others)
{
    net_player *player = &search->player;
    uint32_t count = player_moves(player, search->rules, table, hand);
    if (count == 1)
        return player->moves[0];
    uint32_t finish = player_finish(player, hand, count);
    if (finish < count)
        return player->moves[finish];
    net_value(search->net, search->splits, table, hand, others, player->moves, count, player->heads);
    return player->moves[player_best(player, count, 0)];
}

unsigned rollout_winner(ddz_rollout *search, uint64_t first_hand, const ddz_move *move)
{
    public_table table = search->table;
    uint64_t hands[DDZ_SEATS], all = search->hand + search->unseen;
    unsigned seat = table.seat, first = seat_after(seat);
    ddz_move laid = *move;
    hands[seat] = search->hand;
    hands[first] = first_hand;
    hands[seat_after(first)] = search->unseen - first_hand;
    for (;;) {
        hands[seat] -= laid.cards;
        all -= laid.cards;
        if (hands[seat] == 0)
            return seat;
        table_lay(&table, &laid);
        seat = table.seat;
        laid = choose(search, &table, hands[seat], all - hands[seat]);
    }
}
