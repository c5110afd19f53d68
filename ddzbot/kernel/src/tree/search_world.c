/* The hidden hands of a search: a deal of the unseen cards for each simulation, or a few that are dealt before. */
#include "tree/parts.h"

static unsigned first_hidden(const ddz_search *search) { return (search->situation.seat + 1u) % DDZ_SEATS; }

static void collect(ddz_search *search, uint64_t cards)
{
    search->hidden_count = 0;
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        for (unsigned copy = 0; copy < (cards >> 4 * rank & 15); copy++)
            search->hidden_ranks[search->hidden_count++] = (uint8_t)(4 * rank);
}

/* Draws so many of the hidden cards, each set of cards with the same probability. */
static uint64_t draw_cards(ddz_search *search, uint32_t number)
{
    uint64_t cards = 0;
    for (uint32_t at = 0; at < number; at++) {
        uint32_t other = at + random_below(&search->random, search->hidden_count - at);
        uint8_t drawn = search->hidden_ranks[other];
        search->hidden_ranks[other] = search->hidden_ranks[at];
        search->hidden_ranks[at] = drawn;
        cards += 1ULL << drawn;
    }
    return cards;
}

/* Deals the hand of the first hidden seat; the smaller of the two hands is the one that is drawn. */
static uint64_t deal(ddz_search *search)
{
    uint32_t taken = search->hidden_taken, others = search->hidden_count - taken;
    if (search->table)
        return worlds_draw(search->table, &search->random);
    if (taken <= others)
        return search->hidden_certain[0] + draw_cards(search, taken);
    return search->situation.unseen - search->hidden_certain[1] - draw_cards(search, others);
}

void worlds_prepare(ddz_search *search)
{
    const ddz_situation *seen = &search->situation;
    unsigned first = first_hidden(search);
    search->hidden_certain[0] = first == 0 ? seen->certain : 0;
    search->hidden_certain[1] = first == 0 ? 0 : seen->certain;
    search->hidden_taken = seen->cards_left[first] - size_of(search->hidden_certain[0]);
    collect(search, seen->unseen - seen->certain);
    for (uint32_t world = 0; world < search->options.worlds; world++)
        search->world_hands[world] = deal(search);
}

void worlds_take(ddz_search *search, position *at)
{
    unsigned first = first_hidden(search);
    uint32_t worlds = search->options.worlds, turn = search->simulations;
    if (turn < search->in_turn)
        turn /= search->branches; /* else, with as many worlds as branches, each branch would meet one world only */
    at->hands[first] = worlds ? search->world_hands[turn % worlds] : deal(search);
    at->hands[(first + 1) % DDZ_SEATS] = search->situation.unseen - at->hands[first];
}
