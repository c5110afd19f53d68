/*
 * A harness for libFuzzer: bytes become hands, moves, positions and options, and go to every entry point of the kernel.
 *
 * What a header says that a caller must do is done: pointers point to as much memory as they must, contexts are those
 * that the kernel has filled. All else is free, and must get a status; nothing may be read or written elsewhere, which
 * the sanitizers watch. MUST says what holds between answers.
 */
#include "input.h"
#include "rule_sets.h"

static rule_set sets[RULE_SET_COUNT];

static void prepare(void)
{
    uint32_t sizes[9];
    MUST(ddz_version() == DDZ_VERSION && ddz_build()[0]);
    MUST(ddz_layout(sizes, 9) == DDZ_OK && ddz_layout(sizes, 8) == DDZ_SHORT_BUFFER);
    for (unsigned index = 0; index < RULE_SET_COUNT; index++) {
        const rule_set_rows *rows = &RULE_SET_ROWS[index];
        rule_set *set = &sets[index];
        *set = (rule_set){rows->name, room(sizes[2]), room(sizes[7]), (const ddz_terms *)rows->terms, rows->deck,
                          {rows->seat_cards[0], rows->seat_cards[1], rows->seat_cards[2]}, rows->bottom_cards};
        MUST(ddz_rules_init(set->rules, (const ddz_shape *)rows->legal, rows->legal_count,
                            (const ddz_shape *)rows->recognised, rows->recognised_count, set->terms) == DDZ_OK);
        MUST(ddz_splits_init(set->rules, set->splits) == DDZ_OK);
    }
}

const rule_set *any_rules(input *in) { return &sets[take(in, 1) % RULE_SET_COUNT]; }

uint32_t size_of_cards(uint64_t cards)
{
    uint32_t size = 0;
    for (; cards; cards >>= 4)
        size += cards & 15;
    return size;
}

position any_position(input *in, const rule_set *set)
{
    position where = {.set = set, .game = {.to_beat = {.rank = -1}, .winner = DDZ_NOBODY}};
    uint64_t cards[54];
    uint32_t left = 0, at;
    ddz_random random;
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        for (unsigned copy = 0; copy < (set->deck >> 4 * rank & 15); copy++)
            cards[left++] = 1ULL << 4 * rank;
    MUST(ddz_random_seed(&random, take(in, 4)) == DDZ_OK);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        for (unsigned card = 0; card < set->seat_cards[seat]; card++) {
            at = random_below(&random, left);
            where.game.hands[seat] += cards[at];
            where.bottom += seat == 0 && card < set->bottom_cards ? cards[at] : 0;
            cards[at] = cards[--left];
        }
    where.game.stake = 1;
    for (uint32_t moves = below(in, 64); moves; moves--) {
        ddz_game next = where.game;
        menu legal;
        menu_open(set->rules, next.hands[next.seat], &next.to_beat, &legal);
        menu_settle(set->rules, &legal);
        ddz_move move = menu_nth(set->rules, &legal, below(in, legal.total));
        game_play(set->rules, &next, &move);
        if (next.winner != DDZ_NOBODY)
            break;
        where.plays[where.count++] = move;
        where.played += move.cards;
        where.game = next;
    }
    where.unseen = set->deck - where.played - where.game.hands[where.game.seat];
    return where;
}

/* What the landlord surely holds: the bottom without what it played, of a rank the cards of the bottom first. */
static uint64_t certain_of(const position *where)
{
    uint64_t certain = where->game.seat ? where->bottom : 0;
    for (uint32_t index = 0; index < where->count; index += DDZ_SEATS)
        for (unsigned shift = 0; shift < 4 * DDZ_RANKS; shift += 4) {
            uint64_t known = certain >> shift & 15, played = where->plays[index].cards >> shift & 15;
            certain -= (known < played ? known : played) << shift;
        }
    return certain;
}

ddz_situation situation_of(const position *where)
{
    const ddz_game *game = &where->game;
    ddz_situation known = {game->hands[game->seat], where->unseen, certain_of(where), game->to_beat.cards,
                           game->to_beat.kind == DDZ_PASS ? -1 : game->to_beat.kind, {0, 0, 0}, game->seat,
                           game->passes, {0}};
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        known.cards_left[seat] = (uint8_t)size_of_cards(game->hands[seat]);
    return known;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const PARTS[])(input *) = {fuzz_rules,  fuzz_moves,   fuzz_games, fuzz_worlds,   fuzz_solver, fuzz_search,
                                             fuzz_certain, fuzz_net, fuzz_rollout, fuzz_selfplay, fuzz_rows,   fuzz_cnn,
                                             fuzz_auction, fuzz_env, fuzz_python};
    input in = {data, data + size};
    if (!sets[0].rules)
        prepare();
    PARTS[take(&in, 1) % (sizeof(PARTS) / sizeof(PARTS[0]))](&in);
    return 0;
}
