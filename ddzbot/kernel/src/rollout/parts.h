/* The search with the fast network. Internal. */
#ifndef ROLLOUT_PARTS_H
#define ROLLOUT_PARTS_H

#include "include/ddz_rollout.h"
#include "net/parts.h"
#include "worlds/parts.h"

/* ---- The memory of a search -------------------------------------------------------------------------------------- */

#define ROLLOUT_MAGIC 0x74756F6C6C5244ULL

enum {
    MOST_OVERSAMPLE = 16,
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
    uint64_t played_since; /* by all seats, this move too */
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
    ddz_game game; /* with by_score: what was played so far; hands are filled in for each world */
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
    net_player player;
};

/* ---- Belief ------------------------------------------------------------------------------------------------------ */

/* The log of how likely the play so far was in a world. */
float belief_likelihood(ddz_rollout *search, uint64_t first_hand);

/* ---- Proposals: the tables that worlds are drawn from ------------------------------------------------------------ */

/* Begins with the model; draws a world; notes how much likelier the proposals from the first one on draw a world than
 * the model; writes the weights of the pool, and returns their sum; makes a new proposal from the pool. */
void proposals_open(ddz_rollout *search);
uint64_t proposals_draw(ddz_rollout *search);
void proposals_compare(const ddz_rollout *search, pooled *world, uint32_t first);
float proposals_weigh(const ddz_rollout *search, float *weights);
void proposals_adapt(ddz_rollout *search);

/* ---- The worlds that come next ----------------------------------------------------------------------------------- */

/* Forgets all worlds; chooses the next batch. */
void pool_open(ddz_rollout *search);
void pool_fill(ddz_rollout *search);

/* ---- Playouts ---------------------------------------------------------------------------------------------------- */

/* Keeps what the moves so far mean for the score; needs the decisions. */
void rollout_open_game(ddz_rollout *search);
/* Plays on from a move in a world; returns the seat that goes out, and the payoff of the own seat: with by_score
 * points, else 1 for a win and 0 for a loss. */
unsigned rollout_play(ddz_rollout *search, uint64_t first_hand, const ddz_move *move, float *payoff);

#endif
