/* The fast network, and the one that values bids. Internal. */
#ifndef NET_PARTS_H
#define NET_PARTS_H

#include "base/parts.h"
#include "include/ddz_auction.h"
#include "include/ddz_net.h"
#include "include/ddz_search.h"
#include "rules/parts.h"
#include "split/parts.h"

#include <stddef.h>

/* ---- The parameters of the fast network -------------------------------------------------------------------------- */

#define NET_MAGIC 0x74656E5A4444ULL

enum {
    FEATURES = DDZ_NET_FEATURES,
    MOST_UNITS = DDZ_NET_MOST_UNITS,
    INNER = DDZ_NET_INNER,
    HEADS = DDZ_NET_HEADS,
    TAKINGS = 10, /* ways to take k of c cards of one rank: 1 <= k <= c <= 4 */
    ROWS = FEATURES + DDZ_RANKS * TAKINGS
};

/* The parameters of one seat as they are computed with. */
typedef struct {
    uint32_t units;
    uint32_t unused[15]; /* so that the rows begin at a multiple of 64 */
    /* Rows of so many units: those of the features, then those of takings. Pages behind the last row stay untouched. */
    int16_t rows[ROWS * MOST_UNITS];
    int16_t first_bias[MOST_UNITS];
    int8_t second[MOST_UNITS / 4][INNER][4]; /* four inputs of each output side by side */
    float second_scale[INNER];
    float second_bias[INNER];
    float third[INNER][INNER];
    float third_bias[INNER];
    float last[HEADS][INNER];
    float last_bias[HEADS];
    uint32_t more_unused[14];
} seat_net;

struct ddz_net {
    uint64_t magic;
    uint32_t code;
    uint32_t unused[13]; /* so that the seats begin at a multiple of 64 */
    seat_net seats[DDZ_SEATS];
};

static inline const int16_t *feature_row(const seat_net *net, unsigned feature)
{
    return net->rows + (size_t)feature * net->units;
}

/* What changes when k of c cards of a rank leave the hand and are played; the rows were added up beforehand. */
static inline const int16_t *taken_row(const seat_net *net, unsigned rank, unsigned taking)
{
    return feature_row(net, FEATURES + rank * TAKINGS + taking);
}

/* The place of taking k of c cards. */
static inline unsigned taking_of(unsigned count, unsigned taken) { return (count - 1) * count / 2 + taken - 1; }

static inline bool bad_net(const ddz_net *net) { return bad_pointer(net, 8) || net->magic != NET_MAGIC; }

/* ---- Its arithmetic ---------------------------------------------------------------------------------------------- */

enum {
    CLIPPED_ONE = 127, /* what 1.0 is after the first layer */
    CLIP_SHIFT = 4     /* DDZ_NET_ONE is CLIPPED_ONE << CLIP_SHIFT */
};

/* One way to compute: adds rows of so many units to sums, one after the other; values one set of sums. */
typedef struct {
    void (*sum)(int16_t *sums, const int16_t *base, const int16_t *const *rows, unsigned count,
                unsigned units);
    void (*value)(const seat_net *net, const int16_t *sums, float *heads);
} layer_code;

/* What an inner unit below 0 is multiplied by; one that is 0 there would learn nothing. */
#define SLOPE 0.1f

/* Adds eight lanes up pairwise; the order of AVX2's two halves. */
static inline float folded(const float *lanes)
{
    float low = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    float high = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    return low + high;
}

/* Gets the variant that a code of ddz_net_init stands for. */
const layer_code *layers_of(uint32_t code);

/* That for processors with AVX-512. */
extern const layer_code LAYERS_AVX512;

/* ---- What all players see of a game ------------------------------------------------------------------------------ */

enum {
    NO_RANK = 15,
    MOST_PLAYS = 400 /* a game has at most 54 moves with two passes behind each */
};

/* What is public in a game. */
typedef struct {
    uint64_t played[DDZ_SEATS];
    uint64_t led[DDZ_SEATS];
    uint64_t last[DDZ_SEATS]; /* the cards of each seat's last move, 0 for a pass */
    uint64_t bottom_left;
    ddz_move to_beat;
    uint8_t declined[DDZ_SEATS][2]; /* the lowest rank of an enemy's solo, pair that a seat passed on; or NO_RANK */
    uint8_t passed[DDZ_SEATS];      /* 1: the last move was a pass */
    uint8_t left[DDZ_SEATS];
    uint8_t seat;
    uint8_t passes;
    uint8_t holder; /* the player of to_beat */
    uint8_t bombs;
    uint8_t stake;
} public_table;

/* The table before the first move; and a move on it. */
void table_start(public_table *table, uint64_t bottom, const uint8_t *seat_cards, uint8_t stake);
void table_play(public_table *table, const ddz_move *move);

/* Rebuilds what is public in a view, and checks that it fits together. */
ddz_status table_read(const ddz_seen *seen, public_table *table, uint64_t *unseen);

static inline unsigned seat_after(unsigned seat) { return seat == 2 ? 0 : seat + 1; }
static inline unsigned seat_before(unsigned seat) { return seat == 0 ? 2 : seat - 1; }

/* ---- Features ---------------------------------------------------------------------------------------------------- */

enum { CARD_SLOTS = 57 /* a set of cards as features: slot 4r + k - 1 for the k-th card of rank r */ };

/* Where each group of features begins; "next" and "previous" are seats as the mover sees them. */
enum {
    HAND_AFTER = 0,
    PLAYED_NOW = HAND_AFTER + CARD_SLOTS,
    UNSEEN = PLAYED_NOW + CARD_SLOTS,
    PLAYED = UNSEEN + CARD_SLOTS,          /* by next; then by previous */
    LAST_PLAYED = PLAYED + 2 * CARD_SLOTS,   /* likewise; nothing after a pass */
    LED = LAST_PLAYED + 2 * CARD_SLOTS,      /* likewise: what was played as a lead */
    BOTTOM_LEFT = LED + 2 * CARD_SLOTS,    /* the landlord's public cards that are still held */
    KIND_NOW = BOTTOM_LEFT + CARD_SLOTS,
    KIND_TO_BEAT = KIND_NOW + DDZ_KINDS,   /* the pass on a lead */
    TABLE_HOLDER = KIND_TO_BEAT + DDZ_KINDS, /* none, next, previous */
    LAST_PASSED = TABLE_HOLDER + DDZ_SEATS,  /* next, previous */
    CARDS_LEFT = LAST_PASSED + 2,            /* own after the move, next, previous: 0 to 20 */
    FEWEST_AFTER = CARDS_LEFT + 3 * 21,      /* 0 to 15 */
    BOMBS_SO_FAR = FEWEST_AFTER + 16,        /* at least 1, ... at least 6 */
    STAKE = BOMBS_SO_FAR + 6,
    DECLINED = STAKE + 3,            /* next's solo, pair; previous' solo, pair: the lowest rank that an enemy played */
    ON_TOP = DECLINED + 4 * 16,      /* no unseen move of the same kind beats this one */
    BLASTS_UNSEEN = ON_TOP + 1,      /* the unseen cards have a bomb or the rocket */
    SOLOS_AFTER = BLASTS_UNSEEN + 1,     /* 5 * ranks of one card, to 7, + those that no unseen card beats, to 4 */
    PAIRS_AFTER = SOLOS_AFTER + 8 * 5,   /* 4 * ranks of two, to 5, + those that no unseen pair beats, to 3 */
    TRIOS_AFTER = PAIRS_AFTER + 6 * 4,   /* 3 * (4 * of three, to 4, + likewise, to 3) + bombs and rockets, to 2 */
    USED_FEATURES = TRIOS_AFTER + 5 * 4 * 3
};

/* What a situation contributes, whatever is played; and what a set of cards does. Each returns the end. */
uint16_t *features_of_state(const public_table *table, uint64_t unseen, uint16_t *out);
uint16_t *features_of_cards(uint64_t cards, unsigned group, uint16_t *out);
/* Without the cards that leave the hand and are played; fewest moves empty what is left then. */
uint16_t *features_of_move(const public_table *table, uint64_t hand, uint64_t unseen, const ddz_move *move,
                           uint32_t fewest, uint16_t *out);

/* All of them. */
uint16_t *features_list(const ddz_splits *splits, const public_table *table, uint64_t hand, uint64_t unseen,
                        const ddz_move *move, uint16_t *out);

/* ---- Values of moves --------------------------------------------------------------------------------------------- */

enum { NET_FEWEST_BITS = 12 };

/* Values the moves of a hand; fewest, 2^NET_FEWEST_BITS slots or null, pays where the same hands come again. */
void net_value(const ddz_net *net, const ddz_splits *splits, fewest_slot *fewest, const public_table *table,
               uint64_t hand, uint64_t unseen, const ddz_move *moves, uint32_t count, float (*heads)[HEADS]);

/* Checks what everything that plays by a network is given; the rules must let every game end. */
ddz_status net_check_player(const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits);

/* ---- A seat that a network plays --------------------------------------------------------------------------------- */

typedef struct {
    const ddz_net *net;
    const ddz_rules *rules;
    const ddz_splits *splits;
    fewest_slot fewest[1 << NET_FEWEST_BITS];
    menu legal;
    uint32_t count; /* of the moves, and of the values of each */
    ddz_move moves[DDZ_MOST_MOVES];
    float heads[DDZ_MOST_MOVES][HEADS];
} net_player;

/* Prepares a player, whose memory may hold anything. */
void player_open(net_player *player, const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits);
/* Lists the legal moves of the seat whose turn it is; values them, when others hold the unseen cards. */
void player_list(net_player *player, const public_table *table, uint64_t hand);
void player_value(net_player *player, const public_table *table, uint64_t hand, uint64_t unseen);
/* Gets the index of the move that empties the hand, or count; and of the one with the highest value of that head. */
uint32_t player_finish(const net_player *player, uint64_t hand);
uint32_t player_best(const net_player *player, unsigned head);
/* Gets the move that goes out, or else the one with the highest value of that head. */
ddz_move player_choose(net_player *player, unsigned head, const public_table *table, uint64_t hand, uint64_t unseen);

/* ---- The network that values bids -------------------------------------------------------------------------------- */

/* Checks that a network's parameters are there. */
bool bid_net_is_good(const ddz_bid_net *net);

/* How an auction ended. */
typedef struct {
    uint8_t landlord; /* a position */
    uint8_t stake;
} auction_end;

/* Lets three hands bid what the network expects the most points of, the lowest of nearly equal bids; stray of 65536
 * bids are any legal one. */
auction_end auction_of(const ddz_bid_net *net, const ddz_splits *splits, const uint64_t *hands, uint32_t stray,
                       ddz_random *random);

/* ---- Quick players of a tree search as rivals in self-play ------------------------------------------------------- */

/* Checks that a search can play by these rules. */
ddz_status quick_rival_check(const ddz_search *search, const ddz_rules *rules);

/* Gets the move of the seat whose turn it is. */
ddz_move quick_rival_move(ddz_search *search, const ddz_game *game);

#endif
