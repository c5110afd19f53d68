/*
 * The fast network: what every legal move is worth, from what its mover may know. Part of the ddzbot kernel;
 * ddz_kernel.h says what holds for every entry point.
 *
 * Each seat has parameters of its own. The input is a set of features, numbers below DDZ_NET_FEATURES, of a situation
 * after one move; net_features.c lists them. Four layers follow:
 *
 *     first   features -> units  16-bit integers, DDZ_NET_ONE is 1.0; sums of rows, each clipped to 0..1
 *     second  units -> 32        8-bit integers with one scale an output; bent
 *     third   32 -> 32           floats; bent
 *     last    32 -> 2            floats: the logit of winning, and the expected score in points
 *
 * How many units the first layer has is a property of a network: a multiple of DDZ_NET_UNIT_STEP.
 *
 * A unit that is bent stays as it is above 0, and is a tenth of it below.
 *
 * The first layer is the idea of NNUE (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for
 * Computer Shogi", 2018): what the situation contributes is added up once, and a move adds a few rows to it.
 *
 * The portable, the AVX2 and the AVX-512 code give the same bits: integers are exact, and floats are added in one fixed
 * order.
 */
#ifndef DDZ_NET_H
#define DDZ_NET_H

#include "include/ddz_kernel.h"

enum {
    DDZ_NET_FEATURES = 896,
    DDZ_NET_UNIT_STEP = 256,
    DDZ_NET_MOST_UNITS = 1024,
    DDZ_NET_INNER = 32,
    DDZ_NET_HEADS = 2,   /* winning, score */
    DDZ_NET_ACTIVE = 192, /* no situation has more features */
    DDZ_NET_ONE = 2032    /* what 1.0 is in the first layer */
};

/* Which code computes. */
enum {
    DDZ_PORTABLE,
    DDZ_AVX2,
    DDZ_AVX512,
    DDZ_BEST_CODE /* the fastest that this processor has */
};

/* The parameters of one seat, row by row. 72 bytes. */
typedef struct {
    _Alignas(8) const int16_t *first;      /* [DDZ_NET_FEATURES][units], DDZ_NET_ONE is 1.0 */
    _Alignas(8) const int16_t *first_bias; /* [units], likewise */
    _Alignas(8) const int8_t *second;      /* [DDZ_NET_INNER][units] */
    _Alignas(8) const float *second_scale; /* [DDZ_NET_INNER]: what 1 is worth in a row of second */
    _Alignas(8) const float *second_bias;  /* [DDZ_NET_INNER] */
    _Alignas(8) const float *third;        /* [DDZ_NET_INNER inputs][DDZ_NET_INNER outputs] */
    _Alignas(8) const float *third_bias;   /* [DDZ_NET_INNER] */
    _Alignas(8) const float *last;         /* [DDZ_NET_HEADS][DDZ_NET_INNER] */
    _Alignas(8) const float *last_bias;    /* [DDZ_NET_HEADS] */
} ddz_net_parameters;

/* What a seat knows when it is its turn: ddzbot.view.View in C. 48 bytes. */
typedef struct {
    uint64_t hand;
    uint64_t bottom; /* the landlord's public cards, played or not */
    uint64_t deck;
    _Alignas(8) const ddz_move *plays; /* every move so far; the landlord made the first */
    _Alignas(8) uint32_t play_count;
    uint8_t seat;
    uint8_t stake;                 /* the final bid, 1 to 3 */
    uint8_t seat_cards[DDZ_SEATS]; /* cards of each seat before the first move */
    uint8_t unused[7];
} ddz_seen;

/* A network, prepared. Opaque. Never written again, so that threads may share it. */
typedef struct ddz_net ddz_net;

/* Writes the sizes in bytes of ddz_net_parameters, ddz_seen and ddz_net. */
DDZ_API ddz_status ddz_net_layout(uint32_t *sizes, uint32_t count);

/*
 * Prepares a network from the parameters of the three seats, which need not stay. code says which code will compute;
 * *chosen gets that code. DDZ_BAD_INDEX for a code that this processor does not have, or units that no network has.
 */
DDZ_API ddz_status ddz_net_init(ddz_net *net, const ddz_net_parameters *seats, uint32_t units, uint32_t code,
                                uint32_t *chosen);

/*
 * Lists the legal moves in the order of ddz_moves, and values each for its mover: heads[2 * i] is the logit of winning,
 * heads[2 * i + 1] the expected score in points. Both buffers have room for capacity moves. DDZ_BAD_GAME if what is
 * seen cannot be.
 */
DDZ_API ddz_status ddz_net_values(const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits,
                                  const ddz_seen *seen, ddz_move *moves, float *heads, uint32_t capacity,
                                  uint32_t *count);

/*
 * Lists the features of the situation after the legal move that plays cards, in no order; the buffer has room for
 * DDZ_NET_ACTIVE. For tests.
 */
DDZ_API ddz_status ddz_net_features(const ddz_rules *rules, const ddz_splits *splits, const ddz_seen *seen,
                                    uint64_t cards, uint16_t *features, uint32_t *count);

#endif
