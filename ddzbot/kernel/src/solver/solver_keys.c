/*
 * What makes two positions the same game, and the table of positions whose winner is known.
 *
 * Ranks have names only for people. Three things of a rank matter: which ranks of a chain it stands beside, whether it
 * is a joker of a rocket, and its place in the order of the ranks that a hand holds. So a key has the hands with the
 * ranks that no hand holds squeezed out, a link between two neighbours where a hand has a chain over both, and a bit
 * that says whether the rocket is in a hand. That is exact: a run of linked neighbours is a run of ranks, every chain
 * that is or becomes possible lies on such runs, and all other comparisons are about order. A 2 or a joker is never
 * linked, and no hand can hold two of one joker, so that no shape treats them in another way.
 *
 * Of the cards on the table only the answers to them matter: the kind and length of move, and the lowest rank among
 * the hands that may still answer where such a move could start.
 */
#include "solver/parts.h"

enum { NO_CODE = 0, BOMB_CODE = 1, FIRST_CODE = 2 };

/* The fourth word of a key has marks at each rank, up to bit 57; an entry has its worth and its winner above them. */
enum { WORK_SHIFT = 58, MOST_WORK = 31, WINNER_SHIFT = 63 };

#define MARK_BITS ((1ULL << WORK_SHIFT) - 1)

/* Where some chain of a hand goes from a rank to the next one. */
static uint64_t links_of(const ddz_solver *solver, const position *at)
{
    uint64_t links = 0;
    for (unsigned group = 1; group <= 4; group++) {
        unsigned shortest = solver->shortest[group];
        uint64_t starts = 0;
        if (shortest == 0)
            continue;
        for (unsigned seat = 0; seat < at->seats; seat++)
            starts |= run_starts(at_least(at->hands[seat], group) & solver->chain_ranks, shortest);
        for (unsigned step = 0; step + 1 < shortest; step++)
            links |= starts << 4 * step;
    }
    return links;
}

/*
 * Adds the answers on a menu to what is known of the table: a code for kind and length, and where the lowest one
 * starts. Bombs count only if there is nothing else, because whatever is no bomb is answered by every bomb. False if
 * there are answers of two kinds.
 */
static bool add_answers(const ddz_rules *rules, const menu *legal, uint32_t *code, uint64_t *starts)
{
    for (uint32_t which = 0; which < legal->count; which++) {
        const segment *one = &legal->segments[which];
        uint32_t own = FIRST_CODE + one->row * 16u + one->length;
        if (rules->legal.rows[one->row].kind == DDZ_BOMB)
            own = BOMB_CODE;
        if (own == BOMB_CODE && *code > BOMB_CODE)
            continue;
        if (own != *code) {
            if (*code > BOMB_CODE)
                return false;
            *code = own;
            *starts = 0;
        }
        *starts |= one->starts;
    }
    return true;
}

/* Adds the answers of all seats that may still answer; legal is what the first of them may do. */
static bool read_table(const ddz_solver *solver, const position *at, const menu *legal, uint32_t *code,
                       uint64_t *starts)
{
    position later = *at;
    if (!add_answers(solver->rules, legal, code, starts))
        return false;
    for (later.seat = next_seat(at); later.seat != at->table_seat; later.seat = next_seat(&later)) {
        menu theirs;
        turn_open(solver, &later, &theirs);
        if (!add_answers(solver->rules, &theirs, code, starts))
            return false;
    }
    return true;
}

/* Takes the ranks that no hand holds out of words that have nothing there. */
static void squeeze(uint64_t *words, unsigned count, uint64_t held)
{
    for (uint64_t gaps = ~held & RANK_BITS; gaps && held >> lowest(gaps); gaps = ~held & RANK_BITS) {
        unsigned gap = lowest(gaps);
        unsigned width = lowest(held >> gap);
        uint64_t below = (1ULL << gap) - 1;
        for (unsigned word = 0; word < count; word++)
            words[word] = (words[word] & below) | (words[word] >> width & ~below);
        held = (held & below) | (held >> width & ~below);
    }
}

void key_make(const ddz_solver *solver, const position *at, const menu *legal, ddz_endgame_key *key)
{
    uint32_t code = NO_CODE;
    uint64_t starts = 0;
    uint64_t held = 0;
    uint64_t rocket = 0;
    uint64_t passed = 0;
    *key = (ddz_endgame_key){{0}};
    if (at->table.kind != DDZ_PASS) {
        if (!read_table(solver, at, legal, &code, &starts))
            return;
        passed = at->seats == 3 && next_seat(at) == at->table_seat ? 2 : 1;
    }
    for (unsigned seat = 0; seat < at->seats; seat++) {
        uint64_t hand = at->hands[seat];
        key->words[seat] = hand;
        held |= at_least_1(hand);
        rocket |= solver->rocket && (hand & ROCKET_CARDS) == ROCKET_CARDS;
    }
    key->words[3] = (starts & -starts) << 1;
    if (solver->folds) {
        key->words[3] |= links_of(solver, at);
        squeeze(key->words, 4, held);
    }
    key->words[0] |= (1ULL | rocket << 1 | passed << 2 | (uint64_t)at->seat << 4) << CARD_BITS;
    key->words[1] |= (uint64_t)(code & 63) << CARD_BITS;
    key->words[2] |= (uint64_t)(code >> 6) << CARD_BITS;
}

static ddz_endgame_key *bucket_of(const ddz_solver *solver, const ddz_endgame_key *key)
{
    uint64_t mixed = key->words[0] * 0x9E3779B97F4A7C15ULL + key->words[1] * 0xC2B2AE3D27D4EB4FULL +
                     key->words[2] * 0x165667B19E3779F9ULL + key->words[3] * 0xD6E8FEB86659FD93ULL;
    mixed ^= mixed >> 32;
    mixed *= 0xD6E8FEB86659FD93ULL;
    return solver->entries + (mixed >> 32 & solver->entry_mask & ~1ULL);
}

static bool is_of(const ddz_endgame_key *entry, const ddz_endgame_key *key)
{
    return entry->words[0] == key->words[0] && entry->words[1] == key->words[1] && entry->words[2] == key->words[2] &&
           (entry->words[3] & MARK_BITS) == key->words[3];
}

uint8_t key_find(const ddz_solver *solver, const ddz_endgame_key *key)
{
    const ddz_endgame_key *bucket = bucket_of(solver, key);
    if (key->words[0] == 0)
        return DDZ_NOBODY;
    for (unsigned which = 0; which < 2; which++)
        if (is_of(&bucket[which], key))
            return bucket[which].words[3] >> WINNER_SHIFT ? DDZ_PEASANTS : DDZ_LANDLORD;
    return DDZ_NOBODY;
}

/* The first entry of a bucket keeps what took more work, the second one what came last. */
void key_keep(ddz_solver *solver, const ddz_endgame_key *key, uint8_t winner, uint64_t nodes)
{
    ddz_endgame_key *bucket = bucket_of(solver, key);
    ddz_endgame_key kept = *key;
    unsigned work = 0;
    while (work < MOST_WORK && nodes >> work > 1)
        work++;
    kept.words[3] |= (uint64_t)work << WORK_SHIFT | (uint64_t)winner << WINNER_SHIFT;
    if (bucket[0].words[0] == 0 || (bucket[0].words[3] >> WORK_SHIFT & MOST_WORK) <= work) {
        bucket[1] = bucket[0];
        bucket[0] = kept;
    } else {
        bucket[1] = kept;
    }
}
