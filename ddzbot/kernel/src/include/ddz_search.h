/*
 * Tree search over hidden hands, and the candidates that it starts from. Part of the ddzbot kernel; ddz_kernel.h says
 * what holds for every entry point.
 *
 * One tree is keyed by the public moves from the situation on. Each simulation takes a world (the hidden hands), goes
 * down the tree by UCT over the moves that are legal in that world, and plays on at random to the end. Statistics are
 * whole numbers: visits, and games that the side of the mover won. The same input gives the same tree on every machine.
 *
 * A search runs in portions: ddz_search_init sets it up, each ddz_search_run continues where the last one stopped, and
 * ddz_search_arms may be asked at any time between.
 */
#ifndef DDZ_SEARCH_H
#define DDZ_SEARCH_H

#include "include/ddz_kernel.h"
#include "include/ddz_worlds.h"

enum {
    DDZ_ALL_MOVES = 255, /* as margin: no move is left out */
    DDZ_MOST_BRANCHES = 64,
    DDZ_MOST_HEAD_START = 1 << 24 /* visits that a branch has before the search, and simulations of it in turn */
};

/* Which of the legal moves are candidates. */
enum {
    DDZ_LESS_SPLIT, /* those that a short division begins with: 1 + fewest(hand - m) <= fewest(hand) + margin */
    DDZ_MINI_SPLIT  /* those of the mini Dou Dizhu report (ddzbot/mini_split.py); it has no margin */
};

/* What the seat that is to move knows. 48 bytes. */
typedef struct {
    uint64_t hand;        /* its own */
    uint64_t unseen;      /* what the two others hold together */
    uint64_t certain;     /* the part of unseen that the landlord surely holds; 0 when the landlord is to move */
    uint64_t table_cards; /* what must be beaten, 0 on a lead */
    int32_t table_kind;   /* what these cards were taken for, as in ddz_moves; -1 on a lead */
    uint8_t cards_left[DDZ_SEATS];
    uint8_t seat;   /* the seat to move */
    uint8_t passes; /* passes since the table's cards were played, 0 or 1; 0 on a lead */
    uint8_t unused[7];
} ddz_situation;

/*
 * How to search. 64 bytes. Beyond the tree random players play, or with quick those that search_quick.c describes. The
 * tree grows by such moves too: with random players where the mover's hand is not known, with quick ones everywhere.
 */
typedef struct {
    uint64_t seed;
    uint32_t worlds;         /* 0: each simulation draws a world; else so many are drawn first, and taken in turn */
    uint32_t root_margin;    /* moves beyond the fewest that a candidate of the root may cost, or DDZ_ALL_MOVES */
    uint32_t tree_margin;    /* the same below the root */
    uint32_t expand_at;      /* a node has children from so many visits on, at least 1 */
    uint32_t exploration;    /* thousandths of UCT's C; a game pays the landlord +-2 and a peasant +-1; up to 1000000 */
    uint32_t halving_visits; /* visits of each move of the root before the worse half is given up; 0: none ever is */
    uint32_t halving_least;  /* halving stops at so many moves, at least 1 */
    uint32_t finish;         /* 1: a random player goes out when it can */
    uint32_t long_solos;     /* with more solos to choose from it forgets half; DDZ_ALL_MOVES: never */
    uint32_t quick;          /* 1: quick players; the rules must let a trio and a bomb be played */
    uint32_t noise;          /* thousandths of a turn by which a quick player misjudges a move at most; to 1000000 */
    uint32_t long_list;      /* with more moves in all to choose from it forgets half too; DDZ_MOST_MOVES: never */
    uint32_t pruning;        /* DDZ_LESS_SPLIT or DDZ_MINI_SPLIT: the candidates, at the root and below */
    uint32_t unused;
} ddz_search_options;

/* A move of the root. 24 bytes. */
typedef struct {
    ddz_move move;
    uint32_t visits;
    uint32_t wins; /* simulations that the side to move won */
} ddz_arm;

/* A search and its nodes. Opaque. */
typedef struct ddz_search ddz_search;

/*
 * Lists the candidates in a situation, in the order of ddz_moves; a pass always is one. The buffer must have room for
 * all legal moves. DDZ_BAD_CARDS for a hand of more than DDZ_SPLIT_CARDS cards, DDZ_BAD_INDEX for another pruning.
 */
DDZ_API ddz_status ddz_candidates(const ddz_rules *rules, const ddz_splits *splits, uint64_t hand,
                                  uint64_t table_cards, int32_t table_kind, uint32_t pruning, uint32_t margin,
                                  ddz_move *moves, uint32_t capacity, uint32_t *count);

/* Writes the sizes in bytes of ddz_situation, ddz_search_options, ddz_arm, ddz_search without nodes, one node,
 * and ddz_certain. */
DDZ_API ddz_status ddz_search_layout(uint32_t *sizes, uint32_t count);

/*
 * Sets up a search in memory for ddz_search and so many nodes behind it. That memory, the rules, the splits (of these
 * rules) and the worlds must stay where they are. worlds is a table or a mixture to draw worlds from, whose first hand
 * is that of the hidden seat that moves next, or null: then every deal of the unseen cards that fits cards_left and
 * certain is as likely. DDZ_BAD_GAME if the fields of the situation contradict each other or the worlds; DDZ_BAD_INDEX
 * for options that are out of range; DDZ_SHORT_BUFFER if not even the root's moves have room.
 */
DDZ_API ddz_status ddz_search_init(ddz_search *search, uint32_t nodes, const ddz_rules *rules,
                                   const ddz_splits *splits, const ddz_worlds *worlds, const ddz_situation *situation,
                                   const ddz_search_options *options);

/*
 * Has these moves of the root compete in place of the candidates, each with a head start: visits and wins that count
 * when UCT chooses a move of the root, and for nothing else. A prior value v, as share of games won, that shall weigh
 * as much as n visits is a head start of n visits and v n wins, rounded by the caller. The first in_turn simulations
 * of each branch are made in turn, one of each in a round, and worlds that were drawn first are taken one a round; UCT
 * follows. No field is halved.
 *
 * It is called between ddz_search_init and the first run; a second call replaces the first one. Of a branch only the
 * cards of the move, the visits and the wins are read. DDZ_BAD_GAME after a run; DDZ_BAD_INDEX for no branch or more
 * than DDZ_MOST_BRANCHES, more visits or in_turn than DDZ_MOST_HEAD_START, or more wins than visits; DDZ_BAD_MOVE for a
 * move that is not legal, or there twice; DDZ_SHORT_BUFFER if the branches have no room. The search is then as before.
 */
DDZ_API ddz_status ddz_search_branches(ddz_search *search, const ddz_arm *branches, uint32_t count, uint32_t in_turn);

/* Runs so many simulations. */
DDZ_API ddz_status ddz_search_run(ddz_search *search, uint32_t simulations);

/*
 * Lists the moves of the root with what is known about them, in the order of ddz_moves, or of the branches: simulations
 * alone, no head start. counts[0] is how many they are, counts[1] how many simulations there were, counts[2] how many
 * nodes are used.
 */
DDZ_API ddz_status ddz_search_arms(const ddz_search *search, ddz_arm *arms, uint32_t capacity, uint32_t *counts);

/*
 * Plays one game to the end as simulations do beyond the tree, for tests: writes the three hands that it began
 * with, and the moves in turn. The search's statistics stay as they are, but its later worlds and moves are others.
 */
DDZ_API ddz_status ddz_search_watch(ddz_search *search, uint64_t *hands, ddz_move *moves, uint32_t capacity,
                                    uint32_t *count);

/* What a proof needs beside the situation. Opaque. */
typedef struct ddz_certain ddz_certain;

/*
 * Looks for a move with which the side to move wins whatever the hidden hands are and whatever the others do; but a
 * partner with one card goes out if any card that it may hold lets it. *found becomes 1, and *move such a move, if the
 * proof took at most *nodes positions; else *found becomes 0, which proves nothing. *nodes becomes what it took.
 */
DDZ_API ddz_status ddz_certain_win(ddz_certain *proof, const ddz_rules *rules, const ddz_splits *splits,
                                   const ddz_situation *situation, uint64_t *nodes, ddz_move *move, uint32_t *found);

#endif
