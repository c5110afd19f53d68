/* Games of the fast network against itself. */
#include "net/parts.h"
#include "include/ddz_selfplay.h"

#include <string.h>

_Static_assert(sizeof(ddz_selfplay_options) == 56, "the header says 56 bytes");
_Static_assert(sizeof(ddz_samples) == 48, "the header says 48 bytes");
_Static_assert(sizeof(ddz_selfplay_totals) == 64, "the header says 64 bytes");

enum { MOST_DECISIONS = 400, ALL_OF_256 = 256, ALL_OF_1000 = 1000, ALL_OF_65536 = 65536 };

/* A decision of a game that is not over yet. */
typedef struct {
    uint32_t feature_end;  /* in memory: after its features, which only a sample has */
    float expected[HEADS]; /* the chance of winning and the points that the network saw in its move; 0 if not asked */
    float result[HEADS];   /* when the game is over: what is to be learned */
    uint8_t seat;
} decision;

struct ddz_selfplay_memory {
    net_player player;
    float chances[DDZ_MOST_MOVES];
    uint16_t features[MOST_DECISIONS * DDZ_NET_ACTIVE];
    uint32_t feature_count;
    decision decisions[MOST_DECISIONS];
    uint32_t count;
};

/* Everything that a game needs. */
typedef struct {
    ddz_selfplay_memory *memory;
    const ddz_net *net;
    const ddz_rival *rival; /* null: no seat is a rival's */
    const ddz_rules *rules;
    const ddz_splits *splits;
    const ddz_bid_net *bids; /* null: no auction */
    const ddz_selfplay_options *options;
    ddz_random random;
    ddz_game game;
    public_table table;
    uint64_t unseen_of_all; /* what has not been played */
    ddz_selfplay_totals totals;
} play;

/* Lets the hands, as they were drawn, bid for the bottom, and seats them. */
static void hold_auction(play *run, uint64_t bottom)
{
    ddz_game *game = &run->game;
    uint64_t drawn[DDZ_SEATS] = {game->hands[0] - bottom, game->hands[1], game->hands[2]};
    auction_end end = auction_of(run->bids, run->splits, drawn, run->options->random_bids, &run->random);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        game->hands[seat] = drawn[(end.landlord + seat) % DDZ_SEATS] + (seat == 0 ? bottom : 0);
    game->stake = end.stake;
}

static void deal(play *run)
{
    const ddz_selfplay_options *options = run->options;
    pack cards = pack_of(options->deck);
    uint64_t bottom = pack_draw(&cards, options->bottom_cards, &run->random);
    ddz_game *game = &run->game;
    *game = (ddz_game){.to_beat = pass_move(), .winner = DDZ_NOBODY, .stake = 1};
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        unsigned number = options->seat_cards[seat] - (seat == 0 ? options->bottom_cards : 0u);
        game->hands[seat] = pack_draw(&cards, number, &run->random) + (seat == 0 ? bottom : 0);
    }
    if (run->bids)
        hold_auction(run, bottom);
    else if (options->open_stake)
        game->stake = (uint8_t)(1 + random_below(&run->random, 3));
    table_start(&run->table, bottom, options->seat_cards, game->stake);
    run->unseen_of_all = options->deck;
    run->memory->count = run->memory->feature_count = 0;
}

static bool happens(play *run, uint32_t share, uint32_t all)
{
    return share && random_below(&run->random, all) < share;
}

/* The better a move, the likelier: the square of its distance to the worst that would do. */
static uint32_t pick(play *run, uint32_t thousandths)
{
    const net_player *player = &run->memory->player;
    unsigned head = run->options->by_score;
    float near = (float)thousandths / 1000.0f, total = 0.0f;
    float *chances = run->memory->chances;
    uint32_t count = player->count, best = player_best(player, head);
    if (thousandths == 0)
        return best;
    for (uint32_t index = 0; index < count; index++) {
        float margin = near - (player->heads[best][head] - player->heads[index][head]);
        chances[index] = margin > 0.0f ? margin * margin : 0.0f;
        total += chances[index];
    }
    float drawn = random_share(&run->random) * total;
    for (uint32_t index = 0; index < count; index++) {
        drawn -= chances[index];
        if (drawn < 0.0f)
            return index;
    }
    return best;
}

/* Notes a decision, and some of them as samples. */
static void note(play *run, uint64_t hand, uint64_t unseen, uint32_t chosen, bool valued)
{
    ddz_selfplay_memory *memory = run->memory;
    bool is_sample = happens(run, run->options->kept, ALL_OF_256);
    if (memory->count == MOST_DECISIONS)
        return;
    decision *one = &memory->decisions[memory->count++];
    *one = (decision){.seat = run->table.seat};
    if (valued) {
        one->expected[0] = chance_of(memory->player.heads[chosen][0]);
        one->expected[1] = memory->player.heads[chosen][1];
    }
    if (is_sample) {
        uint16_t *from = memory->features + memory->feature_count;
        const ddz_move *move = &memory->player.moves[chosen];
        memory->feature_count = (uint32_t)(features_list(run->splits, &run->table, hand, unseen, move, from) -
                                           memory->features);
    }
    one->feature_end = memory->feature_count;
}

static void value_moves(play *run, const ddz_net *net, uint64_t hand, uint64_t unseen)
{
    net_player *player = &run->memory->player;
    player->net = net;
    player_value(player, &run->table, hand, unseen);
    run->totals.values += player->count;
}

static ddz_move decide_as_rival(play *run)
{
    const ddz_game *game = &run->game;
    net_player *player = &run->memory->player;
    uint64_t hand = game->hands[game->seat];
    if (run->rival->quick)
        return quick_rival_move(run->rival->quick, game);
    player_list(player, &run->table, hand);
    if (player->count == 1)
        return player->moves[0];
    value_moves(run, run->rival->net, hand, run->unseen_of_all - hand);
    return player->moves[pick(run, run->options->rival_near)];
}

static ddz_move decide(play *run)
{
    net_player *player = &run->memory->player;
    uint64_t hand = run->game.hands[run->game.seat], unseen = run->unseen_of_all - hand;
    player_list(player, &run->table, hand);
    if (player->count == 1)
        return player->moves[0];
    run->totals.decisions++;
    bool strays = happens(run, run->options->random_moves, ALL_OF_65536);
    bool valued = !strays || run->options->trace < ALL_OF_1000;
    if (valued)
        value_moves(run, run->net, hand, unseen);
    uint32_t chosen = strays ? random_below(&run->random, player->count) : pick(run, run->options->near);
    note(run, hand, unseen, chosen, valued);
    return player->moves[chosen];
}

/*
 * TD(lambda): a decision learns what the network expected of the next one of its seat, mixed with what that one learns
 * (R. Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988). The last one learns how it ended.
 */
static void find_results(play *run)
{
    ddz_selfplay_memory *memory = run->memory;
    float next[DDZ_SEATS][HEADS], trace = (float)run->options->trace / (float)ALL_OF_1000;
    int64_t scores[DDZ_SEATS];
    game_score(run->rules, &run->game, scores);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        next[seat][0] = (seat == 0) == (run->game.winner == 0) ? 1.0f : 0.0f;
        next[seat][1] = (float)scores[seat] / 200.0f;
    }
    for (uint32_t index = memory->count; index-- > 0;) {
        decision *one = &memory->decisions[index];
        for (unsigned head = 0; head < HEADS; head++) {
            float *learned = &next[one->seat][head];
            one->result[head] = *learned;
            *learned = trace * *learned + (1.0f - trace) * one->expected[head];
        }
    }
}

/* Moves the samples of a finished game to the caller's. */
static void hand_over(play *run, ddz_samples *samples)
{
    const ddz_selfplay_memory *memory = run->memory;
    uint32_t begin = 0;
    find_results(run);
    for (uint32_t index = 0; index < memory->count; index++) {
        const decision *one = &memory->decisions[index];
        ddz_samples *to = &samples[one->seat];
        uint32_t length = one->feature_end - begin;
        if (length == 0)
            continue;
        if (to->sample_count == to->most_samples || to->most_features - to->feature_count < length) {
            run->totals.lost++;
        } else {
            memcpy(to->features + to->feature_count, memory->features + begin, length * sizeof(uint16_t));
            to->feature_count += length;
            memcpy(to->results + HEADS * to->sample_count, one->result, sizeof(one->result));
            to->ends[to->sample_count++] = to->feature_count;
        }
        begin = one->feature_end;
    }
}

static void play_game(play *run, ddz_samples *samples)
{
    deal(run);
    while (run->game.winner == DDZ_NOBODY) {
        bool rival = run->options->rival_seats >> run->game.seat & 1;
        ddz_move move = rival ? decide_as_rival(run) : decide(run);
        run->unseen_of_all -= move.cards;
        table_play(&run->table, &move);
        game_play(run->rules, &run->game, &move);
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
           options->near <= 1000000 && options->kept <= ALL_OF_256 && options->by_score <= 1 &&
           options->trace <= ALL_OF_1000 && options->random_bids <= ALL_OF_65536 &&
           options->rival_seats < 1 << DDZ_SEATS && options->rival_near <= 1000000;
}

/* In an auction all are dealt alike. */
static bool can_bid(const ddz_selfplay_options *options)
{
    return options->seat_cards[0] - options->bottom_cards == options->seat_cards[1] &&
           options->seat_cards[1] == options->seat_cards[2];
}

static ddz_status check_rival(const ddz_rival *rival, const ddz_rules *rules, const ddz_splits *splits)
{
    if (rival == 0 || (rival->net == 0) == (rival->quick == 0))
        return DDZ_BAD_POINTER;
    return rival->net ? net_check_player(rival->net, rules, splits) : quick_rival_check(rival->quick, rules);
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

ddz_status ddz_selfplay(ddz_selfplay_memory *memory, const ddz_net *net, const ddz_rival *rival,
                        const ddz_rules *rules, const ddz_splits *splits, const ddz_bid_net *bids,
                        const ddz_selfplay_options *options, ddz_samples *samples, ddz_selfplay_totals *totals)
{
    if (bad_pointer(memory, 8) || bad_pointer(options, 8) || bad_pointer(samples, 8) || bad_pointer(totals, 8) ||
        (rival && bad_pointer(rival, 8)) || (bids && !bid_net_is_good(bids)))
        return DDZ_BAD_POINTER;
    ddz_status status = net_check_player(net, rules, splits);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options) || (bids && !can_bid(options)))
        return DDZ_BAD_INDEX;
    if (!are_good_samples(samples))
        return DDZ_BAD_POINTER;
    if (options->rival_seats && (status = check_rival(rival, rules, splits)) != DDZ_OK)
        return status;
    play run = {.memory = memory, .net = net, .rival = rival, .rules = rules,
                .splits = splits, .bids = bids, .options = options};
    player_open(&memory->player, net, rules, splits);
    ddz_random_seed(&run.random, options->seed);
    for (uint32_t game = 0; game < options->games; game++)
        play_game(&run, samples);
    add_totals(totals, &run.totals);
    return DDZ_OK;
}
