/* Rules, moves, games and splits. */
#include "input.h"

enum { MOST = 4096 };

/* Any rows and terms at all: compiled or refused, and what was compiled lists moves. */
void fuzz_rules(input *in)
{
    uint32_t sizes[9], counts[2] = {below(in, 27), below(in, 27)}, count = 0, first = 0;
    MUST(ddz_layout(sizes, 9) == DDZ_OK);
    ddz_rules *rules = room(sizes[2]);
    ddz_splits *splits = room(sizes[7]);
    ddz_shape *rows[2];
    ddz_terms terms = *any_rules(in)->terms;
    for (unsigned grammar = 0; grammar < 2; grammar++) {
        rows[grammar] = room(counts[grammar] * sizeof(ddz_shape));
        for (uint32_t row = 0; row < counts[grammar]; row++) {
            uint8_t fields[8];
            for (unsigned field = 0; field < 8; field++)
                fields[field] = (uint8_t)take(in, 1) % 16;
            memcpy(&rows[grammar][row], fields, 8);
        }
        spoil(in, rows[grammar], counts[grammar] ? counts[grammar] * sizeof(ddz_shape) : 1, counts[grammar] ? 0 : 0,
              counts[grammar] ? 0 : 1);
    }
    spoil(in, &terms, sizeof(terms), 0, 0);
    if (ddz_rules_init(rules, rows[0], counts[0], rows[1], counts[1], &terms) == DDZ_OK) {
        uint64_t hand = take(in, 8) & 0x0112222222222222ULL;
        ddz_move *moves = room(MOST * sizeof(ddz_move));
        uint32_t fewest;
        ddz_moves(rules, hand, 0, -1, moves, MOST, &count, &first);
        ddz_classify(rules, hand, 1, moves, MOST, &count);
        if (ddz_splits_init(rules, splits) == DDZ_OK)
            ddz_fewest_moves(splits, hand, &fewest);
        free(moves);
    }
    free(rows[0]);
    free(rows[1]);
    free(splits);
    free(rules);
}

/* ddz_list answers as ddz_moves does. */
static void list_too(const rule_set *set, uint64_t hand, uint64_t table, int32_t kind, ddz_status status,
                     const ddz_move *moves, uint32_t capacity, uint32_t count, uint32_t first)
{
    ddz_listing asked = {.rules = set->rules, .hand = hand, .table_cards = table, .table_kind = kind,
                         .moves = room(capacity * sizeof(ddz_move)), .cards = room(capacity * sizeof(uint64_t)),
                         .capacity = capacity};
    MUST(ddz_list(&asked) == status);
    if (status == DDZ_OK) {
        MUST(asked.count == count && asked.first_readings == first);
        for (uint32_t index = 0; index < count; index++)
            MUST(asked.cards[index] == moves[index].cards && asked.moves[index].kind == moves[index].kind);
    }
    free(asked.moves);
    free(asked.cards);
}

static void compare(const rule_set *set, uint64_t hand, uint64_t table, int32_t kind, input *in)
{
    uint32_t capacity = below(in, MOST), count = 0, first = 0, fewest = 99;
    ddz_move *moves = room(capacity * sizeof(ddz_move)), move;
    menu legal = {.total = 0};
    ddz_random random;
    ddz_status status = ddz_moves(set->rules, hand, table, kind, moves, capacity, &count, &first);
    ddz_status counting = menu_read(set->rules, hand, table, kind, &legal);
    if (counting == DDZ_OK)
        menu_settle(set->rules, &legal);
    MUST(status == counting || status == DDZ_SHORT_BUFFER);
    list_too(set, hand, table, kind, status, moves, capacity, count, first);
    if (status == DDZ_OK) {
        MUST(count == legal.total && count <= capacity);
        ddz_random_seed(&random, take(in, 1));
        if (count) {
            uint32_t chosen = below(in, count);
            move = menu_nth(set->rules, &legal, chosen);
            MUST(move.cards == moves[chosen].cards && move.kind == moves[chosen].kind);
            MUST(ddz_random_move(set->rules, hand, table, kind, &random, &move) == DDZ_OK);
        }
    }
    if (ddz_fewest_moves(set->splits, hand, &fewest) == DDZ_OK)
        MUST(fewest <= size_of_cards(hand));
    status = ddz_candidates(set->rules, set->splits, hand, table, kind, option(in, below(in, 2)),
                            option(in, below(in, 4)), moves, capacity, &count);
    if (status == DDZ_OK)
        MUST(count <= legal.total);
    free(moves);
}

/* A hand and what it must beat: from a game, or any words. */
void fuzz_moves(input *in)
{
    const rule_set *set = any_rules(in);
    position where = any_position(in, set);
    ddz_situation known = situation_of(&where);
    uint32_t count, ends[3];
    ddz_move *moves = room(MOST * sizeof(ddz_move));
    uint64_t hands[3] = {where.game.hands[0], where.game.hands[1], known.hand};
    uint8_t fewest[3];
    spoil(in, &known, sizeof(known), 0, 0);
    spoil(in, hands, sizeof(hands), 0, 0);
    compare(set, known.hand, known.table_cards, known.table_kind, in);
    ddz_status status = ddz_classify(set->rules, known.table_cards, (uint32_t)take(in, 1) % 2, moves, below(in, MOST), &count);
    if (status == DDZ_OK)
        for (uint32_t index = 0; index < count; index++)
            MUST(moves[index].cards == known.table_cards);
    if (ddz_leads_batch(set->rules, hands, 3, moves, below(in, MOST), ends) == DDZ_OK)
        MUST(ends[0] <= ends[1] && ends[1] <= ends[2]);
    ddz_fewest_moves_batch(set->splits, hands, 3, fewest);
    free(moves);
}

/* A game, perhaps spoiled: played on or refused. */
void fuzz_games(input *in)
{
    const rule_set *set = any_rules(in);
    position where = any_position(in, set);
    ddz_random random = {{0, 0, 0, 0}};
    ddz_totals totals = {0};
    ddz_game game = where.game;
    ddz_move move;
    spoil(in, &game, sizeof(game), 0, 0);
    MUST(ddz_random_move(set->rules, where.game.hands[where.game.seat], 0, -1, &random, &move) == DDZ_BAD_RANDOM);
    MUST(ddz_random_seed(&random, take(in, 4)) == DDZ_OK);
    if (take(in, 1) % 8 == 0)
        spoil(in, &random, sizeof(random), 0, 0);
    uint32_t count = 1 + below(in, 4);
    uint64_t cards[] = {where.game.hands[where.game.seat], take(in, 8), 0};
    int64_t scores[DDZ_SEATS];
    uint32_t legal;
    ddz_game replayed = game;
    if (ddz_replay(set->rules, &replayed, cards, 3, &legal, scores) == DDZ_OK)
        MUST(legal <= 3 && replayed.plies == (uint16_t)(game.plies + legal));
    if (ddz_playouts(set->rules, &game, count, &random, &totals) == DDZ_OK) {
        MUST(totals.games == count && totals.wins[0] + totals.wins[1] + totals.wins[2] == count);
        MUST(totals.scores[1] == totals.scores[2]);
    }
}

/* Tables that are dealt, continue by any choices, and are spoiled. */
void fuzz_env(input *in)
{
    enum { TABLES = 3 };
    uint32_t sizes[3], chosen[TABLES], ends[TABLES], capacity = below(in, MOST);
    uint8_t ended[TABLES], positions[TABLES], seen[TABLES * DDZ_ENV_SEEN];
    float rewards[TABLES * DDZ_SEATS];
    const rule_set *set = any_rules(in);
    MUST(ddz_env_layout(sizes, 3) == DDZ_OK && ddz_env_layout(sizes, 2) == DDZ_SHORT_BUFFER);
    ddz_env_options options = {.deck = set->deck, .dealt = set->seat_cards[1], .bottom_cards = set->bottom_cards,
                               .bidding = below(in, 2)};
    ddz_env_table *tables = room(sizeof(ddz_env_table) * TABLES);
    ddz_env_told shown = {.seen = seen, .positions = positions, .choices = room(capacity * DDZ_ENV_CHOICE), .ends = ends,
                         .capacity = capacity};
    MUST(ddz_env_start(set->rules, &options, tables, TABLES, take(in, 2)) == DDZ_OK);
    for (uint32_t steps = below(in, 200); steps; steps--) {
        for (unsigned table = 0; table < TABLES; table++)
            chosen[table] = (uint32_t)take(in, 1) % 8;
        ddz_env_step(set->rules, &options, tables, TABLES, chosen, rewards, ended);
    }
    spoil(in, tables, sizeof(ddz_env_table) * TABLES, 0, 0);
    spoil(in, &options, sizeof(options), 0, 0);
    if (ddz_env_tell(set->rules, tables, TABLES, &shown) == DDZ_OK)
        for (unsigned table = 0; table < TABLES; table++)
            MUST(positions[table] < DDZ_SEATS && ends[table] <= capacity && ends[table] > (table ? ends[table - 1] : 0));
    ddz_env_step(set->rules, &options, tables, TABLES, chosen, rewards, ended);
    free(shown.choices);
    free(tables);
}
