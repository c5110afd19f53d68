/* Worlds, as the searches draw them. Internal. */
#ifndef WORLDS_PARTS_H
#define WORLDS_PARTS_H

#include "base/parts.h"
#include "include/ddz_worlds.h"

enum {
    FIRST_CARDS = 20, /* the most cards of the first hidden hand */
    NONE_LEFT = 4,    /* the column of 0 cards; those before it stand for fewer, which are no ways */
    TOTAL_BITS = 126  /* every total is below 2 to this power */
};

/* 128 bits in memory that is aligned to 8 bytes. */
typedef struct {
    uint64_t low;
    uint64_t high;
} wide;

struct ddz_worlds {
    uint64_t magic;
    const ddz_worlds *parts; /* of a mixture: the tables; else null */
    uint64_t unseen;
    uint64_t fixed; /* cards of the first hand in ranks with one possible count */
    uint32_t left;  /* cards of the first hand in free ranks, those with several */
    uint32_t free;  /* how many free ranks there are; the arrays below are indexed by them */
    uint32_t part_count;
    uint32_t weights[DDZ_RANKS][DDZ_COUNTS];
    uint8_t shifts[DDZ_RANKS]; /* 4r for rank r */
    uint8_t most[DDZ_RANKS];   /* the largest possible count */
    union {
        /* ahead[i][NONE_LEFT + k]: the weight of all ways to give the hand k cards of the i-th and later free ranks. */
        wide ahead[DDZ_RANKS + 1][NONE_LEFT + FIRST_CARDS + 1];
        uint64_t ends[DDZ_MOST_PARTS]; /* of a mixture: the sum of the shares of each part and those before it */
    };
};

/* Draws the first hidden hand; the second holds worlds->unseen less that. */
uint64_t worlds_draw(const ddz_worlds *worlds, ddz_random *random);

/* How many cards the first hidden hand has. */
static inline unsigned worlds_first_cards(const ddz_worlds *worlds) { return worlds->left + size_of(worlds->fixed); }

/*
 * Of a table, no mixture: the sum of the weights of all worlds; and by free rank the share of it in which the first
 * hand has so many cards.
 */
double worlds_total(const ddz_worlds *worlds);
void worlds_shares(const ddz_worlds *worlds, double (*shares)[DDZ_COUNTS]);

#endif
