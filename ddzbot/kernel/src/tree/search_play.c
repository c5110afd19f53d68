/* Games inside a search: random play, by the move and to the end. */
#include "tree/parts.h"

/* Draws one of all legal moves; when the list, or that of solos, is long, as if half of the solos were not there. */
ddz_move position_draw(ddz_search *search, const menu *legal)
{
    uint32_t first = legal->pass, solos = 0, forgotten = 0;
    for (uint32_t which = 0; which < legal->count && solos == 0; which++) {
        const segment *one = &legal->segments[which];
        if (search->rules->legal.rows[one->row].kind == DDZ_SOLO)
            solos = one->total;
        else
            first += one->total;
    }
    if ((solos > search->options.long_solos && search->options.long_solos < DDZ_ALL_MOVES) ||
        legal->total > search->options.long_list)
        forgotten = solos / 2;
    uint32_t index = random_below(&search->random, legal->total - forgotten);
    /* Which solos are forgotten is random, so that one of those left is one of all. */
    if (forgotten && index >= first)
        index = index < first + solos - forgotten ? first + random_below(&search->random, solos) : index + forgotten;
    return menu_nth(search->rules, legal, index);
}

ddz_move position_move(ddz_search *search, const position *at)
{
    const ddz_search_options *options = &search->options;
    menu legal;
    ddz_move last;
    if (options->quick)
        return quick_move(search, at);
    position_menu(search->rules, at, &legal);
    if (options->finish && menu_find(search->rules, &legal, at->hands[at->seat], &last))
        return last;
    return position_draw(search, &legal);
}

void position_play_out(ddz_search *search, position *at)
{
    while (at->winner == DDZ_NOBODY) {
        ddz_move move = position_move(search, at);
        position_play(at, &move);
    }
}
