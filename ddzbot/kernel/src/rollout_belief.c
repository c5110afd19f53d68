/*
 * Worlds by what their hidden seats really played: a world is the likelier, the likelier the network would have made
 * those moves with its hands.
 */
#include "reals.h"
#include "rollout.h"

/* In this share of its decisions a player is expected to do anything at all: no single one rules a world out. */
static const float ASTRAY = 0.02f;

/* The log of the share that the move has in all legal ones, by the network's logits; 0 for one that is not legal. */
static float log_share(ddz_rollout *search, const decision *one, uint64_t hand, uint64_t others)
{
    net_player *player = &search->player;
    uint32_t count = player_moves(player, search->rules, &one->before, hand), made = count;
    if (count == 1)
        return 0.0f;
    net_value(search->net, search->splits, &search->memo, &one->before, hand, others, player->moves, count,
              player->heads);
    float best = player->heads[player_best(player, count, 0)][0], total = 0.0f;
    float cold = 1000.0f / (float)search->options.heat;
    for (uint32_t index = 0; index < count; index++) {
        total += exponential((player->heads[index][0] - best) * cold);
        made = player->moves[index].cards == one->made.cards ? index : made;
    }
    if (made == count)
        return 0.0f;
    float share = exponential((player->heads[made][0] - best) * cold) / total;
    return logarithm((1.0f - ASTRAY) * share + ASTRAY / (float)count);
}

float belief_likelihood(ddz_rollout *search, uint64_t first_hand)
{
    unsigned first = seat_after(search->table.seat);
    uint64_t hands[DDZ_SEATS] = {0, 0, 0};
    float sum = 0.0f;
    hands[first] = first_hand;
    hands[seat_after(first)] = search->unseen - first_hand;
    /* From the last decision back, so that the cards laid since return to their hands one move at a time. */
    for (uint32_t index = search->decision_count; index-- > 0;) {
        const decision *one = &search->decisions[index];
        unsigned seat = one->before.seat;
        hands[seat] += one->made.cards;
        if (seat == search->table.seat)
            continue;
        sum += log_share(search, one, hands[seat], search->hand + search->unseen + one->laid_since - hands[seat]);
    }
    return sum;
}
