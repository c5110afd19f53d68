/* Compiled rules, and what follows from them: moves, random numbers, games. Internal. */
#ifndef RULES_PARTS_H
#define RULES_PARTS_H

#include "base/parts.h"

#include <string.h>

/* ---- Compiled rules ---------------------------------------------------------------------------------------------- */

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
    uint8_t first; /* 1: sure, and no row before it that is not has moves of as many cards */
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

/* ---- Menus: what is legal ---------------------------------------------------------------------------------------- */

enum { MAX_SEGMENTS = MAX_FORMS + DDZ_MAX_SHAPES };

/* A hand with the ranks that it holds at least once, twice, ...; ranks[] counts the first two. */
typedef struct {
    uint64_t cards;
    uint64_t least[5];
    unsigned ranks[3];
} profile;

/* All moves of one row and length. */
typedef struct {
    uint64_t starts; /* rank bits: where the body may start */
    uint32_t each;   /* kicker sets of every start; 0 when they differ */
    uint32_t total;  /* moves */
    uint8_t row;
    uint8_t length;
    uint8_t doubtful; /* 1: another segment, or another start, may make the same sets of cards */
    uint8_t unused;
} segment;

/* Everything that is legal in a situation, in the order of the list: pass, segments, rocket. */
typedef struct {
    profile held;
    uint32_t total;    /* moves; without the doubtful segments until menu_settle */
    uint32_t count;    /* segments */
    uint8_t pass;
    uint8_t rocket;
    uint8_t doubtful; /* 1: a segment is */
    uint8_t lead;
    segment segments[MAX_SEGMENTS];
} menu;

static inline void profile_of(uint64_t hand, profile *held)
{
    held->cards = hand;
    held->least[0] = RANK_BITS;
    held->least[1] = at_least_1(hand);
    held->least[2] = at_least_2(hand);
    held->least[3] = at_least_3(hand);
    held->least[4] = at_least_4(hand);
    held->ranks[0] = DDZ_RANKS;
    held->ranks[1] = rank_count(held->least[1]);
    held->ranks[2] = rank_count(held->least[2]);
}

/* Opens the menu of a hand that leads. */
void menu_lead(const ddz_rules *rules, uint64_t hand, menu *legal);
/* Opens the menu of a hand that leads, where to_beat is the pass, or else must beat it. */
void menu_open(const ddz_rules *rules, uint64_t hand, const ddz_move *to_beat, menu *legal);
/* The same of what a caller gave, which it checks. */
ddz_status menu_read(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind, menu *legal);
/* Checks that a move of a doubtful segment is not made by an earlier segment or a lower start. */
bool menu_is_first(const ddz_rules *rules, const menu *legal, uint32_t index, unsigned start, uint64_t cards);

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* The body of a row at that length; start is the bit position of its lowest rank. */
static inline uint64_t body_of(const row *shape, unsigned length, unsigned start)
{
    return run_of(length) * shape->group << start;
}

/*
 * Makes a move of two words: of single bytes, the processor waits for all of them when the move is copied, a seventh of
 * the time of a search with random players.
 */
static inline ddz_move move_of_words(uint64_t cards, uint64_t kind, int rank, uint64_t length, uint64_t size,
                                     uint64_t kickers)
{
    uint64_t words[2] = {cards, kind | (uint64_t)(uint8_t)rank << 8 | length << 16 | size << 24 | kickers << 32};
    ddz_move made;
    memcpy(&made, words, sizeof made);
    return made;
}

static inline ddz_move move_of(const row *shape, unsigned length, unsigned start, uint64_t cards)
{
    return move_of_words(cards, shape->kind, (int)(start / 4), length, shape->cards_per_rank * length,
                         shape->per_group * length);
}

static inline ddz_move pass_move(void) { return move_of_words(0, DDZ_PASS, -1, 0, 0, 0); }

static inline ddz_move rocket_move(void) { return move_of_words(ROCKET_CARDS, DDZ_ROCKET, DDZ_RANKS - 2, 1, 2, 0); }

/* Adds a move to a trick; after two passes the seat that played last leads. */
static inline void trick_play(ddz_move *to_beat, uint8_t *passes, const ddz_move *move)
{
    if (move->kind != DDZ_PASS) {
        *to_beat = *move;
        *passes = 0;
    } else if (++*passes == DDZ_SEATS - 1) {
        *to_beat = pass_move();
        *passes = 0;
    }
}

/* ---- Readings ---------------------------------------------------------------------------------------------------- */

/* Checks that cards, which have the right number and hold the body, are a move of this row. */
bool reads_as(const row *shape, unsigned length, unsigned start, uint64_t cards);
/* The rank bits where cards, of the size of the form, read as it. */
uint64_t reading_starts(const row *shape, unsigned length, uint64_t cards);

/* ---- Kickers ----------------------------------------------------------------------------------------------------- */

enum { MAX_KICKERS = 2 * DDZ_MAX_LENGTH };

/* The sets of kickers for one body, in the order of itertools.combinations. */
typedef struct {
    uint64_t cards; /* the current set */
    uint64_t unit[DDZ_RANKS];
    uint8_t copies[DDZ_RANKS];
    uint8_t left[DDZ_RANKS + 1]; /* copies of this option and of all later ones */
    uint8_t chosen[MAX_KICKERS];
    unsigned number;
} kicker_walk;

/* How many sets of kickers a body has in the rest of a hand; the first and the next one; and the one at an index. */
uint32_t kickers_count(const ddz_rules *rules, const row *shape, unsigned length, uint64_t rest, uint64_t body);
bool kickers_start(kicker_walk *walk, const row *shape, unsigned length, uint64_t rest, uint64_t body);
bool kickers_next(kicker_walk *walk);
uint64_t kickers_nth(const row *shape, unsigned length, uint64_t rest, uint64_t body, uint32_t index);

/* Checks that the cards of every move tell its reading: no row before it could have read them otherwise. */
bool menu_has_first_readings(const ddz_rules *rules, const menu *legal);
/* Lists a menu from out on, and returns where the list ends; null if it does not fit before end. */
ddz_move *menu_list(const ddz_rules *rules, const menu *legal, ddz_move *out, const ddz_move *end);

/* Counts the doubtful segments, so that totals are right. */
void menu_settle(const ddz_rules *rules, menu *legal);
/* Gets the move at an index below total, of a settled menu. */
ddz_move menu_nth(const ddz_rules *rules, const menu *legal, uint32_t index);
/* Finds the move that plays these cards; false if it is not on the menu. */
bool menu_find(const ddz_rules *rules, const menu *legal, uint64_t cards, ddz_move *move);

/* ---- Random numbers, and cards that they deal -------------------------------------------------------------------- */

/* Checks that a generator was seeded; draws 64 bits; draws a number below a bound, which is at least 1. */
bool random_is_seeded(const ddz_random *random);
uint64_t random_word(ddz_random *random);
uint32_t random_below(ddz_random *random, uint32_t bound);

/* A multiple of 2^-24 from 0 to below 1. */
static inline float random_share(ddz_random *random)
{
    return (float)random_below(random, 1u << 24) / (float)(1u << 24);
}

/* Cards that are still to be dealt: where each lies in a hand, in any order. */
typedef struct {
    uint8_t shifts[DECK_SIZE];
    unsigned left;
} pack;

/* Lists the cards of a deck; draws so many, each set with the same probability. */
pack pack_of(uint64_t deck);
uint64_t pack_draw(pack *cards, unsigned number, ddz_random *random);

/* ---- Games ------------------------------------------------------------------------------------------------------- */

/* Gets DDZ_OK for rules and a game that do not contradict themselves; the other two check nothing. */
ddz_status game_check(const ddz_rules *rules, const ddz_game *game);
/* Plays a legal move for the seat whose turn it is. */
void game_play(const ddz_rules *rules, ddz_game *game, const ddz_move *move);
/* Writes what each seat is paid for a finished game, in two-hundredths of a point: for example 400 is 2 points. */
void game_score(const ddz_rules *rules, const ddz_game *game, int64_t *scores);

#endif
