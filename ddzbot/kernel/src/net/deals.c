/* What deals are worth: each is played with the landlord at every position, by the network alone. */
#include "net/parts.h"

_Static_assert(sizeof(ddz_deals_options) == 32, "the header says 32 bytes");
_Static_assert(sizeof(ddz_dealt) == 48, "the header says 48 bytes");

struct ddz_deals_memory {
    net_player player;
};

/* Everything that a game needs. */
typedef struct {
    net_player *player;
    const ddz_deals_options *options;
    ddz_random random;
} dealer;

static void deal(dealer *run, ddz_dealt *dealt)
{
    pack cards = pack_of(run->options->deck);
    *dealt = (ddz_dealt){.stake = 1};
    for (unsigned position = 0; position < DDZ_SEATS; position++)
        dealt->hands[position] = pack_draw(&cards, run->options->dealt, &run->random);
    dealt->bottom = pack_draw(&cards, run->options->bottom_cards, &run->random);
    if (run->options->open_stake)
        dealt->stake = (uint8_t)(1 + random_below(&run->random, 3));
}

static void play(dealer *run, ddz_dealt *dealt, unsigned landlord)
{
    const ddz_deals_options *options = run->options;
    uint8_t cards = (uint8_t)options->dealt;
    uint8_t seat_cards[DDZ_SEATS] = {(uint8_t)(cards + options->bottom_cards), cards, cards};
    ddz_game game = {.to_beat = pass_move(), .winner = DDZ_NOBODY, .stake = dealt->stake};
    public_table table;
    uint64_t out = options->deck;
    int64_t scores[DDZ_SEATS];
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        game.hands[seat] = dealt->hands[(landlord + seat) % DDZ_SEATS];
    game.hands[0] += dealt->bottom;
    table_start(&table, dealt->bottom, seat_cards, dealt->stake);
    while (game.winner == DDZ_NOBODY) {
        uint64_t hand = game.hands[game.seat];
        ddz_move move = player_choose(run->player, options->by_score, &table, hand, out - hand);
        out -= move.cards;
        table_play(&table, &move);
        game_play(run->player->rules, &game, &move);
    }
    game_score(run->player->rules, &game, scores);
    dealt->scores[landlord] = (int32_t)(scores[0] / 2);
    dealt->won |= (uint8_t)((game.winner == 0) << landlord);
}

static bool are_good_options(const ddz_deals_options *options)
{
    return is_hand(options->deck) && options->by_score <= 1 && options->open_stake <= 1 && options->dealt >= 1 &&
           options->dealt <= DDZ_SPLIT_CARDS && options->bottom_cards <= DDZ_SPLIT_CARDS - options->dealt &&
           size_of(options->deck) == DDZ_SEATS * options->dealt + options->bottom_cards;
}

ddz_status ddz_deals_play(ddz_deals_memory *memory, const ddz_net *net, const ddz_rules *rules,
                          const ddz_splits *splits, const ddz_deals_options *options, ddz_dealt *deals, uint32_t count)
{
    if (bad_pointer(memory, 8) || bad_pointer(options, 8) || bad_pointer(deals, 8))
        return DDZ_BAD_POINTER;
    ddz_status status = net_check_player(net, rules, splits);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    dealer run = {.player = &memory->player, .options = options};
    player_open(run.player, net, rules, splits);
    ddz_random_seed(&run.random, options->seed);
    for (uint32_t index = 0; index < count; index++) {
        deal(&run, &deals[index]);
        for (unsigned landlord = 0; landlord < DDZ_SEATS; landlord++)
            play(&run, &deals[index], landlord);
    }
    return DDZ_OK;
}

ddz_status ddz_auction_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_deals_options), sizeof(ddz_dealt), sizeof(ddz_deals_memory),
                                     sizeof(ddz_bid_net)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}
