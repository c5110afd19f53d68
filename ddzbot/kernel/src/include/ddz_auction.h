/*
 * The auction: what deals are worth to each place as landlord, and a small network that values bids. Part of the ddzbot
 * kernel; ddz_kernel.h says what holds for every entry point.
 *
 * The network sees 17 cards and the earlier bids. Its input is a set of features, its parameters and what it computes
 * with are whole numbers, and so the kernel, numpy and plain Python give the same numbers; ddzbot/net/bid_net.py is the
 * readable definition.
 */
#ifndef DDZ_AUCTION_H
#define DDZ_AUCTION_H

#include "include/ddz_net.h"

enum {
    DDZ_BID_NODES = 10,    /* what a bidder may have heard: nothing; 0; 1; 2; 00; 01; 02; 10; 12; 20 */
    DDZ_BID_FEATURES = 83, /* cards of the hand, what was heard, the fewest moves */
    DDZ_BID_HIDDEN = 128,
    DDZ_BID_INNER = 32,
    DDZ_BID_HEADS = 14,
    DDZ_BID_ONE = 1024,        /* what 1.0 is in units and answers */
    DDZ_BID_EQUAL = 102,       /* bids whose values differ by no more are equal: the lowest one is made */
    DDZ_BID_WEIGHT_ONE = 2048, /* what 1.0 is in the weights behind the first layer; in the first it is DDZ_BID_ONE */
    DDZ_BID_LARGEST = 1 << 24  /* units and answers stop here, whatever the parameters are */
};

/* How to deal and play. 32 bytes. */
typedef struct {
    uint64_t seed;
    uint64_t deck;
    uint32_t by_score;     /* 1: play for points instead of wins */
    uint32_t open_stake;   /* 1: the stake is drawn from 1 to 3, else it is 1 */
    uint32_t dealt;        /* cards of each hand, without the bottom */
    uint32_t bottom_cards;
} ddz_deals_options;

/* A deal, and how the network's game ended with the landlord at each position. 48 bytes. */
typedef struct {
    uint64_t hands[DDZ_SEATS]; /* by position */
    uint64_t bottom;
    int32_t scores[DDZ_SEATS]; /* what the landlord was paid at that stake, in hundredths, by its position */
    uint8_t won;               /* bit p: the landlord at position p won */
    uint8_t stake;
    uint8_t unused[2];
} ddz_dealt;

/* Memory to play in. Opaque; it needs no setting up. */
typedef struct ddz_deals_memory ddz_deals_memory;

/* The parameters of a network that values bids, row by row; they must stay. 64 bytes. */
typedef struct {
    _Alignas(8) const int16_t *first;       /* [DDZ_BID_FEATURES][DDZ_BID_HIDDEN] */
    _Alignas(8) const int32_t *first_bias;  /* [DDZ_BID_HIDDEN] */
    _Alignas(8) const int16_t *second;      /* [DDZ_BID_INNER][DDZ_BID_HIDDEN] */
    _Alignas(8) const int32_t *second_bias; /* [DDZ_BID_INNER] */
    _Alignas(8) const int16_t *third;       /* [DDZ_BID_INNER][DDZ_BID_INNER] */
    _Alignas(8) const int32_t *third_bias;  /* [DDZ_BID_INNER] */
    _Alignas(8) const int16_t *last;        /* [DDZ_BID_HEADS][DDZ_BID_INNER] */
    _Alignas(8) const int32_t *last_bias;   /* [DDZ_BID_HEADS] */
} ddz_bid_net;

/* Writes the sizes in bytes of ddz_deals_options, ddz_dealt, ddz_deals_memory and ddz_bid_net. */
DDZ_API ddz_status ddz_auction_layout(uint32_t *sizes, uint32_t count);

/* Deals count times, and plays each deal three times: once with the landlord at each position, all seats by the best
 * move of the network. */
DDZ_API ddz_status ddz_deals_play(ddz_deals_memory *memory, const ddz_net *net, const ddz_rules *rules,
                                  const ddz_splits *splits, const ddz_deals_options *options, ddz_dealt *deals,
                                  uint32_t count);

/*
 * Values the bids of count hands, each after what node says was heard: DDZ_BID_HEADS numbers a hand. Hands of any size
 * up to DDZ_SPLIT_CARDS are taken.
 */
DDZ_API ddz_status ddz_bid_values(const ddz_bid_net *net, const ddz_splits *splits, const uint64_t *hands,
                                  const uint8_t *nodes, uint32_t count, int32_t *heads);

#endif
