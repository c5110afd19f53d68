/*
 * Worlds by what their hidden seats really played: a world is the likelier, the likelier the network would have made
 * those moves with its hands.
 */
#include "rollout/parts.h"

/* In this share of its decisions a player is expected to do anything at all: no single one rules a world out. */
static const float ASTRAY = 0.02f;

/* How closely a player plays as the network would is unknown: it may do so at one of the temperatures 1, 2 and 4. */
enum { STYLES = 3 };

/* Adds the logs of the shares that the move has in all legal ones, style by style, by the network's logits. */
static void add_log_shares(ddz_rollout *search, const decision *one, uint64_t hand, uint64_t others, float *sums)
{
    net_player *player = &search->player;
    player_list(player, &one->before, hand);
    uint32_t count = player->count, made = count;
    if (count == 1)
        return;
    player_value(player, &one->before, hand, others);
    float best = player->heads[player_best(player, 0)][0], totals[STYLES] = {0.0f};
    float made_by[STYLES] = {0.0f};
    float cold = 1000.0f / (float)search->options.temperature / (float)(1 << (STYLES - 1));
    for (uint32_t index = 0; index < count; index++) {
        float share = exponential((player->heads[index][0] - best) * cold);
        bool is_made = player->moves[index].cards == one->made.cards;
        made = is_made ? index : made;
        for (unsigned style = STYLES; style-- > 0; share *= share) {
            totals[style] += share;
            made_by[style] = is_made ? share : made_by[style];
        }
    }
    if (made == count)
        return; /* no legal move says nothing */
    for (unsigned style = 0; style < STYLES; style++)
        sums[style] += logarithm((1.0f - ASTRAY) * made_by[style] / totals[style] + ASTRAY / (float)count);
}

/* The log of the mean of what the styles say. */
static float log_of_mean(const float *logs)
{
    float best = logs[0], sum = 0.0f;
    for (unsigned style = 1; style < STYLES; style++)
        best = logs[style] > best ? logs[style] : best;
    for (unsigned style = 0; style < STYLES; style++)
        sum += exponential(logs[style] - best);
    return best + logarithm(sum / (float)STYLES);
}

float belief_likelihood(ddz_rollout *search, uint64_t first_hand)
{
    unsigned first = seat_after(search->table.seat), second = seat_after(first);
    uint64_t hands[DDZ_SEATS] = {0, 0, 0};
    float sums[DDZ_SEATS][STYLES] = {{0.0f}};
    hands[first] = first_hand;
    hands[second] = search->unseen - first_hand;
    /* From the last decision back, so that the cards played since return to their hands one move at a time. */
    for (uint32_t index = search->decision_count; index-- > 0;) {
        const decision *one = &search->decisions[index];
        unsigned seat = one->before.seat;
        hands[seat] += one->made.cards;
        if (seat == search->table.seat)
            continue;
        uint64_t others = search->hand + search->unseen + one->played_since - hands[seat];
        add_log_shares(search, one, hands[seat], others, sums[seat]);
    }
    return log_of_mean(sums[first]) + log_of_mean(sums[second]);
}
