/* How likely the auction was in a world, by what the network for bids expects of every bid. */
#include "base/reals.h"
#include "net/bid_net.h"
#include "rollout/rollout.h"

/* In this share of the auctions a seat bids anything at all: no bid rules a hand out. */
static const float ASTRAY = 0.02f;

/* Nobody knows how closely a seat bids as the network would: at one of the temperatures 1, 2 and 4. */
enum { STYLES = 3, BIDS = 4 };

/* The chance that a hand makes that bid. */
static float chance_of_bid(const ddz_rollout *search, uint64_t hand, unsigned node, unsigned bid)
{
    int32_t heads[DDZ_BID_HEADS], best = -DDZ_BID_LARGEST;
    float totals[STYLES] = {0.0f}, made[STYLES] = {0.0f}, chance = 0.0f;
    float cold = 1000.0f / (float)search->bid_heat / (float)(1 << (STYLES - 1)) / (float)DDZ_BID_ONE;
    unsigned legal = 0;
    bid_value(search->bid_net, search->splits, hand, node, heads);
    for (unsigned one = 0; one < BIDS; one++)
        best = bid_is_legal(node, one) && heads[one] > best ? heads[one] : best;
    for (unsigned one = 0; one < BIDS; one++) {
        if (!bid_is_legal(node, one))
            continue;
        float share = exponential((float)(heads[one] - best) * cold);
        legal++;
        for (unsigned style = STYLES; style-- > 0; share *= share) {
            totals[style] += share;
            made[style] = one == bid ? share : made[style];
        }
    }
    for (unsigned style = 0; style < STYLES; style++)
        chance += made[style] / totals[style] / (float)STYLES;
    return (1.0f - ASTRAY) * chance + ASTRAY / (float)legal;
}

float bids_likelihood(const ddz_rollout *search, const uint64_t *hands)
{
    float sum = 0.0f;
    for (uint32_t at = 0; at < search->way_count; at++) {
        const ddz_heard *way = &search->ways[at];
        float chance = 1.0f;
        for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
            uint64_t bottom = seat ? 0 : search->bottom;
            if (way->node[seat] < DDZ_BID_NODES && holds(hands[seat], bottom))
                chance *= chance_of_bid(search, hands[seat] - bottom, way->node[seat], way->bid[seat]);
        }
        sum += chance;
    }
    return search->way_count ? logarithm(sum) : 0.0f;
}

static bool is_good_way(const ddz_heard *way, unsigned own_seat)
{
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        bool asked = way->node[seat] < DDZ_BID_NODES;
        if (way->node[seat] > DDZ_BID_NODES || (asked && seat == own_seat) ||
            (asked && !bid_is_legal(way->node[seat], way->bid[seat])))
            return false;
    }
    return true;
}

ddz_status ddz_rollout_hear(ddz_rollout *search, const ddz_bid_net *net, const ddz_heard *ways, uint32_t count,
                            uint32_t heat)
{
    if (bad_pointer(search, 8) || bad_pointer(ways, 8) || !bid_net_is_good(net))
        return DDZ_BAD_POINTER;
    if (search->magic != ROLLOUT_MAGIC)
        return DDZ_BAD_RULES;
    if (count > DDZ_MOST_WAYS || heat < 1 || heat > 1000000)
        return DDZ_BAD_INDEX;
    if (search->world_count || search->pool_count || search->options.drawn == 0 || search->bottom == 0)
        return DDZ_BAD_GAME;
    for (uint32_t at = 0; at < count; at++)
        if (!is_good_way(&ways[at], search->table.seat))
            return DDZ_BAD_INDEX;
    search->way_count = 0;
    for (uint32_t at = 0; at < count; at++)
        search->ways[search->way_count++] = ways[at];
    search->bid_net = net;
    search->bid_heat = heat;
    return DDZ_OK;
}
