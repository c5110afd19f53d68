/* What compiled rules are. Internal. */
#ifndef RULES_STATE_H
#define RULES_STATE_H

#include "base/hand.h"

enum { MAX_FORMS = DDZ_MAX_SHAPES * DDZ_MAX_LENGTH };

/* Marks memory that an init function filled. */
#define RULES_MAGIC 0x656C7572444444ULL

/* A ddz_shape with what follows from it. */
typedef struct {
    uint64_t body_ranks; /* rank bits that a body may hold */
    uint8_t kind;
    uint8_t group;
    uint8_t min_length;
    uint8_t max_length;
    uint8_t longest; /* max_length, or less so that a move is no larger than the largest hand; it may be 0 */
    uint8_t kicker;
    uint8_t per_group;
    uint8_t kicker_rule;
    uint8_t cards_per_rank;
    uint8_t sure;  /* 1: no other body of a sure row makes the same set of cards */
    uint8_t first; /* 1: sure, and so is every row before it */
    uint8_t unused[5];
} row;

/* A row at one length. */
typedef struct {
    uint8_t row;
    uint8_t length;
} form;

typedef struct {
    row rows[DDZ_MAX_SHAPES];
    uint32_t count;
    form forms[MAX_FORMS];                /* in the order of their number of cards, then of the rows */
    uint16_t first_form[DECK_SIZE + 2];   /* by number of cards */
} grammar;

struct ddz_rules {
    uint64_t magic;
    grammar legal;
    grammar recognised;
    uint16_t choose[16][16];       /* binomial coefficients */
    uint8_t one_reading[DDZ_KINDS]; /* 1: every legal move of that kind has one recognised reading */
    uint8_t plays_on;               /* 1: every hand has a lead, so that every game ends */
    ddz_terms terms;
};

static inline bool bad_rules(const ddz_rules *rules) { return bad_pointer(rules, 8) || rules->magic != RULES_MAGIC; }

#endif
