/* What the search with the fast network knows. Internal. */
#ifndef ROLLOUT_STATE_H
#define ROLLOUT_STATE_H

#include "include/ddz_rollout.h"
#include "net/net.h"
#include "net/net_player.h"
#include "worlds/worlds.h"

#define ROLLOUT_MAGIC 0x74756F6C6C5244ULL

enum {
    MOST_DRAWN = 16,
    BATCH = 16,
    MOST_POOLED = DDZ_MOST_POOLED,
    SLOT_BITS = 13,
    FIRST_DRAWS = 128,
    MOST_PROPOSALS = 6
};

/* An earlier move, and where it was made. */
typedef struct {
    public_table before;
    ddz_move made;
    uint64_t laid_since; /* by all seats, this move too */
} decision;

/* A world that was drawn, and what the moves were paid in it. */
typedef struct {
    uint64_t first_hand;
    float likelihood;             /* log of how likely the play so far was in it */
    float chance;                 /* the same as a share of the likeliest */
    float ratios[MOST_PROPOSALS]; /* how much likelier each proposal draws it than the model of the hidden hands */
    uint32_t drawn;               /* how often it was drawn */
    uint32_t taken;               /* how often it counts */
    uint32_t won;                 /* bit per arm */
    float payoffs[DDZ_MOST_ARMS]; /* to those that were alive when it was taken first */
} pooled;

/* A table that worlds were drawn from; ratios by free rank of the model. */
typedef struct {
    uint32_t draws;
    double scale; /* the total of the model over that of this table */
    double ratios[DDZ_RANKS][DDZ_COUNTS];
} proposal;

struct ddz_rollout {
    uint64_t magic;
    const ddz_net *net;
    const ddz_rules *rules;
    const ddz_splits *splits;
    const ddz_worlds *worlds;
    ddz_rollout_options options;
    ddz_random random;
    public_table table;
    uint64_t hand;
    uint64_t unseen;
    ddz_rollout_arm arms[DDZ_MOST_ARMS];
    uint32_t arm_count;
    uint32_t alive; /* bit per arm */
    uint32_t world_count;
    uint32_t playouts;
    float lead[DDZ_MOST_ARMS][DDZ_MOST_ARMS];  /* what one arm was paid more than another, added up over worlds */
    float apart[DDZ_MOST_ARMS][DDZ_MOST_ARMS]; /* the same squared */
    float paid[3][DDZ_MOST_ARMS]; /* squares of how often worlds counted; times what was paid; times its square */
    ddz_game game; /* with by_score: what was laid so far; hands are filled in for each world */
    uint32_t known_worlds;          /* how many worlds were taken since one had to be played */
    pooled pool[MOST_POOLED];       /* without weighing no more than the batch */
    uint16_t slots[1 << SLOT_BITS]; /* a hash table of the pool: one more than the place in it, or 0 */
    uint32_t pool_count;
    uint32_t pool_draws;
    float best_likelihood;
    proposal proposals[MOST_PROPOSALS]; /* the first is the model of the hidden hands */
    uint32_t proposal_count;
    ddz_worlds table_of_last; /* unless that is the model */
    uint32_t batch[BATCH]; /* the worlds that come next: places in the pool */
    uint32_t batch_left;
    decision decisions[MOST_PLAYS];
    uint32_t decision_count;
    fewest_slot fewest[1 << FEWEST_BITS];
    net_player player;
};

#endif
