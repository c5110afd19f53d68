/* What a seat can do, and which of it the fast network likes best. */
#include "net/parts.h"

void player_open(net_player *player, const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits)
{
    player->net = net;
    player->rules = rules;
    player->splits = splits;
    player->count = 0;
    memset(player->fewest, 0, sizeof(player->fewest));
}

void player_list(net_player *player, const public_table *table, uint64_t hand)
{
    menu_open(player->rules, hand, &table->to_beat, &player->legal);
    const ddz_move *end = menu_list(player->rules, &player->legal, player->moves, player->moves + DDZ_MOST_MOVES);
    player->count = (uint32_t)(end - player->moves);
}

void player_value(net_player *player, const public_table *table, uint64_t hand, uint64_t unseen)
{
    net_value(player->net, player->splits, player->fewest, table, hand, unseen, player->moves, player->count,
              player->heads);
}

uint32_t player_finish(const net_player *player, uint64_t hand)
{
    for (uint32_t index = 0; index < player->count; index++)
        if (player->moves[index].cards == hand)
            return index;
    return player->count;
}

uint32_t player_best(const net_player *player, unsigned head)
{
    uint32_t best = 0;
    for (uint32_t index = 1; index < player->count; index++)
        if (player->heads[index][head] > player->heads[best][head])
            best = index;
    return best;
}

ddz_move player_choose(net_player *player, unsigned head, const public_table *table, uint64_t hand, uint64_t unseen)
{
    player_list(player, table, hand);
    if (player->count == 1)
        return player->moves[0];
    uint32_t finish = player_finish(player, hand);
    if (finish < player->count)
        return player->moves[finish];
    player_value(player, table, hand, unseen);
    return player->moves[player_best(player, head)];
}
