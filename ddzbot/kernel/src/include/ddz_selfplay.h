/*
 * Self-play of the fast network, and what a trainer needs of it. Part of the ddzbot kernel; ddz_kernel.h says what
 * holds for every entry point.
 *
 * Games are played from the deal to the end by one network for all seats, or for those that a rival leaves; some of its
 * decisions become samples: the features of the situation after the move that was made, and how the game ended for the
 * mover.
 */
#ifndef DDZ_SELFPLAY_H
#define DDZ_SELFPLAY_H

#include "include/ddz_auction.h"
#include "include/ddz_search.h"

/* How to play. 56 bytes. */
typedef struct {
    uint64_t seed;
    uint64_t deck;
    uint32_t games;
    uint32_t random_moves; /* of 65536: how often any legal move is made, each as likely */
    uint32_t near;         /* thousandths of a logit: better moves are likelier, this much worse ones are never made */
    uint32_t kept;         /* of 256: how many of the decisions with a choice become samples */
    uint32_t by_score;     /* 1: play for points instead of wins; near is in thousandths of a point then */
    uint32_t trace;        /* of 1000, lambda of TD(lambda); 1000: how the game ended is all that is learned */
    uint8_t seat_cards[DDZ_SEATS]; /* before the first move, the landlord's with the bottom */
    uint8_t bottom_cards;
    uint8_t open_stake;   /* 1: the stake is drawn from 1 to 3, else it is 1 */
    uint8_t rival_seats;  /* bit 1 << seat: the rival plays there, and nothing is learned of it */
    uint8_t unused[2];
    uint32_t random_bids; /* of 65536: how often any legal bid is made, where games begin with an auction */
    uint32_t rival_near;  /* near of a rival that is a network */
} ddz_selfplay_options;

/* Room for the samples of one seat, of the caller. 48 bytes. */
typedef struct {
    _Alignas(8) uint16_t *features; /* those of all samples, one after the other */
    _Alignas(8) uint32_t *ends;     /* where the features of each sample end */
    _Alignas(8) float *results;     /* two a sample: what is to be learned, of winning (0 to 1) and of points */
    _Alignas(8) uint32_t most_features;
    uint32_t most_samples;
    uint32_t feature_count; /* what was written; set to 0 by the caller once */
    uint32_t sample_count;
    uint32_t unused[2];
} ddz_samples;

/* What was played. 64 bytes; the caller sets it to zero once. */
typedef struct {
    uint64_t games;
    uint64_t wins; /* of the landlord */
    uint64_t plies;
    uint64_t decisions; /* with a choice */
    uint64_t values;    /* moves that the network valued */
    uint64_t bombs;
    uint64_t lost;      /* samples for which there was no room */
    uint64_t unused;
} ddz_selfplay_totals;

/* The rival's player: a network, or the quick players of a search that was set up; the other is null. */
typedef struct {
    _Alignas(8) const ddz_net *net;
    _Alignas(8) ddz_search *quick;
} ddz_rival;

/* Memory to play in. Opaque; it needs no setting up. */
typedef struct ddz_selfplay_memory ddz_selfplay_memory;

/* Writes the sizes in bytes of ddz_selfplay_options, ddz_samples, ddz_selfplay_totals and ddz_selfplay_memory. */
DDZ_API ddz_status ddz_selfplay_layout(uint32_t *sizes, uint32_t count);

/*
 * Plays the games, and adds to samples, one for each seat, and to totals. With bids, which may be null, they begin with
 * an auction by that network: landlords have the hands that landlords have, at the stake that they bid.
 * The rival may be null where it has no seat.
 */
DDZ_API ddz_status ddz_selfplay(ddz_selfplay_memory *memory, const ddz_net *net, const ddz_rival *rival,
                                const ddz_rules *rules, const ddz_splits *splits, const ddz_bid_net *bids,
                                const ddz_selfplay_options *options, ddz_samples *samples,
                                ddz_selfplay_totals *totals);

/*
 * The first layer of a network in training: out[i] is bias plus the rows of weights, [DDZ_NET_FEATURES][units]
 * floats, that the features of sample which[i] name. code is DDZ_PORTABLE or, where there is AVX2, DDZ_AVX2.
 */
DDZ_API ddz_status ddz_rows_sum(const uint16_t *features, const uint32_t *ends, const uint32_t *which, uint32_t count,
                                const float *weights, const float *bias, float *out, uint32_t units,
                                uint32_t code);

/*
 * Its gradient: adds row i of slopes, [count][units], to the rows of out that the features of sample which[i]
 * name; only the columns from first to last - 1, multiples of 32, so that several threads can share the work.
 */
DDZ_API ddz_status ddz_rows_spread(const uint16_t *features, const uint32_t *ends, const uint32_t *which,
                                   uint32_t count, const float *slopes, float *out, uint32_t units, uint32_t first,
                                   uint32_t last, uint32_t code);

#endif
