/*
 * A proof that the own side wins, whatever the hidden hands are and whatever the others do.
 *
 * The others play from one pool, the unseen cards, of which each holds a known number: a seat may play whatever it
 * holds in some world that fits all that was played before. A pass excludes nothing. So a line of play is possible in
 * this game exactly if it is in some world, and a plan that wins every line is one that needs no knowledge of hidden
 * cards. Of a partner one thing is taken for granted: with one card left it goes out if that card, whichever it is,
 * can be played.
 *
 * "Not found" means nothing: of the own moves only the most promising are tried, and nodes may run out.
 */
#include "tree/parts.h"

enum { PROOF_BITS = 12, PROOF_SLOTS = 1 << PROOF_BITS, MOST_TRIED = 24, MOST_LISTED = 400 };

/* Where a proof stands: seats as in the situation. */
typedef struct {
    uint64_t own;
    uint64_t pool;
    uint64_t certain; /* the part of the pool that the landlord surely holds */
    ddz_move table;
    uint8_t left[DDZ_SEATS];
    uint8_t seat;
    uint8_t passes;
} pool_position;

/* A position that was decided; the last word has the answer in its lowest bit, and is never 0. */
typedef struct {
    uint64_t words[5];
} proof_entry;

struct ddz_certain {
    const ddz_rules *rules;
    const ddz_splits *splits;
    uint64_t nodes;
    uint64_t most;
    unsigned mover;
    proof_entry entries[PROOF_SLOTS];
};

/* A move to try, and its place: what leaves few moves and cannot be beaten comes first. */
typedef struct {
    ddz_move move;
    unsigned order;
} attempt;

static bool is_won(ddz_certain *proof, const pool_position *at);

static void open_turn(const ddz_certain *proof, const pool_position *at, uint64_t cards, menu *legal)
{
    menu_open(proof->rules, cards, &at->table, legal);
    menu_settle(proof->rules, legal);
}

/* The position after a move; of a rank the landlord plays the cards first that it surely held. */
static pool_position after(const ddz_certain *proof, const pool_position *at, const ddz_move *move)
{
    pool_position next = *at;
    next.seat = (uint8_t)((at->seat + 1u) % DDZ_SEATS);
    trick_play(&next.table, &next.passes, move);
    if (move->kind == DDZ_PASS)
        return next;
    next.left[at->seat] = (uint8_t)(at->left[at->seat] - move->size);
    if (at->seat == proof->mover) {
        next.own -= move->cards;
        return next;
    }
    next.pool -= move->cards;
    for (unsigned shift = 0; at->seat == 0 && shift < 4 * DDZ_RANKS; shift += 4) {
        uint64_t known = at->certain >> shift & 15, played = move->cards >> shift & 15;
        next.certain -= (known < played ? known : played) << shift;
    }
    return next;
}

/* Checks that some hand of the seat has these cards: the landlord's must have room for what it surely holds too. */
static bool may_hold(const pool_position *at, const ddz_move *move)
{
    unsigned shared = 0;
    for (unsigned shift = 0; at->seat == 0 && at->certain >> shift; shift += 4) {
        unsigned known = at->certain >> shift & 15, played = move->cards >> shift & 15;
        shared += known < played ? known : played;
    }
    unsigned room = at->left[at->seat] + shared - (at->seat == 0 ? size_of(at->certain) : 0);
    return move->size <= room;
}

/* Checks that a partner with one card goes out, whichever card that is. */
static bool partner_goes_out(const pool_position *at)
{
    uint64_t cards = at->pool - at->certain;
    if (at->left[at->seat] != 1)
        return false;
    return at->table.kind == DDZ_PASS ||
           (at->table.kind == DDZ_SOLO && (int)(lowest(at_least_1(cards)) / 4) > at->table.rank);
}

/* Another seat's turn: every move that it may have must leave the game won. */
static bool is_won_against(ddz_certain *proof, const pool_position *at)
{
    bool partner = same_side(at->seat, proof->mover);
    menu legal;
    if (partner && partner_goes_out(at))
        return true;
    open_turn(proof, at, at->seat == 0 ? at->pool : at->pool - at->certain, &legal);
    for (uint32_t index = legal.total; index-- > 0;) {
        ddz_move move = menu_nth(proof->rules, &legal, index);
        if (move.kind != DDZ_PASS && !may_hold(at, &move))
            continue;
        if (move.kind != DDZ_PASS && move.size == at->left[at->seat]) {
            if (partner)
                continue;
            return false;
        }
        pool_position next = after(proof, at, &move);
        if (!is_won(proof, &next))
            return false;
    }
    return true;
}

/* Checks that some enemy may hold an answer to the own move. */
static bool may_be_beaten(const ddz_certain *proof, const pool_position *at, const ddz_move *move)
{
    menu answers;
    pool_position next = after(proof, at, move);
    open_turn(proof, &next, at->pool, &answers);
    for (uint32_t index = 1; index < answers.total; index++) {
        ddz_move answer = menu_nth(proof->rules, &answers, index);
        for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
            if (!same_side(seat, proof->mover) && answer.size <= at->left[seat])
                return true;
    }
    return false;
}

/* Lists the most promising own moves, best first; the first alone if it plays the whole hand. */
static unsigned list_attempts(const ddz_certain *proof, const pool_position *at, attempt *tried)
{
    menu legal;
    unsigned count = 0;
    open_turn(proof, at, at->own, &legal);
    if (menu_find(proof->rules, &legal, at->own, &tried[0].move))
        return 1;
    for (uint32_t index = 0; index < legal.total && index < MOST_LISTED; index++) {
        ddz_move move = menu_nth(proof->rules, &legal, index);
        uint32_t fewest = 0;
        ddz_fewest_moves(proof->splits, at->own - move.cards, &fewest);
        unsigned order = 4 * fewest;
        if (move.kind == DDZ_PASS)
            order += 3;
        else if (may_be_beaten(proof, at, &move))
            order += 6;
        unsigned place = count < MOST_TRIED ? count++ : MOST_TRIED;
        while (place > 0 && tried[place - 1].order > order) {
            if (place < MOST_TRIED)
                tried[place] = tried[place - 1];
            place--;
        }
        if (place < MOST_TRIED)
            tried[place] = (attempt){move, order};
    }
    return count;
}

static bool is_won_by(ddz_certain *proof, const pool_position *at)
{
    attempt tried[MOST_TRIED];
    unsigned count = list_attempts(proof, at, tried);
    for (unsigned index = 0; index < count; index++) {
        pool_position next = after(proof, at, &tried[index].move);
        if (next.own == 0 || is_won(proof, &next))
            return true;
    }
    return false;
}

static proof_entry entry_of(const pool_position *at)
{
    uint64_t small = at->left[0] | (uint64_t)at->left[1] << 5 | (uint64_t)at->seat << 10 |
                     (uint64_t)at->passes << 12 | (uint64_t)at->table.kind << 13 |
                     (uint64_t)(at->table.rank + 1) << 18 | (uint64_t)at->table.length << 22;
    return (proof_entry){{at->own, at->pool, at->certain, at->table.cards, small << 2 | 2}};
}

static bool is_won(ddz_certain *proof, const pool_position *at)
{
    if (proof->nodes >= proof->most)
        return false;
    proof->nodes++;
    proof_entry key = entry_of(at);
    uint64_t hash = 0;
    for (unsigned word = 0; word < 5; word++)
        hash = (hash ^ key.words[word]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    proof_entry *slot = &proof->entries[hash >> (64 - PROOF_BITS)];
    bool known = (slot->words[4] | 1) == (key.words[4] | 1);
    for (unsigned word = 0; word < 4; word++)
        known = known && slot->words[word] == key.words[word];
    if (known)
        return slot->words[4] & 1;
    bool won = at->seat == proof->mover ? is_won_by(proof, at) : is_won_against(proof, at);
    if (won || proof->nodes < proof->most) {
        *slot = key;
        slot->words[4] |= won;
    }
    return won;
}

ddz_status ddz_certain_win(ddz_certain *proof, const ddz_rules *rules, const ddz_splits *splits,
                           const ddz_situation *situation, uint64_t *nodes, ddz_move *move, uint32_t *found)
{
    attempt tried[MOST_TRIED];
    if (bad_pointer(proof, 8) || bad_pointer(nodes, 8) || bad_pointer(move, 8) || bad_pointer(found, 4))
        return DDZ_BAD_POINTER;
    ddz_move table;
    ddz_status status = situation_read(rules, splits, situation, &table);
    if (status != DDZ_OK)
        return status;
    pool_position at = {situation->hand, situation->unseen, situation->certain, table,
                        {situation->cards_left[0], situation->cards_left[1], situation->cards_left[2]},
                        situation->seat, situation->passes};
    proof->rules = rules;
    proof->splits = splits;
    proof->nodes = 0;
    proof->most = *nodes;
    proof->mover = situation->seat;
    for (unsigned slot = 0; slot < PROOF_SLOTS; slot++)
        proof->entries[slot].words[4] = 0;
    unsigned count = list_attempts(proof, &at, tried);
    *found = 0;
    for (unsigned index = 0; index < count && !*found; index++) {
        pool_position next = after(proof, &at, &tried[index].move);
        *found = next.own == 0 || is_won(proof, &next);
        *move = tried[index].move;
    }
    *nodes = proof->nodes;
    return DDZ_OK;
}

uint32_t certain_size(void) { return sizeof(ddz_certain); }
