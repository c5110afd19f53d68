/*
 * Worlds by what their hidden seats really played: a world is the likelier, the likelier the network would have made
 * those moves with its hands. Sampling by importance: many worlds are drawn, and of all that were drawn so far some are
 * taken in proportion to their weights.
 */
#include "reals.h"
#include "rollout.h"

#include <string.h>

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

void belief_open(ddz_rollout *search)
{
    search->pool_count = search->batch_left = 0;
    if (search->options.drawn)
        memset(search->slots, 0, sizeof(search->slots));
}

static void pool_append(ddz_rollout *search, uint64_t first_hand, float likelihood)
{
    pooled *world = &search->pool[search->pool_count++];
    world->first_hand = first_hand;
    world->likelihood = likelihood;
    world->drawn = 1;
    world->taken = 0;
}

/* Puts a world into the pool, or counts it once more: late in a game the same ones come again and again. */
static void pool_add(ddz_rollout *search, uint64_t first_hand)
{
    uint64_t slot = first_hand * 0x9E3779B97F4A7C15ULL >> (64 - SLOT_BITS);
    while (search->slots[slot]) {
        pooled *world = &search->pool[search->slots[slot] - 1];
        if (world->first_hand == first_hand) {
            world->drawn++;
            return;
        }
        slot = (slot + 1) & ((1u << SLOT_BITS) - 1);
    }
    float trust = (float)search->options.trust / 1000.0f;
    pool_append(search, first_hand, belief_likelihood(search, first_hand) * trust);
    search->slots[slot] = (uint16_t)search->pool_count;
}

/* The weights of the pool's worlds; returns their sum. */
static float weigh(const ddz_rollout *search, float *weights)
{
    float best = -1e30f, total = 0.0f;
    for (uint32_t index = 0; index < search->pool_count; index++)
        best = search->pool[index].likelihood > best ? search->pool[index].likelihood : best;
    for (uint32_t index = 0; index < search->pool_count; index++) {
        const pooled *world = &search->pool[index];
        weights[index] = (float)world->drawn * exponential(world->likelihood - best);
        total += weights[index];
    }
    return total;
}

/* Fills the batch with the worlds of systematic resampling: each as often as its share of the weights says. */
static void resample(ddz_rollout *search)
{
    float weights[MOST_POOLED], step = weigh(search, weights) / (float)BATCH, reached = 0.0f;
    float wanted = random_share(&search->random) * step;
    uint32_t kept = 0;
    for (uint32_t index = 0; index < search->pool_count; index++) {
        reached += weights[index];
        for (; kept < BATCH && wanted < reached; wanted += step)
            search->batch[kept++] = index;
    }
    while (kept < BATCH) /* lost to rounding */
        search->batch[kept++] = search->pool_count - 1;
}

/* Every world counts alike. */
static void draw_alike(ddz_rollout *search)
{
    search->pool_count = 0;
    for (uint32_t index = 0; index < BATCH; index++) {
        search->batch[index] = search->pool_count;
        pool_append(search, worlds_draw(search->worlds, &search->random), 0.0f);
    }
}

void belief_fill(ddz_rollout *search)
{
    search->batch_left = BATCH;
    if (search->options.drawn == 0) {
        draw_alike(search);
        return;
    }
    for (uint32_t left = BATCH * search->options.drawn; left > 0 && search->pool_count < MOST_POOLED; left--)
        pool_add(search, worlds_draw(search->worlds, &search->random));
    resample(search);
}
