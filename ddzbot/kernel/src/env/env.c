/* Many games at once: dealing, one decision of each, and the arrays that describe them. */
#include "env/parts.h"

#include <string.h>

_Static_assert(sizeof(ddz_env_options) == 24, "the header says 24 bytes");
_Static_assert(sizeof(ddz_env_table) == 136, "the header says 136 bytes");
_Static_assert(sizeof(ddz_env_told) == 40, "the header says 40 bytes");
_Static_assert(sizeof(ddz_move) == DDZ_ENV_CHOICE, "choices are listed as moves, and rewritten where they lie");

enum { HIGHEST_BID = 3, IN_AUCTION = 3 };

/* Where cards stand in what is seen, fifteen counts each. */
enum { HAND = 0, UNSEEN = 15, PLAYED = 30, BOTTOM = 75, TO_BEAT = 90, REST = 105 };

static void deal(const ddz_env_options *options, ddz_env_table *table)
{
    pack cards = pack_of(options->deck);
    ddz_game *game = &table->game;
    *game = (ddz_game){.to_beat = pass_move(), .winner = DDZ_NOBODY, .stake = 1};
    memset(table->played, 0, sizeof(table->played));
    memset(table->bids, 0, sizeof(table->bids));
    table->bid_count = 0;
    table->landlord = options->bidding ? DDZ_NOBODY : 0;
    for (unsigned position = 0; position < DDZ_SEATS; position++)
        game->hands[position] = pack_draw(&cards, options->dealt, &table->random);
    table->bottom = pack_draw(&cards, options->bottom_cards, &table->random);
    if (!options->bidding)
        game->hands[0] += table->bottom;
}

static unsigned highest_bid(const ddz_env_table *table)
{
    unsigned highest = 0;
    for (unsigned position = 0; position < table->bid_count; position++)
        highest = table->bids[position] > highest ? table->bids[position] : highest;
    return highest;
}

/* The bid with an index: 0, and then what is above the highest one. */
static unsigned nth_bid(const ddz_env_table *table, uint32_t index) { return index ? highest_bid(table) + index : 0; }

static uint32_t bids_of(const ddz_env_table *table) { return 1 + HIGHEST_BID - highest_bid(table); }

/* Seats the hands, which are by position. */
static void seat_landlord(ddz_env_table *table, unsigned landlord, unsigned stake)
{
    uint64_t drawn[DDZ_SEATS];
    memcpy(drawn, table->game.hands, sizeof(drawn));
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        table->game.hands[seat] = drawn[(landlord + seat) % DDZ_SEATS];
    table->game.hands[0] += table->bottom;
    table->game.stake = (uint8_t)stake;
    table->game.seat = 0;
    table->landlord = (uint8_t)landlord;
}

static void make_bid(ddz_env_table *table, unsigned bid)
{
    table->bids[table->bid_count++] = (uint8_t)bid;
    table->game.seat = table->bid_count;
    if (bid < HIGHEST_BID && table->bid_count < DDZ_SEATS)
        return;
    unsigned highest = highest_bid(table), landlord = 0;
    while (highest && table->bids[landlord] != highest)
        landlord++;
    seat_landlord(table, landlord, highest ? highest : 1);
}

static void pay(const ddz_rules *rules, const ddz_env_table *table, float *rewards)
{
    int64_t scores[DDZ_SEATS];
    game_score(rules, &table->game, scores);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        rewards[(table->landlord + seat) % DDZ_SEATS] = (float)scores[seat] / 200.0f;
}

/* Makes a choice; false if there is none with that index. */
static bool choose(const ddz_rules *rules, ddz_env_table *table, uint32_t index)
{
    menu legal;
    if (table->landlord == DDZ_NOBODY) {
        if (index >= bids_of(table))
            return false;
        make_bid(table, nth_bid(table, index));
        return true;
    }
    menu_open(rules, table->game.hands[table->game.seat], &table->game.to_beat, &legal);
    menu_settle(rules, &legal);
    if (index >= legal.total)
        return false;
    ddz_move move = menu_nth(rules, &legal, index);
    table->played[table->game.seat] += move.cards;
    game_play(rules, &table->game, &move);
    return true;
}

/* Writes how often each rank occurs, and a last byte; the byte of rank r is r bytes from the first. */
static inline void write_counts(uint8_t *out, uint64_t cards, unsigned last)
{
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        out[rank] = (uint8_t)(cards >> 4 * rank & 15);
    out[DDZ_RANKS] = (uint8_t)last;
}

void env_seen(const ddz_env_table *table, unsigned seat, uint8_t *out)
{
    const ddz_game *game = &table->game;
    bool bids = table->landlord == DDZ_NOBODY;
    unsigned next = (seat + 1) % DDZ_SEATS, previous = (seat + 2) % DDZ_SEATS;
    unsigned played_by = (game->seat + 5u - game->passes - seat) % DDZ_SEATS;
    uint64_t others = game->hands[next] + game->hands[previous] + (bids ? table->bottom : 0);
    const uint8_t rest[] = {(uint8_t)(bids ? IN_AUCTION : seat),
                            (uint8_t)size_of(game->hands[seat]),
                            (uint8_t)size_of(game->hands[next]),
                            (uint8_t)size_of(game->hands[previous]),
                            game->to_beat.kind,
                            (uint8_t)(game->to_beat.kind == DDZ_PASS ? 0 : played_by ? played_by : DDZ_SEATS),
                            game->bombs,
                            bids ? 0 : game->stake,
                            (uint8_t)(bids && table->bid_count > 0 ? 1 + table->bids[0] : 0),
                            (uint8_t)(bids && table->bid_count > 1 ? 1 + table->bids[1] : 0),
                            (uint8_t)(bids ? seat : (table->landlord + seat) % DDZ_SEATS)};
    memset(out, 0, DDZ_ENV_SEEN);
    /* Each writes one byte too many, which the next one writes again. */
    write_counts(out + HAND, game->hands[seat], 0);
    write_counts(out + UNSEEN, others, 0);
    write_counts(out + PLAYED, table->played[seat], 0);
    write_counts(out + PLAYED + 15, table->played[next], 0);
    write_counts(out + PLAYED + 30, table->played[previous], 0);
    write_counts(out + BOTTOM, bids ? 0 : table->bottom, 0);
    write_counts(out + TO_BEAT, game->to_beat.cards, 0);
    memcpy(out + REST, rest, sizeof(rest));
}

/* Lists the choices of a table from out on, and returns where they end; null if they do not fit before end. */
static uint8_t *tell_choices(const ddz_rules *rules, const ddz_env_table *table, uint8_t *out, uint8_t *end)
{
    menu legal;
    if (table->landlord == DDZ_NOBODY) {
        uint32_t count = bids_of(table);
        if ((uint64_t)(end - out) < (uint64_t)count * DDZ_ENV_CHOICE)
            return 0;
        for (uint32_t index = 0; index < count; index++, out += DDZ_ENV_CHOICE)
            write_counts(out, 0, DDZ_ENV_BID + nth_bid(table, index));
        return out;
    }
    menu_open(rules, table->game.hands[table->game.seat], &table->game.to_beat, &legal);
    ddz_move *first = (ddz_move *)(void *)out;
    const ddz_move *after = menu_list(rules, &legal, first, (const ddz_move *)(void *)end);
    if (!after)
        return 0;
    for (ddz_move *move = first; move != after; move++, out += DDZ_ENV_CHOICE)
        write_counts(out, move->cards, move->kind);
    return out;
}

static bool are_good_options(const ddz_env_options *options)
{
    return is_hand(options->deck) && options->dealt >= 1 && options->dealt <= DDZ_SPLIT_CARDS &&
           options->bottom_cards <= DDZ_SPLIT_CARDS - options->dealt && options->bidding <= 1 &&
           size_of(options->deck) == DDZ_SEATS * options->dealt + options->bottom_cards;
}

/* Checks that all cards together are no more than a deck, and the auction where the game says. */
static bool is_good_table(const ddz_rules *rules, const ddz_env_table *table)
{
    const ddz_game *game = &table->game;
    bool bids = table->landlord == DDZ_NOBODY;
    if (game_check(rules, game) != DDZ_OK || game->winner != DDZ_NOBODY || !random_is_seeded(&table->random) ||
        !is_hand(table->bottom) || (!bids && table->landlord >= DDZ_SEATS))
        return false;
    uint64_t cards = game->hands[0] + game->hands[1] + game->hands[2];
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        /* Two words that are hands each do not carry into the next rank. */
        if (!is_hand(table->played[seat]) || table->bids[seat] > HIGHEST_BID || !is_hand(cards + table->played[seat]))
            return false;
        cards += table->played[seat];
    }
    if (!bids)
        return true;
    bool begun = table->bid_count < DDZ_SEATS && game->seat == table->bid_count && highest_bid(table) < HIGHEST_BID;
    return begun && game->to_beat.kind == DDZ_PASS && is_hand(cards + table->bottom);
}

static ddz_status check(const ddz_rules *rules, const ddz_env_table *tables, uint32_t count)
{
    if (bad_pointer(rules, 8) || bad_pointer(tables, 8))
        return DDZ_BAD_POINTER;
    if (bad_rules(rules) || !rules->plays_on)
        return DDZ_BAD_RULES;
    for (uint32_t index = 0; index < count; index++)
        if (!is_good_table(rules, &tables[index]))
            return DDZ_BAD_GAME;
    return DDZ_OK;
}

ddz_status ddz_env_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_env_options), sizeof(ddz_env_table), sizeof(ddz_env_told)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_env_start(const ddz_rules *rules, const ddz_env_options *options, ddz_env_table *tables, uint32_t count,
                         uint64_t seed)
{
    if (bad_pointer(options, 8))
        return DDZ_BAD_POINTER;
    ddz_status status = check(rules, tables, 0);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    for (uint32_t index = 0; index < count; index++) {
        tables[index] = (ddz_env_table){.landlord = DDZ_NOBODY};
        ddz_random_seed(&tables[index].random, seed + index);
        deal(options, &tables[index]);
    }
    return DDZ_OK;
}

ddz_status ddz_env_step(const ddz_rules *rules, const ddz_env_options *options, ddz_env_table *tables, uint32_t count,
                        const uint32_t *chosen, float *rewards, uint8_t *ended)
{
    if (bad_pointer(options, 8) || bad_pointer(chosen, 4) || bad_pointer(rewards, 4) || bad_pointer(ended, 1))
        return DDZ_BAD_POINTER;
    ddz_status status = check(rules, tables, count);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    memset(rewards, 0, (size_t)count * DDZ_SEATS * sizeof(*rewards));
    memset(ended, 0, count);
    for (uint32_t index = 0; index < count; index++) {
        ddz_env_table *table = &tables[index];
        if (!choose(rules, table, chosen[index]))
            return DDZ_BAD_INDEX;
        if (table->game.winner != DDZ_NOBODY) {
            pay(rules, table, rewards + (size_t)index * DDZ_SEATS);
            ended[index] = 1;
            deal(options, table);
        }
    }
    return DDZ_OK;
}

ddz_status ddz_env_tell(const ddz_rules *rules, const ddz_env_table *tables, uint32_t count, const ddz_env_told *out)
{
    if (bad_pointer(out, 8) || bad_pointer(out->seen, 1) || bad_pointer(out->positions, 1) ||
        bad_pointer(out->choices, 8) || bad_pointer(out->ends, 4))
        return DDZ_BAD_POINTER;
    ddz_status status = check(rules, tables, count);
    if (status != DDZ_OK)
        return status;
    uint8_t *next = out->choices, *end = next + (size_t)out->capacity * DDZ_ENV_CHOICE;
    for (uint32_t index = 0; index < count; index++) {
        const ddz_env_table *table = &tables[index];
        bool bids = table->landlord == DDZ_NOBODY;
        env_seen(table, table->game.seat, out->seen + (size_t)index * DDZ_ENV_SEEN);
        out->positions[index] = (uint8_t)(bids ? table->game.seat : (table->landlord + table->game.seat) % DDZ_SEATS);
        next = tell_choices(rules, table, next, end);
        if (!next)
            return DDZ_SHORT_BUFFER;
        out->ends[index] = (uint32_t)((size_t)(next - out->choices) / DDZ_ENV_CHOICE);
    }
    return DDZ_OK;
}
