/* What a seat can do, and which of it the fast network likes best. */
#include "net/net.h"

uint32_t player_moves(net_player *player, const ddz_rules *rules, const public_table *table, uint64_t hand)
{
    menu_open(rules, hand, &table->to_beat, &player->legal);
    const ddz_move *end = menu_list(rules, &player->legal, player->moves, player->moves + DDZ_MOST_MOVES);
    return (uint32_t)(end - player->moves);
}

uint32_t player_finish(const net_player *player, uint64_t hand, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++)
        if (player->moves[index].cards == hand)
            return index;
    return count;
}

uint32_t player_best(const net_player *player, uint32_t count, unsigned head)
{
    uint32_t best = 0;
    for (uint32_t index = 1; index < count; index++)
        if (player->heads[index][head] > player->heads[best][head])
            best = index;
    return best;
}
