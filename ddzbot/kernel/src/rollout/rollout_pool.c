/*
 * The worlds that were drawn, and which of them come next. Sampling by importance: many are drawn, and of all that were
 * drawn so far some are taken in proportion to their weights. A world's weight is how likely the play was in it, times
 * how often it was drawn, over how often the proposals that were drawn from could be expected to draw it (the balance
 * heuristic: E. Veach, L. Guibas, "Optimally Combining Sampling Techniques for Monte Carlo Rendering", 1995).
 */
#include "rollout/parts.h"

#include <string.h>

void pool_open(ddz_rollout *search)
{
    search->pool_count = search->batch_left = search->pool_draws = 0;
    search->best_likelihood = -1e30f;
    proposals_open(search);
    if (search->options.oversample)
        memset(search->slots, 0, sizeof(search->slots));
}

static void pool_append(ddz_rollout *search, uint64_t first_hand)
{
    pooled *world = &search->pool[search->pool_count++];
    world->first_hand = first_hand;
    world->drawn = 1;
    world->taken = 0;
}

/* How likely the play was in a world, compared to the world where it was likeliest. */
static void compare_to_best(ddz_rollout *search, pooled *world)
{
    if (world->likelihood > search->best_likelihood) {
        search->best_likelihood = world->likelihood;
        for (uint32_t index = 0; index < search->pool_count; index++) {
            pooled *other = &search->pool[index];
            other->chance = exponential(other->likelihood - search->best_likelihood);
        }
    }
    world->chance = exponential(world->likelihood - search->best_likelihood);
}

/* Puts a world into the pool, or counts it once more: late in a game the same ones come again and again. */
static void pool_add(ddz_rollout *search, uint64_t first_hand)
{
    uint64_t slot = first_hand * 0x9E3779B97F4A7C15ULL >> (64 - SLOT_BITS);
    while (search->slots[slot]) {
        pooled *known = &search->pool[search->slots[slot] - 1];
        if (known->first_hand == first_hand) {
            known->drawn++;
            return;
        }
        slot = (slot + 1) & ((1u << SLOT_BITS) - 1);
    }
    pool_append(search, first_hand);
    search->slots[slot] = (uint16_t)search->pool_count;
    pooled *world = &search->pool[search->pool_count - 1];
    world->likelihood = belief_likelihood(search, first_hand);
    proposals_compare(search, world, 0);
    compare_to_best(search, world);
}

/* Fills the batch with the worlds of systematic resampling: each as often as its share of the weights says. */
static void resample(ddz_rollout *search)
{
    float weights[MOST_POOLED], step = proposals_weigh(search, weights) / (float)BATCH, reached = 0.0f;
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
        pool_append(search, worlds_draw(search->worlds, &search->random));
    }
}

/* Whenever there are twice as many draws as when worlds were last proposed, it is known better where to look. */
static void draw_more(ddz_rollout *search, uint32_t draws)
{
    for (; draws > 0 && search->pool_count < MOST_POOLED; draws--) {
        bool is_time = search->pool_draws == (uint32_t)FIRST_DRAWS << (search->proposal_count - 1);
        if (is_time && search->proposal_count < MOST_PROPOSALS)
            proposals_adapt(search);
        pool_add(search, proposals_draw(search));
        search->pool_draws++;
    }
}

void pool_fill(ddz_rollout *search)
{
    uint32_t draws = BATCH * search->options.oversample;
    search->batch_left = BATCH;
    if (draws == 0) {
        draw_alike(search);
        return;
    }
    draw_more(search, search->pool_draws == 0 && draws < FIRST_DRAWS ? FIRST_DRAWS : draws);
    resample(search);
}
