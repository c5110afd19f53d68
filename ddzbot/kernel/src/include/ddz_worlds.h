/*
 * Worlds: hidden hands, drawn exactly in proportion to weights. Part of the ddzbot kernel; ddz_kernel.h says what holds
 * for every entry point.
 *
 * Two hidden hands hold the unseen cards together. A table says for each rank what weight it has that the first of them
 * holds 0, 1, 2, 3 or 4 cards of it; the weight of a world is the product of the weights of its 15 ranks. Every world
 * with the right number of cards in the first hand is drawn with a probability of exactly its share of the total.
 *
 * A mixture draws one of several tables first, and then a world of that.
 */
#ifndef DDZ_WORLDS_H
#define DDZ_WORLDS_H

#include "include/ddz_kernel.h"

enum {
    DDZ_COUNTS = 5,      /* how many cards of a rank a hand can hold: 0 to 4 */
    DDZ_MOST_PARTS = 512 /* tables of a mixture */
};

/* A table of weights, prepared, or a mixture. Opaque. Never written again, so that threads may share it. */
typedef struct ddz_worlds ddz_worlds;

/* Writes the size in bytes of ddz_worlds. */
DDZ_API ddz_status ddz_worlds_layout(uint32_t *sizes, uint32_t count);

/*
 * Prepares a table: weights[DDZ_COUNTS * rank + n], 0 where that cannot be. A rank with only one possible n counts as
 * weight 1. The bit lengths of the sums of the other ranks may add up to at most 126. DDZ_BAD_CARDS if the first hand
 * is larger than 20 cards or than all that is unseen; DDZ_BAD_INDEX if the weights are too large, speak of cards that
 * are not unseen, or leave no world. Takes a few microseconds.
 */
DDZ_API ddz_status ddz_worlds_init(ddz_worlds *worlds, uint64_t unseen, uint32_t first_cards, const uint32_t *weights);

/*
 * Prepares a mixture of count tables, one behind the other in memory, which must stay where they are: part i is drawn
 * with a probability of shares[i] in the sum of all shares. DDZ_BAD_INDEX for no part or more than DDZ_MOST_PARTS, or
 * for shares that are all 0 or have a sum of 2^63 or more; DDZ_BAD_RULES for a part that ddz_worlds_init did not fill;
 * DDZ_BAD_CARDS if the parts are not of the same cards.
 */
DDZ_API ddz_status ddz_worlds_mix(ddz_worlds *mixture, const ddz_worlds *parts, const uint64_t *shares,
                                  uint32_t count);

/*
 * Draws count worlds, two hands each: hands[2 * i] is the first hidden hand, hands[2 * i + 1] the second. DDZ_BAD_RULES
 * for memory that neither ddz_worlds_init nor ddz_worlds_mix filled.
 */
DDZ_API ddz_status ddz_worlds_draw(const ddz_worlds *worlds, ddz_random *random, uint64_t *hands, uint32_t count);

#endif
