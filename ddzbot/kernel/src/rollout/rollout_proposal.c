/*
 * Where worlds are drawn from: at first the model of the hidden hands, and then tables in which every count of a rank
 * is as much likelier as it has turned out to be among the worlds that explain the play. The weights make up for it
 * (adaptive importance sampling: M. Oh, J. Berger, "Adaptive Importance Sampling in Monte Carlo Integration", 1992).
 */
#include "rollout/parts.h"

/* What is seen in so many worlds that differ counts as much as the model. */
static const double MODEL_COUNTS = 4.0;
/* A row of weights adds up to so much: eight bits, since fifteen rows may have 126. */
static const double ROW_SUM = 240.0;

void proposals_open(ddz_rollout *search)
{
    proposal *model = &search->proposals[0];
    search->proposal_count = 1;
    model->draws = 0;
    model->scale = 1.0;
    for (unsigned place = 0; place < DDZ_RANKS; place++)
        for (unsigned cards = 0; cards < DDZ_COUNTS; cards++)
            model->ratios[place][cards] = 1.0;
}

uint64_t proposals_draw(ddz_rollout *search)
{
    uint32_t last = search->proposal_count - 1;
    search->proposals[last].draws++;
    return worlds_draw(last ? &search->table_of_last : search->worlds, &search->random);
}

static unsigned cards_at(const ddz_worlds *worlds, uint64_t first_hand, unsigned place)
{
    return first_hand >> worlds->shifts[place] & 15;
}

void proposals_compare(const ddz_rollout *search, pooled *world, uint32_t first)
{
    for (uint32_t at = first; at < search->proposal_count; at++) {
        const proposal *one = &search->proposals[at];
        double ratio = one->scale;
        for (unsigned place = 0; place < search->worlds->free; place++)
            ratio *= one->ratios[place][cards_at(search->worlds, world->first_hand, place)];
        world->ratios[at] = (float)ratio;
    }
}

float proposals_weigh(const ddz_rollout *search, float *weights)
{
    float total = 0.0f;
    for (uint32_t index = 0; index < search->pool_count; index++) {
        const pooled *world = &search->pool[index];
        float expected = 0.0f;
        for (uint32_t at = 0; at < search->proposal_count; at++)
            expected += world->ratios[at] * (float)search->proposals[at].draws;
        weights[index] = (float)world->drawn * world->chance / expected;
        total += weights[index];
    }
    return total;
}

/* Adds up the weights of the pool by what the worlds hold; returns how many equal worlds would be as sure. */
static double add_up_pool(const ddz_rollout *search, double (*shares)[DDZ_COUNTS])
{
    float weights[MOST_POOLED];
    double total = proposals_weigh(search, weights), squares = 0.0;
    for (unsigned place = 0; place < search->worlds->free; place++)
        for (unsigned cards = 0; cards < DDZ_COUNTS; cards++)
            shares[place][cards] = 0.0;
    for (uint32_t index = 0; index < search->pool_count; index++) {
        double share = weights[index] / total;
        squares += share * share;
        for (unsigned place = 0; place < search->worlds->free; place++)
            shares[place][cards_at(search->worlds, search->pool[index].first_hand, place)] += share;
    }
    return 1.0 / squares;
}

/* Writes the weights of a free rank, and how much likelier than in the model each makes its count. */
static void propose_row(const uint32_t *model, const double *expected, const double *found, double worlds,
                        uint32_t *weights, double *ratios)
{
    double wanted[DDZ_COUNTS] = {0}, sum = 0.0;
    for (unsigned cards = 0; cards < DDZ_COUNTS; cards++) {
        if (model[cards] == 0)
            continue;
        double share = (worlds * found[cards] + MODEL_COUNTS * expected[cards]) / (worlds + MODEL_COUNTS);
        /* A count that the sizes of the hands exclude is drawn never, whatever its weight. */
        wanted[cards] = expected[cards] > 0.0 ? model[cards] * share / expected[cards] : 0.0;
        sum += wanted[cards];
    }
    for (unsigned cards = 0; cards < DDZ_COUNTS; cards++) {
        if (model[cards] == 0)
            continue;
        uint32_t weight = (uint32_t)(wanted[cards] * ROW_SUM / sum + 0.5);
        weights[cards] = weight ? weight : 1;
        ratios[cards] = (double)weights[cards] / model[cards];
    }
}

void proposals_adapt(ddz_rollout *search)
{
    const ddz_worlds *model = search->worlds;
    double expected[DDZ_RANKS][DDZ_COUNTS], found[DDZ_RANKS][DDZ_COUNTS];
    uint32_t weights[DDZ_RANKS][DDZ_COUNTS] = {{0}};
    proposal *next = &search->proposals[search->proposal_count];
    double sure_worlds = add_up_pool(search, found);
    worlds_shares(model, expected);
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        weights[rank][model->fixed >> 4 * rank & 15] = 1;
    for (unsigned place = 0; place < model->free; place++) {
        uint32_t *made = weights[model->shifts[place] / 4];
        made[0] = 0;
        propose_row(model->weights[place], expected[place], found[place], sure_worlds, made, next->ratios[place]);
    }
    uint32_t first_cards = worlds_first_cards(model);
    if (ddz_worlds_init(&search->table_of_last, search->unseen, first_cards, weights[0]) != DDZ_OK)
        return; /* never: it has the worlds of the model */
    next->draws = 0;
    next->scale = worlds_total(model) / worlds_total(&search->table_of_last);
    search->proposal_count++;
    for (uint32_t index = 0; index < search->pool_count; index++)
        proposals_compare(search, &search->pool[index], search->proposal_count - 1);
}
