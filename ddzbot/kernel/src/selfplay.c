/* Games of the fast network against itself. */
#include "ddz_selfplay.h"
#include "net_player.h"

#include <string.h>

_Static_assert(sizeof(ddz_selfplay_options) == 56, "the header says 56 bytes");
_Static_assert(sizeof(ddz_samples) == 48 || sizeof(void *) != 8, "the header says 48 bytes");
_Static_assert(sizeof(ddz_selfplay_totals) == 64, "the header says 64 bytes");

enum { MOST_KEPT = 400, ALL_OF_256 = 256, ALL_OF_65536 = 65536 };

/* A sample whose game is not over yet. */
typedef struct {
    uint32_t feature_end; /* after its last feature in memory */
    uint8_t seat;
} open_sample;

struct ddz_selfplay_memory {
    net_player player;
    float chances[DDZ_MOST_MOVES];
    uint16_t features[MOST_KEPT * DDZ_NET_ACTIVE];
    open_sample open[MOST_KEPT];
    uint32_t kept;
};

/* Everything that a game needs. */
typedef struct {
    ddz_selfplay_memory *memory;
    const ddz_net *net;
    const ddz_rules *rules;
    const ddz_splits *splits;
    const ddz_selfplay_options *options;
    ddz_random random;
    ddz_game game;
    public_table table;
    uint64_t unseen_of_all; /* what nobody has laid */
    ddz_selfplay_totals totals;
} play;

static uint64_t draw_cards(uint8_t *cards, unsigned *left, unsigned number, ddz_random *random)
{
    uint64_t hand = 0;
    for (unsigned drawn = 0; drawn < number; drawn++) {
        unsigned at = random_below(random, *left);
        hand += 1ULL << cards[at];
        cards[at] = cards[--*left];
    }
    return hand;
}

static void deal(play *run)
{
    const ddz_selfplay_options *options = run->options;
    uint8_t cards[DECK_SIZE];
    unsigned left = 0;
    for (unsigned at = 0; at < 4 * DDZ_RANKS; at += 4)
        for (unsigned copy = 0; copy < (options->deck >> at & 15); copy++)
            cards[left++] = (uint8_t)at;
    uint64_t bottom = draw_cards(cards, &left, options->bottom_cards, &run->random);
    ddz_game *game = &run->game;
    *game = (ddz_game){.to_beat = pass_move(), .winner = DDZ_NOBODY, .stake = 1};
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        unsigned number = options->seat_cards[seat] - (seat == 0 ? options->bottom_cards : 0u);
        game->hands[seat] = draw_cards(cards, &left, number, &run->random) + (seat == 0 ? bottom : 0);
    }
    if (options->open_stake)
        game->stake = (uint8_t)(1 + random_below(&run->random, 3));
    table_start(&run->table, bottom, options->seat_cards, game->stake);
    run->unseen_of_all = options->deck;
    run->memory->kept = 0;
}

static bool happens(play *run, uint32_t share, uint32_t all)
{
    return share && random_below(&run->random, all) < share;
}

/* The better a move, the likelier: the square of its distance to the worst that would do. */
static uint32_t pick(play *run, uint32_t count)
{
    const net_player *player = &run->memory->player;
    unsigned head = run->options->by_score;
    float near = (float)run->options->near / 1000.0f, total = 0.0f;
    float *chances = run->memory->chances;
    uint32_t best = player_best(player, count, head);
    if (run->options->near == 0)
        return best;
    for (uint32_t index = 0; index < count; index++) {
        float margin = near - (player->heads[best][head] - player->heads[index][head]);
        chances[index] = margin > 0.0f ? margin * margin : 0.0f;
        total += chances[index];
    }
    float drawn = (float)random_below(&run->random, 1u << 24) / (float)(1u << 24) * total;
    for (uint32_t index = 0; index < count; index++) {
        drawn -= chances[index];
        if (drawn < 0.0f)
            return index;
    }
    return best;
}

static void keep(play *run, uint64_t hand, uint64_t unseen, const ddz_move *move)
{
    ddz_selfplay_memory *memory = run->memory;
    if (memory->kept == MOST_KEPT)
        return;
    uint16_t *from = memory->features + (memory->kept ? memory->open[memory->kept - 1].feature_end : 0);
    const uint16_t *end = features_list(run->splits, &run->table, hand, unseen, move, from);
    memory->open[memory->kept++] = (open_sample){(uint32_t)(end - memory->features), run->table.seat};
}

static ddz_move decide(play *run)
{
    net_player *player = &run->memory->player;
    uint64_t hand = run->game.hands[run->game.seat], unseen = run->unseen_of_all - hand;
    uint32_t count = player_moves(player, run->rules, &run->table, hand), chosen;
    if (count == 1)
        return player->moves[0];
    run->totals.decisions++;
    if (happens(run, run->options->random_moves, ALL_OF_65536)) {
        chosen = random_below(&run->random, count);
    } else {
        net_value(run->net, run->splits, &run->table, hand, unseen, player->moves, count, player->heads);
        run->totals.values += count;
        chosen = pick(run, count);
    }
    if (happens(run, run->options->kept, ALL_OF_256))
        keep(run, hand, unseen, &player->moves[chosen]);
    return player->moves[chosen];
}

/* Moves the samples of a finished game to the caller's. */
static void hand_over(play *run, ddz_samples *samples)
{
    const ddz_selfplay_memory *memory = run->memory;
    int64_t scores[DDZ_SEATS];
    uint32_t begin = 0;
    game_score(run->rules, &run->game, scores);
    for (uint32_t index = 0; index < memory->kept; index++) {
        const open_sample *one = &memory->open[index];
        ddz_samples *to = &samples[one->seat];
        uint32_t length = one->feature_end - begin;
        if (to->sample_count == to->most_samples || to->most_features - to->feature_count < length) {
            run->totals.lost++;
        } else {
            memcpy(to->features + to->feature_count, memory->features + begin, length * sizeof(uint16_t));
            to->feature_count += length;
            to->results[2 * to->sample_count] = (one->seat == 0) == (run->game.winner == 0) ? 1.0f : 0.0f;
            to->results[2 * to->sample_count + 1] = (float)scores[one->seat] / 200.0f;
            to->ends[to->sample_count++] = to->feature_count;
        }
        begin = one->feature_end;
    }
}

static void play_game(play *run, ddz_samples *samples)
{
    deal(run);
    while (run->game.winner == DDZ_NOBODY) {
        ddz_move move = decide(run);
        run->unseen_of_all -= move.cards;
        table_lay(&run->table, &move);
        game_lay(run->rules, &run->game, &move);
    }
    hand_over(run, samples);
    run->totals.games++;
    run->totals.wins += run->game.winner == 0;
    run->totals.plies += run->game.plies;
    run->totals.bombs += run->game.bombs;
}

static bool are_good_options(const ddz_selfplay_options *options)
{
    unsigned cards = 0;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        if (options->seat_cards[seat] == 0 || options->seat_cards[seat] > DDZ_SPLIT_CARDS)
            return false;
        cards += options->seat_cards[seat];
    }
    return is_hand(options->deck) && size_of(options->deck) == cards &&
           options->bottom_cards < options->seat_cards[0] && options->random_moves <= ALL_OF_65536 &&
           options->near <= 1000000 && options->kept <= ALL_OF_256 && options->by_score <= 1;
}

static bool are_good_samples(const ddz_samples *samples)
{
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        const ddz_samples *one = &samples[seat];
        if (bad_pointer(one->features, 2) || bad_pointer(one->ends, 4) || bad_pointer(one->results, 4) ||
            one->feature_count > one->most_features || one->sample_count > one->most_samples)
            return false;
    }
    return true;
}

static void add_totals(ddz_selfplay_totals *totals, const ddz_selfplay_totals *more)
{
    totals->games += more->games;
    totals->wins += more->wins;
    totals->plies += more->plies;
    totals->decisions += more->decisions;
    totals->values += more->values;
    totals->bombs += more->bombs;
    totals->lost += more->lost;
}

ddz_status ddz_selfplay_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_selfplay_options), sizeof(ddz_samples), sizeof(ddz_selfplay_totals),
                                     sizeof(ddz_selfplay_memory)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_selfplay(ddz_selfplay_memory *memory, const ddz_net *net, const ddz_rules *rules,
                        const ddz_splits *splits, const ddz_selfplay_options *options, ddz_samples *samples,
                        ddz_selfplay_totals *totals)
{
    if (bad_pointer(memory, 8) || bad_pointer(options, 8) || bad_pointer(samples, 8) || bad_pointer(totals, 8))
        return DDZ_BAD_POINTER;
    ddz_status status = net_check_player(net, rules, splits);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    if (!are_good_samples(samples))
        return DDZ_BAD_POINTER;
    play run = {.memory = memory, .net = net, .rules = rules, .splits = splits, .options = options};
    ddz_random_seed(&run.random, options->seed);
    for (uint32_t game = 0; game < options->games; game++)
        play_game(&run, samples);
    add_totals(totals, &run.totals);
    return DDZ_OK;
}
