/* The solver: its memory, and the search. */
#include "solver/parts.h"

ddz_status ddz_solver_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_endgame), sizeof(ddz_solver), sizeof(ddz_endgame_key)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

/* Notes the chains, and checks that the rows treat ranks as solver_keys.c says. */
static bool read_rows(ddz_solver *solver, const grammar *legal)
{
    bool usual = true;
    solver->chain_ranks = 0;
    for (unsigned group = 0; group <= 4; group++)
        solver->shortest[group] = 0;
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        uint8_t *shortest = &solver->shortest[shape->group];
        if (shape->max_length > 1) {
            solver->chain_ranks |= shape->body_ranks;
            if (*shortest == 0 || *shortest > shape->min_length)
                *shortest = shape->min_length;
        }
    }
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        uint64_t wanted = shape->max_length > 1 ? solver->chain_ranks
                          : shape->group > 1    ? ranks_to(DDZ_RANKS - 3)
                                                : RANK_BITS;
        usual = usual && (shape->body_ranks & wanted) == wanted;
    }
    return usual;
}

ddz_status ddz_solver_init(ddz_solver *solver, const ddz_rules *rules, const ddz_splits *splits, uint32_t options,
                           void *entries, uint64_t count)
{
    if (bad_pointer(solver, 8) || bad_pointer(rules, 8) || bad_pointer(entries, 8) || (uintptr_t)splits % 8)
        return DDZ_BAD_POINTER;
    if (bad_rules(rules) || !rules->plays_on || (splits && splits->magic != SPLITS_MAGIC))
        return DDZ_BAD_RULES;
    if (options & ~(uint32_t)DDZ_WITHOUT_ROCKET)
        return DDZ_BAD_INDEX;
    if (count < 2 || (count & (count - 1)))
        return DDZ_SHORT_BUFFER;
    /* Field by field: a whole solver on the stack is more than a thread may have. */
    solver->rules = rules;
    solver->splits = splits;
    solver->entries = entries;
    solver->entry_mask = count - 1;
    solver->depth = 0;
    solver->winner = DDZ_NOBODY;
    solver->nodes = solver->reported = 0;
    for (unsigned slot = 0; slot < 1u << FEWEST_BITS; slot++)
        solver->fewest[slot] = 0;
    solver->rocket = (options & DDZ_WITHOUT_ROCKET) == 0;
    solver->folds = read_rows(solver, &rules->legal);
    solver->magic = SOLVER_MAGIC;
    return DDZ_OK;
}

/* Lets all seats pass that must. Then legal is what the next one may do. */
static void pass_on(const ddz_solver *solver, position *at, menu *legal)
{
    for (;; at->seat = next_seat(at)) {
        if (at->table.kind != DDZ_PASS && at->seat == at->table_seat)
            at->table = pass_move();
        turn_open(solver, at, legal);
        if (at->table.kind == DDZ_PASS || turn_has_move(solver->rules, legal))
            return;
    }
}

/*
 * Looks at a position: gets the winner if that is plain or known, else puts the position on the stack and gets
 * DDZ_NOBODY.
 */
static ddz_status enter(ddz_solver *solver, const position *at, uint8_t *winner)
{
    menu legal;
    frame *top = &solver->frames[solver->depth];
    solver->nodes++;
    top->at = *at;
    pass_on(solver, &top->at, &legal);
    *winner = side_of(top->at.seat);
    if (turn_goes_out(solver->rules, &legal))
        return DDZ_OK;
    key_make(solver, &top->at, &legal, &top->key);
    *winner = key_find(solver, &top->key);
    if (*winner != DDZ_NOBODY)
        return DDZ_OK;
    top->nodes = solver->nodes;
    top->first = solver->depth ? solver->frames[solver->depth - 1].end : 0;
    top->next = top->end = top->first;
    solver->depth++;
    return turn_list(solver, &legal, top) ? DDZ_OK : DDZ_SHORT_BUFFER;
}

/* Plays the next move of the position on top of the stack. */
static ddz_status try_next(ddz_solver *solver, frame *top, uint8_t *winner)
{
    const candidate *move = &solver->candidates[top->next++];
    position after = top->at;
    if (move->cards) {
        after.hands[after.seat] -= move->cards;
        after.table = (ddz_move){move->cards, move->kind, move->rank, move->length, move->size, 0, {0, 0, 0}};
        after.table_seat = after.seat;
    }
    after.seat = next_seat(&top->at);
    return enter(solver, &after, winner);
}

/* Takes the positions off the stack that the winner of the last one decides. */
static void settle(ddz_solver *solver, uint8_t winner)
{
    for (; solver->depth > 0; solver->depth--) {
        const frame *top = &solver->frames[solver->depth - 1];
        if (side_of(top->at.seat) != winner && top->next < top->end)
            return;
        if (top->key.words[0])
            key_keep(solver, &top->key, winner, solver->nodes - top->nodes);
    }
    solver->winner = winner;
}

ddz_status ddz_solver_run(ddz_solver *solver, uint64_t *nodes, uint32_t *winner)
{
    if (bad_pointer(solver, 8) || solver->magic != SOLVER_MAGIC || bad_pointer(nodes, 8) || bad_pointer(winner, 4))
        return DDZ_BAD_POINTER;
    while (solver->depth > 0 && solver->nodes - solver->reported < *nodes) {
        uint8_t found;
        ddz_status status = try_next(solver, &solver->frames[solver->depth - 1], &found);
        if (status != DDZ_OK) {
            solver->depth = 0;
            solver->winner = DDZ_NOBODY;
            return status;
        }
        if (found != DDZ_NOBODY)
            settle(solver, found);
    }
    *nodes = solver->nodes - solver->reported;
    solver->reported = solver->nodes;
    *winner = solver->winner;
    return DDZ_OK;
}

/* The move that the cards on the table were taken for. */
static bool read_table(const ddz_rules *rules, uint64_t cards, int32_t kind, ddz_move *table)
{
    const grammar *seen = &rules->recognised;
    unsigned size = size_of(cards);
    *table = (ddz_move){cards, (uint8_t)kind, -1, 0, (uint8_t)size, 0, {0, 0, 0}};
    if (kind == DDZ_ROCKET)
        *table = rocket_move();
    if (kind == DDZ_UNKNOWN || kind == DDZ_ROCKET)
        return (cards == ROCKET_CARDS) == (kind == DDZ_ROCKET);
    for (unsigned index = seen->first_form[size]; index < seen->first_form[size + 1]; index++) {
        const row *shape = &seen->rows[seen->forms[index].row];
        unsigned length = seen->forms[index].length;
        uint64_t starts = shape->kind == kind ? reading_starts(shape, length, cards) : 0;
        if (starts) {
            *table = move_of(shape, length, lowest(starts), cards);
            return true;
        }
    }
    return false;
}

static bool read_position(const ddz_solver *solver, const ddz_endgame *endgame, position *at)
{
    uint64_t cards = 0;
    if (endgame->seats < 2 || endgame->seats > DDZ_SEATS || endgame->seat >= endgame->seats)
        return false;
    *at = (position){{0}, pass_move(), endgame->seats, endgame->seat, endgame->table_seat};
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        uint64_t hand = endgame->hands[seat];
        if (!is_hand(hand) || (hand == 0) != (seat >= endgame->seats))
            return false;
        at->hands[seat] = hand;
        cards += hand;
    }
    if (endgame->table_kind == -1)
        return endgame->table_cards == 0 && endgame->table_seat == 0 && is_hand(cards);
    if (endgame->table_kind <= DDZ_PASS || endgame->table_kind >= DDZ_KINDS || endgame->table_cards == 0 ||
        endgame->table_seat >= endgame->seats || endgame->table_seat == endgame->seat ||
        !is_hand(endgame->table_cards) || size_of(endgame->table_cards) > solver->rules->terms.largest_hand)
        return false;
    return is_hand(cards) && is_hand(cards + endgame->table_cards) &&
           read_table(solver->rules, endgame->table_cards, endgame->table_kind, &at->table);
}

ddz_status ddz_solver_begin(ddz_solver *solver, const ddz_endgame *endgame)
{
    position at;
    if (bad_pointer(solver, 8) || solver->magic != SOLVER_MAGIC || bad_pointer(endgame, 8))
        return DDZ_BAD_POINTER;
    if (!read_position(solver, endgame, &at))
        return DDZ_BAD_GAME;
    solver->depth = 0;
    solver->nodes = solver->reported = 0;
    ddz_status status = enter(solver, &at, &solver->winner);
    if (status != DDZ_OK)
        solver->depth = 0;
    return status;
}

ddz_status ddz_solver_key(const ddz_solver *solver, const ddz_endgame *endgame, ddz_endgame_key *key)
{
    position at;
    menu legal;
    if (bad_pointer(solver, 8) || solver->magic != SOLVER_MAGIC || bad_pointer(endgame, 8) || bad_pointer(key, 8))
        return DDZ_BAD_POINTER;
    if (!read_position(solver, endgame, &at))
        return DDZ_BAD_GAME;
    *key = (ddz_endgame_key){{0}};
    pass_on(solver, &at, &legal);
    if (!turn_goes_out(solver->rules, &legal))
        key_make(solver, &at, &legal, key);
    return DDZ_OK;
}
