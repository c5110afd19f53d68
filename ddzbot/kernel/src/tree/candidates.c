/* The moves that a search looks at: LessSplit of the thesis that docs/design/search.md names, or another pruning. */
#include "tree/parts.h"

uint32_t candidates_keep(ddz_search *search, uint64_t hand, uint32_t margin, ddz_move *moves, uint32_t count)
{
    if (search->options.pruning == DDZ_MINI_SPLIT)
        return mini_keep(search->rules, hand, moves, count);
    if (margin >= DDZ_ALL_MOVES)
        return count;
    unsigned most = fewest_known(search, hand) + margin;
    uint32_t kept = 0;
    for (uint32_t index = 0; index < count; index++)
        if (moves[index].kind == DDZ_PASS || 1 + fewest_known(search, hand - moves[index].cards) <= most)
            moves[kept++] = moves[index];
    return kept;
}

ddz_status ddz_candidates(const ddz_rules *rules, const ddz_splits *splits, uint64_t hand, uint64_t table_cards,
                          int32_t table_kind, uint32_t pruning, uint32_t margin, ddz_move *moves,
                          uint32_t capacity, uint32_t *count)
{
    uint32_t first_readings, most, rest, kept = 0;
    if (pruning > DDZ_MINI_SPLIT)
        return DDZ_BAD_INDEX;
    ddz_status status = ddz_moves(rules, hand, table_cards, table_kind, moves, capacity, count, &first_readings);
    if (status == DDZ_OK)
        status = ddz_fewest_moves(splits, hand, &most);
    if (status != DDZ_OK)
        return status;
    if (pruning == DDZ_MINI_SPLIT) {
        *count = mini_keep(rules, hand, moves, *count);
        return DDZ_OK;
    }
    most += margin < DDZ_ALL_MOVES ? margin : DDZ_ALL_MOVES;
    for (uint32_t index = 0; index < *count; index++) {
        ddz_fewest_moves(splits, hand - moves[index].cards, &rest);
        if (moves[index].kind == DDZ_PASS || 1 + rest <= most)
            moves[kept++] = moves[index];
    }
    *count = kept;
    return DDZ_OK;
}
