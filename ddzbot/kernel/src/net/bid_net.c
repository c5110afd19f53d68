/* The network that values bids: four layers in whole numbers, which round alike on every machine and in Python. */
#include "net/parts.h"

enum {
    NODE = 57,              /* behind the cards: slot 4r + k - 1 for the k-th card of rank r */
    FEWEST = NODE + DDZ_BID_NODES,
    MOST_FEWEST = 15,
    MOST_ACTIVE = DDZ_SPLIT_CARDS + 2,
    BENT = 8, /* a unit below 0 is divided by this */
    END = DDZ_BID_NODES
};

_Static_assert(FEWEST + MOST_FEWEST + 1 == DDZ_BID_FEATURES, "every feature has a row");
_Static_assert(sizeof(ddz_bid_net) == 64, "the header says 64 bytes");

/* Rounds down, below 0 too. */
static inline int64_t divided(int64_t number, int64_t by)
{
    return number >= 0 ? number / by : -((by - 1 - number) / by);
}

static inline int32_t bounded(int64_t number)
{
    if (number > DDZ_BID_LARGEST)
        return DDZ_BID_LARGEST;
    return number < -DDZ_BID_LARGEST ? -DDZ_BID_LARGEST : (int32_t)number;
}

static inline int32_t bent(int64_t number) { return bounded(number >= 0 ? number : divided(number, BENT)); }

static unsigned features_of(uint64_t hand, unsigned node, uint32_t fewest, uint8_t *features)
{
    unsigned count = 0;
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        for (unsigned copy = 0; copy < (hand >> 4 * rank & 15); copy++)
            features[count++] = (uint8_t)(4 * rank + copy);
    features[count++] = (uint8_t)(NODE + node);
    features[count++] = (uint8_t)(FEWEST + (fewest < MOST_FEWEST ? fewest : MOST_FEWEST));
    return count;
}

static inline int64_t row_sum(const int16_t *weights, const int32_t *units, unsigned count, int32_t bias)
{
    int64_t sum = 0;
    for (unsigned at = 0; at < count; at++)
        sum += (int64_t)weights[at] * units[at];
    return divided(sum, DDZ_BID_WEIGHT_ONE) + bias;
}

static void value(const ddz_bid_net *net, const uint8_t *features, unsigned count, int32_t *heads)
{
    int32_t hidden[DDZ_BID_HIDDEN], second[DDZ_BID_INNER], third[DDZ_BID_INNER];
    for (unsigned unit = 0; unit < DDZ_BID_HIDDEN; unit++) {
        int64_t sum = net->first_bias[unit];
        for (unsigned at = 0; at < count; at++)
            sum += net->first[features[at] * DDZ_BID_HIDDEN + unit];
        hidden[unit] = bent(sum);
    }
    for (unsigned unit = 0; unit < DDZ_BID_INNER; unit++)
        second[unit] =
            bent(row_sum(net->second + unit * DDZ_BID_HIDDEN, hidden, DDZ_BID_HIDDEN, net->second_bias[unit]));
    for (unsigned unit = 0; unit < DDZ_BID_INNER; unit++)
        third[unit] = bent(row_sum(net->third + unit * DDZ_BID_INNER, second, DDZ_BID_INNER, net->third_bias[unit]));
    for (unsigned head = 0; head < DDZ_BID_HEADS; head++)
        heads[head] = bounded(row_sum(net->last + head * DDZ_BID_INNER, third, DDZ_BID_INNER, net->last_bias[head]));
}

/* Values the bids of a hand, whose cards are good and no more than DDZ_SPLIT_CARDS. */
static void bid_value(const ddz_bid_net *net, const ddz_splits *splits, uint64_t hand, unsigned node, int32_t *heads)
{
    uint8_t features[MOST_ACTIVE];
    uint32_t fewest = 0;
    ddz_fewest_moves(splits, hand, &fewest);
    value(net, features, features_of(hand, node, fewest, features), heads);
}

bool bid_net_is_good(const ddz_bid_net *net)
{
    return !bad_pointer(net, 8) && !bad_pointer(net->first, 2) && !bad_pointer(net->first_bias, 4) &&
           !bad_pointer(net->second, 2) && !bad_pointer(net->second_bias, 4) && !bad_pointer(net->third, 2) &&
           !bad_pointer(net->third_bias, 4) && !bad_pointer(net->last, 2) && !bad_pointer(net->last_bias, 4);
}

/* At each node: the highest bid so far; its bidder; and the node after each bid, DDZ_BID_NODES for an end. */
static const uint8_t HIGHEST[DDZ_BID_NODES] = {0, 0, 1, 2, 0, 1, 2, 1, 2, 2};
static const uint8_t HOLDER[DDZ_BID_NODES] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 0};
static const uint8_t AFTER[DDZ_BID_NODES][3] = {{1, 2, 3}, {4, 5, 6}, {7, END, 8}, {9, END, END}, {END, END, END},
                                                {END, END, END}, {END, END, END}, {END, END, END}, {END, END, END},
                                                {END, END, END}};

static bool bid_is_legal(unsigned node, unsigned bid) { return bid == 0 || (bid > HIGHEST[node] && bid <= 3); }

static unsigned best_bid(const ddz_bid_net *net, const ddz_splits *splits, uint64_t hand, unsigned node)
{
    int32_t heads[DDZ_BID_HEADS], most = -DDZ_BID_LARGEST;
    unsigned bid = 0;
    bid_value(net, splits, hand, node, heads);
    for (unsigned one = 0; one < 4; one++)
        most = bid_is_legal(node, one) && heads[one] > most ? heads[one] : most;
    while (!bid_is_legal(node, bid) || heads[bid] < most - DDZ_BID_EQUAL)
        bid++;
    return bid;
}

static unsigned any_bid(unsigned node, ddz_random *random)
{
    unsigned bid = random_below(random, 4 - HIGHEST[node]);
    return bid ? bid + HIGHEST[node] : 0;
}

auction_end auction_of(const ddz_bid_net *net, const ddz_splits *splits, const uint64_t *hands, uint32_t stray,
                       ddz_random *random)
{
    unsigned node = 0;
    for (unsigned position = 0;; position++) {
        bool strays = stray && random_below(random, 65536) < stray;
        unsigned bid = strays ? any_bid(node, random) : best_bid(net, splits, hands[position], node);
        unsigned next = bid == 3 ? (unsigned)END : AFTER[node][bid];
        if (next != END)
            node = next;
        else if (bid)
            return (auction_end){(uint8_t)position, (uint8_t)bid};
        else
            return (auction_end){HOLDER[node], HIGHEST[node] ? HIGHEST[node] : 1};
    }
}

ddz_status ddz_bid_values(const ddz_bid_net *net, const ddz_splits *splits, const uint64_t *hands,
                          const uint8_t *nodes, uint32_t count, int32_t *heads)
{
    if (!bid_net_is_good(net) || bad_pointer(hands, 8) || bad_pointer(nodes, 1) || bad_pointer(heads, 4))
        return DDZ_BAD_POINTER;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t fewest;
        if (nodes[index] >= DDZ_BID_NODES)
            return DDZ_BAD_INDEX;
        ddz_status status = ddz_fewest_moves(splits, hands[index], &fewest);
        if (status != DDZ_OK)
            return status;
        bid_value(net, splits, hands[index], nodes[index], heads + index * DDZ_BID_HEADS);
    }
    return DDZ_OK;
}
