/* Games inside a search: what is legal, laying a move, and random play to the end. */
#include "search.h"

void position_menu(const ddz_rules *rules, const position *at, menu *legal)
{
    if (at->to_beat.kind == DDZ_PASS)
        menu_lead(rules, at->hands[at->seat], legal);
    else
        menu_follow(rules, at->hands[at->seat], &at->to_beat, legal);
    menu_settle(rules, legal);
}

void position_lay(position *at, const ddz_move *move)
{
    unsigned seat = at->seat;
    if (move->kind == DDZ_PASS) {
        if (++at->passes == DDZ_SEATS - 1) {
            at->to_beat = pass_move();
            at->passes = 0;
        }
    } else {
        at->hands[seat] -= move->cards;
        at->to_beat = *move;
        at->passes = 0;
        if (at->hands[seat] == 0)
            at->winner = (uint8_t)seat;
    }
    at->seat = (uint8_t)(seat == DDZ_SEATS - 1 ? 0 : seat + 1);
}

/* Checks that a peasant is to answer the cards of the other one. */
static inline bool answers_partner(const position *at)
{
    unsigned owner = (at->seat + (at->passes ? 1u : 2u)) % DDZ_SEATS;
    return at->to_beat.kind != DDZ_PASS && at->seat != 0 && owner != 0;
}

static inline bool happens(ddz_search *search, uint32_t of_256)
{
    return of_256 && random_below(&search->random, ALWAYS) < of_256;
}

static inline bool is_blast(const ddz_move *move) { return move->kind == DDZ_BOMB || move->kind == DDZ_ROCKET; }

/* Draws one of all legal moves; when the list of solos is long, as if half of them, at random, were not there. */
static ddz_move draw_any(ddz_search *search, const menu *legal)
{
    uint32_t first = legal->pass, solos = 0, forgotten = 0;
    for (uint32_t which = 0; which < legal->count && solos == 0; which++) {
        const segment *one = &legal->segments[which];
        if (search->rules->legal.rows[one->row].kind == DDZ_SOLO)
            solos = one->total;
        else
            first += one->total;
    }
    if (solos > search->options.long_solos && search->options.long_solos < DDZ_ALL_MOVES)
        forgotten = solos / 2;
    uint32_t index = random_below(&search->random, legal->total - forgotten);
    /* Which solos are forgotten is random, so that one of those left is one of all. */
    if (forgotten && index >= first)
        index = index < first + solos - forgotten ? first + random_below(&search->random, solos) : index + forgotten;
    return menu_nth(search->rules, legal, index);
}

/* Which of two moves to keep: the lower one, and no bomb or rocket if there is another. */
static inline bool is_lower(const ddz_move *one, const ddz_move *other)
{
    return is_blast(one) == is_blast(other) ? one->rank < other->rank : is_blast(other);
}

/*
 * Looks at some random moves, and keeps the lowest of the first few that do not cost too many moves of the hand.
 * Without one it passes, and on a lead looks on: there always is one.
 */
static ddz_move draw_fitting(ddz_search *search, const menu *legal, uint64_t hand)
{
    const ddz_search_options *options = &search->options;
    uint32_t others = legal->total - legal->pass, kept = 0;
    unsigned most = fewest_cached(search->splits, search->cache, hand);
    ddz_move lowest_one = pass_move();
    most += legal->lead ? options->lead_margin : options->follow_margin;
    if (others == 0 || (!legal->lead && happens(search, options->passes)))
        return lowest_one;
    for (unsigned tries = 0; (tries < MOST_TRIES || (legal->lead && kept == 0)) && kept < options->draws; tries++) {
        ddz_move move = menu_nth(search->rules, legal, legal->pass + random_below(&search->random, others));
        if (1 + fewest_cached(search->splits, search->cache, hand - move.cards) > most)
            continue;
        if (kept++ == 0 || is_lower(&move, &lowest_one))
            lowest_one = move;
    }
    return lowest_one;
}

ddz_move position_draw(ddz_search *search, const menu *legal, uint64_t hand)
{
    return search->options.draws ? draw_fitting(search, legal, hand) : draw_any(search, legal);
}

void position_play_out(ddz_search *search, position *at)
{
    const ddz_search_options *options = &search->options;
    menu legal;
    while (at->winner == DDZ_NOBODY) {
        ddz_move move = pass_move();
        uint64_t hand = at->hands[at->seat];
        if (!answers_partner(at) || !happens(search, options->partner_passes)) {
            position_menu(search->rules, at, &legal);
            if (!options->finish || !menu_find(search->rules, &legal, hand, &move))
                move = position_draw(search, &legal, hand);
        }
        position_lay(at, &move);
    }
}
