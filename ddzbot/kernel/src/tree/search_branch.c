/* A search that starts from a few moves, and from the caller's evaluation of them. */
#include "tree/parts.h"

static ddz_status check_branches(const ddz_search *search, const ddz_arm *branches, uint32_t count, uint32_t in_turn)
{
    if (count == 0 || count > DDZ_MOST_BRANCHES || in_turn > DDZ_MOST_HEAD_START)
        return DDZ_BAD_INDEX;
    for (uint32_t index = 0; index < count; index++)
        if (branches[index].visits > DDZ_MOST_HEAD_START || branches[index].wins > branches[index].visits)
            return DDZ_BAD_INDEX;
    return count < search->capacity ? DDZ_OK : DDZ_SHORT_BUFFER;
}

/* Finds the legal moves that play the cards of the branches; each may be there once. */
static ddz_status find_moves(ddz_search *search, const ddz_arm *branches, uint32_t count, ddz_move *moves)
{
    const position *root = &search->root;
    int32_t kind = root->to_beat.kind == DDZ_PASS ? -1 : root->to_beat.kind;
    uint32_t legal, first_readings;
    ddz_status status = ddz_moves(search->rules, root->hands[root->seat], root->to_beat.cards, kind, search->listed,
                                  DDZ_MOST_MOVES, &legal, &first_readings);
    if (status != DDZ_OK)
        return status;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t at = 0;
        while (at < legal && search->listed[at].cards != branches[index].move.cards)
            at++;
        for (uint32_t earlier = 0; earlier < index; earlier++)
            if (moves[earlier].cards == branches[index].move.cards)
                return DDZ_BAD_MOVE;
        if (at == legal)
            return DDZ_BAD_MOVE;
        moves[index] = search->listed[at];
    }
    return DDZ_OK;
}

ddz_status ddz_search_branches(ddz_search *search, const ddz_arm *branches, uint32_t count, uint32_t in_turn)
{
    ddz_move moves[DDZ_MOST_BRANCHES];
    ddz_status status = search_check(search);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(branches, 8))
        return DDZ_BAD_POINTER;
    if (search->simulations)
        return DDZ_BAD_GAME;
    if ((status = check_branches(search, branches, count, in_turn)) != DDZ_OK)
        return status;
    if ((status = find_moves(search, branches, count, moves)) != DDZ_OK)
        return status;
    tree_open_branches(search, moves, count);
    search->branches = count;
    search->in_turn = in_turn * count;
    search->head_visits = 0;
    for (uint32_t index = 0; index < count; index++) {
        search->heads[index] = (head_start){branches[index].visits, branches[index].wins};
        search->head_visits += branches[index].visits;
    }
    return DDZ_OK;
}
