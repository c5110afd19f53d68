/*
 * The ddzbot kernel: legal moves, random games and hand splitting for Dou Dizhu, behind a plain C ABI.
 *
 * Cards. A set of cards is a uint64_t with four bits a rank: bits 4r to 4r+3 count the cards of rank r.
 *
 *     r      0  1  2  3  4  5  6  7  8  9  10 11 12 13              14
 *     text   3  4  5  6  7  8  9  T  J  Q  K  A  2  L little joker  B big joker
 *
 * For example 0x0000000000000013 is "3334", and 0x0110000000000000 is the rocket. A count is at most 4 and a joker
 * occurs once; other words are refused with DDZ_BAD_CARDS. ddzbot/cards.py uses the same layout.
 *
 * Rules. Nothing here knows a platform. The caller describes a rule set by rows of numbers (ddz_shape, ddz_terms), the
 * same that ddzbot/rules.py is written in, and ddz_rules_init compiles them.
 *
 * Memory. The caller owns all of it: nothing is allocated, and there is no mutable global. ddz_rules and ddz_splits
 * are opaque; ddz_layout says how large they are. Every pointer must be aligned to 8 bytes, unless it points to
 * uint32_t (4) or uint8_t (1). In a record a pointer takes 8 bytes everywhere; where it has 4, the rest is not read.
 * Compiled rules and splits are never written again, so threads may share them; a ddz_random or ddz_game belongs to one
 * thread at a time.
 *
 * Status. Every entry point but ddz_version and ddz_build returns one. After anything but DDZ_OK the contents of
 * the output are unspecified, and nothing outside it was written.
 *
 * Randomness. A generator is 32 bytes of the caller. The same seed gives the same moves on every machine; choices
 * are integer arithmetic only.
 */
#ifndef DDZ_KERNEL_H
#define DDZ_KERNEL_H

#include <stdint.h>

#if defined(_WIN32)
#define DDZ_API __declspec(dllexport)
#else
#define DDZ_API __attribute__((visibility("default")))
#endif

/* Raised with every change of a header or of what a function answers; ddzbot/kernel/library.py has it too. */
#define DDZ_VERSION 20u

enum {
    DDZ_RANKS = 15,
    DDZ_SEATS = 3,        /* 0 landlord, 1 landlord_down, 2 landlord_up; play goes 0, 1, 2, 0, ... */
    DDZ_MAX_SHAPES = 24,  /* rows of one grammar */
    DDZ_MAX_LENGTH = 12,  /* ranks in a chain: 3 to A */
    DDZ_MOST_MOVES = 65536, /* more than any hand has under the rule sets of ddzbot/rules.py */
    DDZ_SPLIT_CARDS = 20  /* the largest hand that ddz_fewest_moves splits */
};

/* The kinds of move, in the order of KIND_NAMES in ddzbot/rules.py. */
enum {
    DDZ_PASS,
    DDZ_SOLO,
    DDZ_PAIR,
    DDZ_TRIO,
    DDZ_TRIO_SOLO,
    DDZ_TRIO_PAIR,
    DDZ_SOLO_CHAIN,
    DDZ_PAIR_CHAIN,
    DDZ_PLANE,
    DDZ_PLANE_SOLO,
    DDZ_PLANE_PAIR,
    DDZ_FOUR_TWO_SOLO,
    DDZ_FOUR_TWO_PAIR,
    DDZ_BOMB,
    DDZ_ROCKET,
    DDZ_SHUTTLE,
    DDZ_SHUTTLE_SOLO,
    DDZ_SHUTTLE_PAIR,
    DDZ_UNKNOWN,
    DDZ_KINDS
};

/* Which kickers go together. */
enum {
    DDZ_DISTINCT, /* each of a rank of its own, outside the body */
    DDZ_REPEATED, /* ranks may repeat, outside the body */
    DDZ_ANY       /* any cards */
};

typedef int32_t ddz_status;
enum {
    DDZ_OK,
    DDZ_BAD_POINTER,  /* null or not aligned */
    DDZ_BAD_RULES,    /* rows that are no grammar, or memory that ddz_rules_init or ddz_splits_init did not fill */
    DDZ_BAD_CARDS,    /* cards that are not in the deck of 54, or too many of them */
    DDZ_BAD_MOVE,     /* a kind that does not exist, or a move that is not legal now */
    DDZ_BAD_INDEX,    /* an index or an option that is out of range */
    DDZ_BAD_GAME,     /* a game whose fields contradict each other, or one that is over */
    DDZ_BAD_RANDOM,   /* a generator that was not seeded */
    DDZ_SHORT_BUFFER  /* the buffer cannot hold the answer */
};

/* One row of a grammar: a body of equal groups in consecutive ranks, and its kickers. 8 bytes. */
typedef struct {
    uint8_t kind;
    uint8_t group;       /* cards of each body rank, 1 to 4 */
    uint8_t min_length;  /* body ranks; both are 1 without a chain, else at least 2 */
    uint8_t max_length;
    uint8_t kicker;      /* cards of one kicker: 0, 1 or 2; kickers need a group of 3 or 4 */
    uint8_t per_group;   /* kickers for each body rank, 0, 1 or 2 */
    uint8_t kicker_rule; /* DDZ_DISTINCT, DDZ_REPEATED or DDZ_ANY */
    uint8_t top_rank;    /* the highest rank a body may hold */
} ddz_shape;

/* What a rule set says beside its grammars. 104 bytes. */
typedef struct {
    uint32_t largest_hand;      /* no move has more cards, 1 to 20 */
    int32_t landlord_wins[2];   /* points of (landlord, each peasant) when the landlord goes out first */
    int32_t peasants_win[2];    /* ... and when a peasant does */
    uint32_t stake_counts;      /* 1: the points are multiplied by the final bid */
    uint32_t bombs_double;      /* 1: every bomb or rocket played doubles them */
    uint32_t spring_doubles;    /* 1: spring and anti-spring double them */
    int32_t long_shuttle_points; /* hundredths for a shuttle of three quads or more */
    int32_t trick_points[DDZ_KINDS - 2]; /* hundredths by kind, for kinds 1 to 17 */
} ddz_terms;

/* One reading of a set of cards played at once, or the pass (no cards, DDZ_PASS, -1, 0). 16 bytes. */
typedef struct {
    uint64_t cards;
    uint8_t kind;
    int8_t rank;    /* lowest rank of the body, -1 for the pass and for kind unknown */
    uint8_t length; /* ranks in the body: 1 without a chain, 0 for the pass and for kind unknown */
    uint8_t size;   /* cards */
    uint8_t kickers; /* how many kickers (solos or pairs) */
    uint8_t unused[3];
} ddz_move;

/* A generator, xoshiro256**; fill it with ddz_random_seed. 32 bytes. */
typedef struct {
    uint64_t state[4];
} ddz_random;

/* A game with all hands open. 64 bytes. The caller fills in where it stands; the kernel plays on. */
typedef struct {
    uint64_t hands[DDZ_SEATS]; /* what each seat holds */
    ddz_move to_beat;          /* kind DDZ_PASS on a lead */
    int32_t points[DDZ_SEATS]; /* trick points so far, hundredths */
    uint16_t plies;            /* moves and passes so far */
    uint8_t seat;              /* the seat to move */
    uint8_t passes;            /* passes since to_beat was played, 0 or 1 */
    uint8_t bombs;             /* bombs and rockets played so far */
    uint8_t played[DDZ_SEATS];   /* how often each seat played cards; counting stops at 255 */
    uint8_t winner;            /* the seat that went out, or DDZ_NOBODY */
    uint8_t stake;             /* the final bid, 1 to 3 */
    uint8_t unused[2];
} ddz_game;
enum { DDZ_NOBODY = 255 };

/* Sums over finished games. 72 bytes. */
typedef struct {
    uint64_t games;
    uint64_t wins[DDZ_SEATS];  /* games in which that seat went out */
    uint64_t plies;
    uint64_t bombs;
    int64_t scores[DDZ_SEATS]; /* two-hundredths of a point: trick points are hundredths, and peasants share theirs */
} ddz_totals;

/* A rule set, compiled. Opaque. */
typedef struct ddz_rules ddz_rules;

/* A question for ddz_list and the room for its answer. 64 bytes. */
typedef struct {
    _Alignas(8) const ddz_rules *rules;
    _Alignas(8) uint64_t hand;
    uint64_t table_cards; /* as of ddz_moves, and so is the kind */
    int64_t table_kind;
    _Alignas(8) ddz_move *moves; /* room for so many moves as capacity says */
    _Alignas(8) uint64_t *cards; /* and for the cards of as many */
    _Alignas(8) uint32_t capacity;
    uint32_t unused;
    uint32_t count;          /* how many moves there are */
    uint32_t first_readings; /* as of ddz_moves */
} ddz_listing;

/* What ddz_fewest_moves looks up, for one rule set. Opaque. */
typedef struct ddz_splits ddz_splits;

/* ---- Handshake ---------------------------------------------------------------------------------------------- */

/* The DDZ_VERSION that this library was built from. Call it first; with another version nothing else is safe. */
DDZ_API uint32_t ddz_version(void);

/* The hash of the sources that this library was built from, ending in a zero byte; "unknown" if the build gave none. */
DDZ_API const char *ddz_build(void);

/*
 * Writes the sizes in bytes of ddz_shape, ddz_terms, ddz_rules, ddz_move, ddz_random, ddz_game, ddz_totals,
 * ddz_splits and ddz_listing, in this order. DDZ_SHORT_BUFFER if count is below 9.
 */
DDZ_API ddz_status ddz_layout(uint32_t *sizes, uint32_t count);

/* ---- Rules -------------------------------------------------------------------------------------------------- */

/*
 * Compiles a rule set. legal are the rows of what may be played, recognised of what is understood when others play it;
 * a lead lists moves in the order of the rows. No two rows of a grammar may give the same kind, length and number of
 * cards.
 */
DDZ_API ddz_status ddz_rules_init(ddz_rules *rules, const ddz_shape *legal, uint32_t legal_count,
                                  const ddz_shape *recognised, uint32_t recognised_count, const ddz_terms *terms);

/*
 * Lists every reading of cards, by the recognised grammar if recognised is not 0, else by the legal one. No cards
 * have one reading, the pass; cards that are no move have none.
 */
DDZ_API ddz_status ddz_classify(const ddz_rules *rules, uint64_t cards, uint32_t recognised, ddz_move *moves,
                                uint32_t capacity, uint32_t *count);

/* ---- Legal moves -------------------------------------------------------------------------------------------- */

/*
 * A situation is a hand and what it must beat: table_cards with the kind that they were taken for, or 0 and -1 when
 * the hand leads. table_kind may be DDZ_UNKNOWN. Moves are counted by their cards: suits do not matter, and a set of
 * cards with several readings is one move, with the first reading that is legal.
 */

/*
 * Lists the legal moves in the order of ddzbot.rules.legal_moves: the pass first on a follow, then the shapes in the
 * order of their rows, by length, rank and kickers; bombs; the rocket. *first_readings is set to 1 when every move has
 * the reading that ddz_classify gives first, so that its cards alone determine it, else to 0.
 */
DDZ_API ddz_status ddz_moves(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind,
                             ddz_move *moves, uint32_t capacity, uint32_t *count, uint32_t *first_readings);

/*
 * The same for callers to whom an argument is dear: all of them are in one record, and their cards alone stand side by
 * side. The statuses are those of ddz_moves.
 */
DDZ_API ddz_status ddz_list(ddz_listing *asked);

/*
 * Lists the leads of several hands, one list after the other in moves; ends[i] is where the list of hands[i] ends.
 */
DDZ_API ddz_status ddz_leads_batch(const ddz_rules *rules, const uint64_t *hands, uint32_t hand_count,
                                   ddz_move *moves, uint32_t capacity, uint32_t *ends);

/* ---- Random moves and games --------------------------------------------------------------------------------- */

/* Seeds a generator; every seed, 0 too, is as good as any other. */
DDZ_API ddz_status ddz_random_seed(ddz_random *random, uint64_t seed);

/* Draws one legal move, each with exactly the same probability: the move at a random index of the list. */
DDZ_API ddz_status ddz_random_move(const ddz_rules *rules, uint64_t hand, uint64_t table_cards, int32_t table_kind,
                                   ddz_random *random, ddz_move *move);

/*
 * Plays count games from where game stands to the end, every move drawn as by ddz_random_move, and adds them to totals,
 * which the caller has set to zero once. DDZ_BAD_GAME for a game that is over.
 */
DDZ_API ddz_status ddz_playouts(const ddz_rules *rules, const ddz_game *game, uint32_t count, ddz_random *random,
                                ddz_totals *totals);

/*
 * Plays these cards in turn, no cards are a pass, and stops before the first that the rules refuse. The moves that are
 * recognised first are played. *legal is how many were played, and game where it stands then; once it is over, scores
 * is what each seat is paid, in two-hundredths of a point.
 */
DDZ_API ddz_status ddz_replay(const ddz_rules *rules, ddz_game *game, const uint64_t *cards, uint32_t count,
                              uint32_t *legal, int64_t *scores);

/* ---- Splitting a hand --------------------------------------------------------------------------------------- */

/* Prepares splits for a rule set, which must let any solo and any pair be played. Takes about a millisecond. */
DDZ_API ddz_status ddz_splits_init(const ddz_rules *rules, ddz_splits *splits);

/*
 * Finds the fewest legal leads that empty a hand of at most DDZ_SPLIT_CARDS cards; exact. For example 3334445566 takes
 * one move, and the empty hand none.
 */
DDZ_API ddz_status ddz_fewest_moves(const ddz_splits *splits, uint64_t hand, uint32_t *fewest);

/* The same for several hands; fewest[i] belongs to hands[i]. */
DDZ_API ddz_status ddz_fewest_moves_batch(const ddz_splits *splits, const uint64_t *hands, uint32_t hand_count,
                                          uint8_t *fewest);

#endif
