/*
 * Many games at once for reinforcement learning: one decision of each in a call. Part of the ddzbot kernel;
 * ddz_kernel.h says what holds for every entry point.
 *
 * Positions are places at the table in the order of the auction, seats are roles. Without an auction they are the same.
 */
#ifndef DDZ_ENV_H
#define DDZ_ENV_H

#include "include/ddz_kernel.h"

enum {
    DDZ_ENV_SEEN = 120,     /* bytes of what a player sees */
    DDZ_ENV_CHOICE = 16,    /* bytes of a choice: how many cards of each rank, and the kind */
    DDZ_ENV_BID = DDZ_KINDS /* the kind of the bid of 0; those of 1, 2 and 3 follow */
};

/* What is dealt. 24 bytes. */
typedef struct {
    uint64_t deck;
    uint32_t dealt;        /* to each position, 1 to 20 */
    uint32_t bottom_cards; /* with those the landlord has at most 20 */
    uint32_t bidding;      /* 1: games begin with an auction; 0: position 0 is the landlord */
    uint32_t unused;
} ddz_env_options;

/* A game, and the generator that deals the next ones. 136 bytes, filled by ddz_env_start. */
typedef struct {
    ddz_random random;
    ddz_game game; /* during the auction its hands are by position, and its seat is the one that bids */
    uint64_t bottom;
    uint64_t played[DDZ_SEATS]; /* by seat, all cards so far */
    uint8_t bids[DDZ_SEATS];  /* by position */
    uint8_t bid_count;
    uint8_t landlord; /* the position, or DDZ_NOBODY during the auction */
    uint8_t unused[3];
} ddz_env_table;

/* The arrays that describe all tables. 40 bytes. */
typedef struct {
    _Alignas(8) uint8_t *seen;      /* [tables][DDZ_ENV_SEEN]; ddzbot/env/layout.py says what stands where */
    _Alignas(8) uint8_t *positions; /* [tables]: the position to move, 0 to 2 */
    _Alignas(8) uint8_t *choices;   /* [capacity][DDZ_ENV_CHOICE], one table's after the other's; aligned to 8 bytes */
    _Alignas(8) uint32_t *ends;     /* [tables]: where the choices of each end */
    _Alignas(8) uint32_t capacity;
    uint32_t unused;
} ddz_env_told;

/* Writes the sizes in bytes of ddz_env_options, ddz_env_table and ddz_env_told. */
DDZ_API ddz_status ddz_env_layout(uint32_t *sizes, uint32_t count);

/* Deals a game at every table; table i has a generator of its own, with seed + i. */
DDZ_API ddz_status ddz_env_start(const ddz_rules *rules, const ddz_env_options *options, ddz_env_table *tables,
                                 uint32_t count, uint64_t seed);

/*
 * Makes the choice with the index chosen[i] at table i. Where that ends the game, ended[i] is 1, rewards[i] has the
 * points of each position, [count][3], and the next game is dealt; elsewhere they are 0. DDZ_BAD_INDEX for a choice
 * that there is not: the tables before it have gone on.
 */
DDZ_API ddz_status ddz_env_step(const ddz_rules *rules, const ddz_env_options *options, ddz_env_table *tables,
                                uint32_t count, const uint32_t *chosen, float *rewards, uint8_t *ended);

/* Lists what each player to move sees and can do. DDZ_SHORT_BUFFER if there are more choices than room. */
DDZ_API ddz_status ddz_env_tell(const ddz_rules *rules, const ddz_env_table *tables, uint32_t count,
                                const ddz_env_told *out);

#endif
