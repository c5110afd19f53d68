/* A game with open hands: playing a move, random play to the end, and what it pays. */
#include "rules/parts.h"

static const uint8_t NEXT_SEAT[DDZ_SEATS] = {1, 2, 0};

static bool is_long_shuttle(const ddz_move *move)
{
    return move->length >= 3 && move->kind >= DDZ_SHUTTLE && move->kind <= DDZ_SHUTTLE_PAIR;
}

/* Checks that the table is a lead, cards of unknown kind, or a reading that is recognised. */
static bool is_good_table(const ddz_rules *rules, const ddz_move *table)
{
    const grammar *seen = &rules->recognised;
    unsigned size = table->size;
    if (table->kind == DDZ_PASS)
        return table->cards == 0;
    if (table->cards == 0 || !is_hand(table->cards) || size != size_of(table->cards) ||
        size > rules->terms.largest_hand || table->rank >= DDZ_RANKS)
        return false;
    if (table->kind == DDZ_UNKNOWN || table->kind == DDZ_ROCKET)
        return (table->kind == DDZ_ROCKET) == (table->cards == ROCKET_CARDS);
    for (unsigned index = seen->first_form[size]; index < seen->first_form[size + 1]; index++) {
        const form *one = &seen->forms[index];
        const row *shape = &seen->rows[one->row];
        if (shape->kind == table->kind && one->length == table->length && table->rank >= 0)
            return (reading_starts(shape, one->length, table->cards) >> 4 * table->rank & 1) != 0;
    }
    return false;
}

/* Checks that all fields are in range, and the hands and the table one deck. */
static bool is_good_game(const ddz_rules *rules, const ddz_game *game)
{
    uint64_t cards = 0;
    bool out = false;
    if (!is_good_table(rules, &game->to_beat))
        return false;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        if (!is_hand(game->hands[seat]) || game->points[seat] < -1000000 || game->points[seat] > 1000000)
            return false;
        cards += game->hands[seat];
        out = out || game->hands[seat] == 0;
    }
    bool turn = game->seat < DDZ_SEATS && game->passes < 2 && game->bombs <= 14 && game->stake >= 1 && game->stake <= 3;
    bool over = game->winner == DDZ_NOBODY ? !out : game->winner < DDZ_SEATS && game->hands[game->winner] == 0;
    /* Three counts of at most 4 each fit into four bits, and with a table's still. */
    return turn && over && is_hand(cards) && is_hand(cards + game->to_beat.cards);
}

ddz_status game_check(const ddz_rules *rules, const ddz_game *game)
{
    if (bad_pointer(rules, 8) || bad_pointer(game, 8))
        return DDZ_BAD_POINTER;
    if (bad_rules(rules))
        return DDZ_BAD_RULES;
    return is_good_game(rules, game) ? DDZ_OK : DDZ_BAD_GAME;
}

void game_play(const ddz_rules *rules, ddz_game *game, const ddz_move *move)
{
    unsigned seat = game->seat;
    trick_play(&game->to_beat, &game->passes, move);
    if (move->kind != DDZ_PASS) {
        game->hands[seat] -= move->cards;
        game->bombs += move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET;
        game->played[seat] += game->played[seat] < 255;
        game->points[seat] += rules->terms.trick_points[move->kind - 1];
        if (is_long_shuttle(move))
            game->points[seat] += rules->terms.long_shuttle_points;
        if (game->hands[seat] == 0)
            game->winner = (uint8_t)seat;
    }
    game->plies++;
    game->seat = NEXT_SEAT[seat];
}

static void play_on(const ddz_rules *rules, ddz_game *game, ddz_random *random)
{
    menu legal;
    while (game->winner == DDZ_NOBODY) {
        menu_open(rules, game->hands[game->seat], &game->to_beat, &legal);
        menu_settle(rules, &legal);
        ddz_move move = menu_nth(rules, &legal, random_below(random, legal.total));
        game_play(rules, game, &move);
    }
}

/* Spring: no peasant played a card. Anti-spring: the landlord played none after the first move. */
static bool is_spring(const ddz_game *game)
{
    return (game->played[1] == 0 && game->played[2] == 0) || game->played[0] <= 1;
}

void game_score(const ddz_rules *rules, const ddz_game *game, int64_t *scores)
{
    const ddz_terms *terms = &rules->terms;
    const int32_t *base = game->winner == 0 ? terms->landlord_wins : terms->peasants_win;
    int64_t factor = terms->stake_counts ? game->stake : 1;
    if (terms->bombs_double)
        factor <<= game->bombs;
    if (terms->spring_doubles && is_spring(game))
        factor <<= 1;
    scores[0] = 2 * (100 * base[0] * factor + game->points[0]);
    scores[1] = 200 * base[1] * factor + game->points[1] + game->points[2];
    scores[2] = scores[1];
}

/* Plays cards; false for those that the rules refuse. */
static bool play_cards(const ddz_rules *rules, ddz_game *game, uint64_t cards)
{
    menu legal;
    ddz_move move;
    uint32_t readings;
    if (game->winner != DDZ_NOBODY || !is_hand(cards))
        return false;
    menu_open(rules, game->hands[game->seat], &game->to_beat, &legal);
    if (!menu_find(rules, &legal, cards, &move))
        return false;
    if (!rules->one_reading[move.kind])
        ddz_classify(rules, cards, 1, &move, 1, &readings); /* the first is enough, even if there are more */
    game_play(rules, game, &move);
    return true;
}

ddz_status ddz_replay(const ddz_rules *rules, ddz_game *game, const uint64_t *cards, uint32_t count, uint32_t *legal,
                      int64_t *scores)
{
    ddz_status status = game_check(rules, game);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(cards, 8) || bad_pointer(legal, 4) || bad_pointer(scores, 8))
        return DDZ_BAD_POINTER;
    for (*legal = 0; *legal < count && play_cards(rules, game, cards[*legal]);)
        ++*legal;
    if (game->winner != DDZ_NOBODY)
        game_score(rules, game, scores);
    return DDZ_OK;
}

ddz_status ddz_playouts(const ddz_rules *rules, const ddz_game *game, uint32_t count, ddz_random *random,
                        ddz_totals *totals)
{
    ddz_status status = game_check(rules, game);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(random, 8) || bad_pointer(totals, 8))
        return DDZ_BAD_POINTER;
    if (!random_is_seeded(random))
        return DDZ_BAD_RANDOM;
    if (game->winner != DDZ_NOBODY || !rules->plays_on)
        return DDZ_BAD_GAME;
    for (uint32_t played = 0; played < count; played++) {
        int64_t scores[DDZ_SEATS];
        ddz_game copy = *game;
        play_on(rules, &copy, random);
        game_score(rules, &copy, scores);
        totals->games++;
        totals->wins[copy.winner]++;
        totals->plies += copy.plies;
        totals->bombs += copy.bombs;
        for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
            totals->scores[seat] += scores[seat];
    }
    return DDZ_OK;
}
