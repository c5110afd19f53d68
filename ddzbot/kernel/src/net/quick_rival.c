/* The quick players of a search as rivals in self-play: a game as a position of the search. */
#include "net/parts.h"
#include "tree/parts.h"

#include <string.h>

ddz_status quick_rival_check(const ddz_search *search, const ddz_rules *rules)
{
    ddz_status status = search_check(search);
    if (status != DDZ_OK)
        return status;
    return search->rules == rules && search->options.quick ? DDZ_OK : DDZ_BAD_RULES;
}

ddz_move quick_rival_move(ddz_search *search, const ddz_game *game)
{
    position at = {.to_beat = game->to_beat, .seat = game->seat, .passes = game->passes, .winner = DDZ_NOBODY};
    memcpy(at.hands, game->hands, sizeof(at.hands));
    return quick_move(search, &at);
}
