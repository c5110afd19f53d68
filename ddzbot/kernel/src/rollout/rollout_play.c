/* A game on from a move, all seats by the fast network. */
#include "rollout/parts.h"

/* Plays a move in a game that is kept for its score alone; cards of no kind have none. */
static void count_move(const ddz_rules *rules, ddz_game *game, const ddz_move *move)
{
    ddz_move counted = *move;
    if (counted.kind == DDZ_UNKNOWN)
        counted.kind = DDZ_SOLO;
    game_play(rules, game, &counted);
}

void rollout_open_game(ddz_rollout *search)
{
    ddz_game *game = &search->game;
    *game = (ddz_game){.to_beat = pass_move(), .winner = DDZ_NOBODY, .stake = search->table.stake};
    /* What is left of the hidden hands does not matter here, but none may seem empty. */
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        game->hands[seat] = search->table.played[seat] + (seat == search->table.seat ? search->hand : search->unseen);
    for (uint32_t index = 0; index < search->decision_count; index++)
        count_move(search->player.rules, game, &search->decisions[index].made);
}

static float payoff_of(const ddz_rollout *search, const ddz_game *game, unsigned winner)
{
    int64_t scores[DDZ_SEATS];
    unsigned own = search->table.seat;
    if (!search->options.by_score)
        return (winner == 0) == (own == 0) ? 1.0f : 0.0f;
    game_score(search->player.rules, game, scores);
    return (float)scores[own] / 200.0f;
}

unsigned rollout_play(ddz_rollout *search, uint64_t first_hand, const ddz_move *move, float *payoff)
{
    public_table table = search->table;
    ddz_game game = search->game;
    uint64_t hands[DDZ_SEATS], all = search->hand + search->unseen;
    unsigned seat = table.seat, first = seat_after(seat);
    ddz_move played = *move;
    hands[seat] = search->hand;
    hands[first] = first_hand;
    hands[seat_after(first)] = search->unseen - first_hand;
    for (unsigned one = 0; one < DDZ_SEATS; one++)
        game.hands[one] = hands[one];
    for (;;) {
        if (search->options.by_score)
            count_move(search->player.rules, &game, &played);
        hands[seat] -= played.cards;
        all -= played.cards;
        if (hands[seat] == 0) {
            *payoff = payoff_of(search, &game, seat);
            return seat;
        }
        table_play(&table, &played);
        seat = table.seat;
        played = player_choose(&search->player, search->options.by_score, &table, hands[seat], all - hands[seat]);
    }
}
