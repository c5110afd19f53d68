/*
 * Search with the fast network: the best moves are played out over many worlds, all seats by the network. Part of the
 * ddzbot kernel; ddz_kernel.h says what holds for every entry point.
 *
 * The network picks the moves that compete. Every world is played once after each of them, so that luck in the hidden
 * cards is the same for all (G. Tesauro, G. Galperin, "On-line Policy Improvement using Monte-Carlo Search", NIPS
 * 1996, with common worlds); a move that is clearly behind the best is given up. Worlds may be weighed by how likely
 * the network would have played what the hidden seats really played with them; none is played twice.
 */
#ifndef DDZ_ROLLOUT_H
#define DDZ_ROLLOUT_H

#include "include/ddz_net.h"
#include "include/ddz_worlds.h"

enum { DDZ_MOST_ARMS = 16, DDZ_MOST_WORLDS = 8192, DDZ_MOST_KNOWN = 512, DDZ_MOST_POOLED = 4096 };

/*
 * How to search, by the options of the player champion. 40 bytes. In thousandths are margin (of a logit, or with
 * by_score of a point), temperature (of a logit) and blend; prune_z is in hundredths.
 */
typedef struct {
    uint64_t seed;
    uint32_t max_moves;   /* at most so many moves compete, 1 to DDZ_MOST_ARMS */
    uint32_t margin;      /* how much worse than the best a move that competes may be, up to 1000000 */
    uint32_t prior;       /* the network's own value counts as so many playouts, up to 100000 */
    uint32_t prune_z;     /* a move is given up when it is so many standard errors behind; 0: none ever is */
    uint32_t oversample;  /* 0: every world counts alike; else so many are drawn for each that is taken, up to 16 */
    uint32_t temperature; /* with oversample: the lowest temperature of the play that is expected */
    uint32_t by_score;    /* 1: points decide, in the choice of moves, the playouts and the result; 0: wins */
    uint32_t blend;       /* the network's own value counts as so much more for each playout, up to 100000 */
} ddz_rollout_options;

/* A move that competes. 64 bytes. */
typedef struct {
    ddz_move move;
    float win;       /* the network's logit */
    float score;     /* the network's score */
    uint32_t visits; /* worlds, as often as they count */
    uint32_t wins;
    double points;   /* with by_score what the playouts paid, added up; else 0 */
    double behind;   /* what the best move was paid more, mean over their common worlds, with the network */
    double variance; /* of behind; for the best move that of what it was paid */
    double own;      /* the variance of what it was paid, on average over its worlds */
} ddz_rollout_arm;

/* A search. Opaque. */
typedef struct ddz_rollout ddz_rollout;

/* Writes the sizes in bytes of ddz_rollout_options, ddz_rollout_arm and ddz_rollout. */
DDZ_API ddz_status ddz_rollout_layout(uint32_t *sizes, uint32_t count);

/*
 * Sets up a search. The network, rules, splits and worlds must stay; worlds is a table, no mixture, whose first hand
 * is that of the hidden seat that moves next. DDZ_BAD_GAME if what is seen cannot be, or the worlds are a mixture or of
 * another situation.
 */
DDZ_API ddz_status ddz_rollout_init(ddz_rollout *search, const ddz_net *net, const ddz_rules *rules,
                                    const ddz_splits *splits, const ddz_worlds *worlds, const ddz_seen *seen,
                                    const ddz_rollout_options *options);

/*
 * Lets only these moves compete, of which the network's best are taken as in ddz_rollout_init; without any, all do.
 * DDZ_BAD_GAME if the search has run, or if none of them is legal, after which the search cannot be used.
 */
DDZ_API ddz_status ddz_rollout_only(ddz_rollout *search, const uint64_t *cards, uint32_t count);

/*
 * Plays out at least so many games, to the end of a world, unless one move is left, there were DDZ_MOST_WORLDS, or
 * the last DDZ_MOST_KNOWN had all been played before.
 */
DDZ_API ddz_status ddz_rollout_run(ddz_rollout *search, uint32_t playouts);

/*
 * Lists the moves that compete, those given up too, the network's best first. Four counts: moves, playouts, a bit for
 * each move that was not given up, and the index of the best one, the network's evaluation included.
 */
DDZ_API ddz_status ddz_rollout_arms(const ddz_rollout *search, ddz_rollout_arm *arms, uint32_t capacity,
                                    uint32_t *counts);

/*
 * Lists the worlds that were drawn, hands as ddz_worlds_draw writes them, with weights that add up to 1; *count becomes
 * their number, at most DDZ_MOST_POOLED. Without drawn there are none.
 */
DDZ_API ddz_status ddz_rollout_worlds(const ddz_rollout *search, uint64_t *hands, float *weights, uint32_t capacity,
                                      uint32_t *count);

#endif
