/* What is legal in a situation, as rows and starts of which the moves follow. Internal. */
#ifndef MENU_H
#define MENU_H

#include "rules/rules_state.h"

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

/* menu_open checks what a caller gave; the others trust it. */
ddz_status menu_open(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind, menu *legal);
void menu_lead(const ddz_rules *rules, uint64_t hand, menu *legal);
void menu_follow(const ddz_rules *rules, uint64_t hand, const ddz_move *table, menu *legal);
/* Checks that a move of a doubtful segment is not made by an earlier segment or a lower start. */
bool menu_is_first(const ddz_rules *rules, const menu *legal, uint32_t index, unsigned start, uint64_t cards);

#endif
