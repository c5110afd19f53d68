/*
 * Worlds by what their hidden seats really played: a world is the likelier, the likelier the network would have made
 * those moves with its hands. Sampling by importance: one of several worlds is taken in proportion to its weight.
 */
#include "reals.h"
#include "rollout.h"

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
    return (player->heads[made][0] - best) * cold - logarithm(total);
}

static float likelihood_of(ddz_rollout *search, uint64_t first_hand)
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

float belief_likelihood(ddz_rollout *search, uint64_t first_hand)
{
    remembered *place = &search->likelihoods[first_hand * 0x9E3779B97F4A7C15ULL >> (64 - REMEMBERED_BITS)];
    if (place->first_hand != first_hand)
        *place = (remembered){first_hand, likelihood_of(search, first_hand)};
    return place->likelihood;
}

/* Fills the batch with the worlds of systematic resampling: each as often as its share of the weights says. */
static void resample(ddz_rollout *search, const uint64_t *hands, const float *weights, uint32_t drawn, float total)
{
    float step = total / (float)BATCH, reached = 0.0f;
    float wanted = random_share(&search->random) * step;
    uint32_t kept = 0;
    for (uint32_t index = 0; index < drawn; index++) {
        reached += weights[index];
        for (; kept < BATCH && wanted < reached; wanted += step)
            search->batch[kept++] = hands[index];
    }
    while (kept < BATCH) /* lost to rounding */
        search->batch[kept++] = hands[drawn - 1];
}

void belief_fill(ddz_rollout *search)
{
    uint32_t drawn = BATCH * search->options.drawn;
    uint64_t hands[BATCH * MOST_DRAWN];
    float weights[BATCH * MOST_DRAWN], best = -1e30f, total = 0.0f;
    for (uint32_t index = 0; index < BATCH && drawn == 0; index++)
        search->batch[index] = worlds_draw(search->worlds, &search->random);
    if (drawn == 0)
        return;
    for (uint32_t index = 0; index < drawn; index++) {
        hands[index] = worlds_draw(search->worlds, &search->random);
        weights[index] = belief_likelihood(search, hands[index]) * (float)search->options.trust / 1000.0f;
        best = weights[index] > best ? weights[index] : best;
    }
    for (uint32_t index = 0; index < drawn; index++) {
        weights[index] = exponential(weights[index] - best);
        total += weights[index];
    }
    resample(search, hands, weights, drawn, total);
}
