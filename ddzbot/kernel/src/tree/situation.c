/* What a caller says of a game: whether it can be, and what lies on the table. */
#include "tree/parts.h"

enum { MOST_READINGS = 64 };

static bool is_good_situation(const ddz_situation *seen)
{
    if (!is_hand(seen->hand) || !is_hand(seen->unseen) || !is_hand(seen->table_cards) || !is_hand(seen->certain))
        return false;
    /* Three counts of at most 4 each fit into four bits. */
    if (!is_hand(seen->hand + seen->unseen + seen->table_cards) || !holds(seen->unseen, seen->certain))
        return false;
    if (seen->seat >= DDZ_SEATS || seen->passes > (seen->table_kind == -1 ? 0 : 1))
        return false;
    unsigned total = 0;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        if (seen->cards_left[seat] == 0 || seen->cards_left[seat] > DDZ_SPLIT_CARDS)
            return false;
        total += seen->cards_left[seat];
    }
    return seen->cards_left[seen->seat] == size_of(seen->hand) && total == size_of(seen->hand + seen->unseen) &&
           size_of(seen->certain) <= (seen->seat ? seen->cards_left[0] : 0u);
}

/* Reads the cards on the table as the kind that they were taken for; as nothing known if they are not of that kind. */
static ddz_status read_table(const ddz_rules *rules, const ddz_situation *seen, ddz_move *table)
{
    ddz_move readings[MOST_READINGS];
    uint32_t count;
    ddz_status status = ddz_classify(rules, seen->table_cards, 1, readings, MOST_READINGS, &count);
    if (status != DDZ_OK)
        return status;
    if ((seen->table_cards == 0) != (seen->table_kind == -1))
        return DDZ_BAD_GAME;
    *table = (ddz_move){seen->table_cards, DDZ_UNKNOWN, -1, 0, (uint8_t)size_of(seen->table_cards), 0, {0, 0, 0}};
    if (seen->table_cards == 0)
        *table = pass_move();
    for (uint32_t index = count; index-- > 0;)
        if (readings[index].kind == seen->table_kind)
            *table = readings[index];
    return DDZ_OK;
}

ddz_status situation_read(const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *situation,
                          ddz_move *table)
{
    if (bad_pointer(situation, 8))
        return DDZ_BAD_POINTER;
    ddz_status status = split_check_game(rules, splits);
    if (status != DDZ_OK)
        return status;
    return is_good_situation(situation) ? read_table(rules, situation, table) : DDZ_BAD_GAME;
}
