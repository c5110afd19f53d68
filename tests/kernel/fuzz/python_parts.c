/* The functions that Python calls, with a small Python: good objects, odd ones and no memory; no reference is lost. */
#include "input.h"

#include "include/ddz_python.h"

enum { PLACES = 1 << 12, ROOM = 1 << 11, FIELDS = 6, PLAYS = 3 };

typedef enum { NONE, NUMBER, TUPLE, LIST, BYTES } type;

typedef struct object {
    type type;
    long references;
    uint64_t word;
    intptr_t size;
    struct object *items[];
} object;

static object none = {.type = NONE, .references = 1};
static long living, memory_left = -1;
static bool failed;

static void *made(type type, intptr_t size)
{
    if (memory_left-- == 0) {
        failed = true;
        return 0;
    }
    object *new = room(sizeof(object) + (size_t)size * sizeof(object *));
    memset(new, 0, sizeof(object) + (size_t)size * sizeof(object *));
    new->type = type;
    new->references = 1;
    new->size = size;
    living++;
    return new;
}

static void refer(void *given) { ((object *)given)->references++; }

static void release(void *given)
{
    object *one = given;
    MUST(one->references > 0);
    if (--one->references || one == &none)
        return;
    for (intptr_t index = 0; index < one->size && one->type != BYTES; index++)
        if (one->items[index])
            release(one->items[index]);
    living--;
    free(one);
}

static int set(object *given, type type, intptr_t index, void *item)
{
    MUST(given->type == type && given->references == 1 && index < given->size && item && !given->items[index]);
    given->items[index] = item;
    return 0;
}

static void *new_list(intptr_t size) { return made(LIST, size); }
static int set_in_list(void *list, intptr_t index, void *item) { return set(list, LIST, index, item); }
static void *new_tuple(intptr_t size) { return made(TUPLE, size); }
static int set_in_tuple(void *tuple, intptr_t index, void *item) { return set(tuple, TUPLE, index, item); }

static intptr_t size(void *tuple)
{
    failed |= ((object *)tuple)->type != TUPLE;
    return ((object *)tuple)->type == TUPLE ? ((object *)tuple)->size : -1;
}

static void *item(void *given, intptr_t index)
{
    object *tuple = given;
    bool there = tuple->type == TUPLE && index >= 0 && index < tuple->size;
    failed |= !there;
    return there ? tuple->items[index] : 0;
}

static void *join(void *given, void *more)
{
    object *first = given, *second = more, *joined = made(TUPLE, first->size + second->size);
    for (intptr_t index = 0; joined && index < joined->size; index++) {
        joined->items[index] = index < first->size ? first->items[index] : second->items[index - first->size];
        refer(joined->items[index]);
    }
    return joined;
}

static unsigned long long word(void *number)
{
    failed |= ((object *)number)->type != NUMBER;
    return ((object *)number)->type == NUMBER ? ((object *)number)->word : UINT64_MAX;
}

static void *number(unsigned long long of)
{
    object *new = made(NUMBER, 0);
    if (new)
        new->word = of;
    return new;
}

static void *bytes(const char *first, intptr_t count)
{
    MUST(first && count == DDZ_ENV_SEEN);
    return made(BYTES, count);
}

static void *new_object(void *type, intptr_t fields)
{
    MUST(type == &none);
    return made(TUPLE, fields);
}

static void *call(void *function, void *arguments)
{
    MUST(function == &none && arguments && !failed);
    return number(0);
}

static void forget(void) { failed = false; }

/* Makes a tuple, and takes the references of its items. */
static object *tuple_of(object *const *items, intptr_t count)
{
    object *tuple = made(TUPLE, count);
    memcpy(tuple->items, items, (size_t)count * sizeof(object *));
    return tuple;
}

static object *move_of_python(const ddz_move *move)
{
    object *fields[] = {number(move->cards), number(move->kind), number((uint8_t)move->rank), number(move->length)};
    return tuple_of(fields, 4);
}

static object *game_of_python(const position *where)
{
    object *hands[DDZ_SEATS], *plays[64];
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        hands[seat] = number(where->game.hands[seat]);
    for (uint32_t index = 0; index < where->count; index++)
        plays[index] = move_of_python(&where->plays[index]);
    object *fields[FIELDS] = {number(0), tuple_of(hands, DDZ_SEATS), number(where->bottom),
                              tuple_of(plays, where->count), tuple_of(hands, 0), number(0)};
    return tuple_of(fields, FIELDS);
}

/* Puts something else into some place of a tuple, or of one in it. */
static void spoil_object(input *in, object *tuple)
{
    while (tuple->type == TUPLE && tuple->size) {
        object **place = &tuple->items[below(in, (uint32_t)tuple->size)];
        if ((*place)->type == TUPLE && take(in, 1) % 4) {
            tuple = *place;
            continue;
        }
        release(*place);
        *place = take(in, 1) % 4 == 0 ? new_list(0) : take(in, 1) % 2 ? new_tuple(below(in, 2)) : number(take(in, 8));
        for (intptr_t index = 0; (*place)->type == TUPLE && index < (*place)->size; index++)
            (*place)->items[index] = number(take(in, 1));
        return;
    }
}

static object *lent(object *one)
{
    refer(one);
    return one;
}

/* Checks an answer, which it takes: there is none where memory ended, and else no error. */
static void settle(object *answer)
{
    MUST(answer ? !failed : memory_left < 0);
    failed = false;
    if (answer)
        release(answer);
}

/* Asks everything of a game and a move, which may be anything. */
static void ask(input *in, void *self, object *rules, object *game, object *move)
{
    object *hand = number(take(in, 1) % 4 ? 0x1234 : take(in, 8)), *to_beat = take(in, 1) % 2 ? move : &none;
    object *played = tuple_of((object *[]){lent(game), lent(move)}, 2);
    object *seen = tuple_of((object *[]){lent(game), number(option(in, below(in, DDZ_SEATS)))}, 2);
    object *asked = tuple_of((object *[]){lent(rules), hand, lent(to_beat)}, 3);
    const long memory = take(in, 1) % 2 ? 1000000 : (long)below(in, 12);
    void *(*const functions[])(void *, void *) = {ddz_game_moves, ddz_game_play, ddz_game_play, ddz_game_seen,
                                                  ddz_legal_moves, ddz_legal_moves};
    object *const arguments[] = {game, played, game, seen, asked, played};
    for (unsigned index = 0; index < 6; index++) {
        memory_left = memory;
        settle(functions[index](self, arguments[index]));
    }
    memory_left = -1;
    release(played);
    release(seen);
    release(asked);
}

/* Checks what good objects are answered. */
static void compare(const rule_set *set, void *self, const position *where, object *game, object *move)
{
    static ddz_move moves[ROOM];
    uint32_t count, first;
    object *played = tuple_of((object *[]){lent(game), lent(move)}, 2), *answer = ddz_game_moves(self, game);
    const ddz_move *table = &where->game.to_beat;
    ddz_status status = ddz_moves(set->rules, where->game.hands[where->game.seat], table->cards,
                                  table->cards ? table->kind : -1, moves, ROOM, &count, &first);
    MUST(answer && (answer == &none) == (status != DDZ_OK || !first));
    for (uint32_t index = 0; answer != &none && index < count; index++)
        MUST(answer->size == count && answer->items[index]->items[0]->word == moves[index].cards);
    release(answer);
    answer = ddz_game_play(self, played);
    MUST(answer && answer != &none);
    ddz_game next = where->game;
    ddz_move legal = {.cards = move->items[0]->word, .kind = (uint8_t)move->items[1]->word};
    game_play(set->rules, &next, &legal);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        MUST(answer->items[1]->items[seat]->word == next.hands[seat]);
    MUST(answer->items[PLAYS]->size == where->count + 1 && answer->items[PLAYS]->items[where->count] == move);
    release(answer);
    release(played);
}

void fuzz_python(input *in)
{
    static ddz_move moves[ROOM];
    static ddz_shelved slots[PLACES];
    uint32_t sizes[4], count, first;
    position where = any_position(in, any_rules(in));
    object *game = game_of_python(&where), *rules = lent(game->items[0]), *shelved[ROOM];
    ddz_shelf shelf = {slots, PLACES, 0};
    ddz_ruled ruled = {rules, where.set->rules, &shelf};
    ddz_lister lister = {{refer, release, new_list, set_in_list, new_tuple, set_in_tuple, size, item, join, word,
                          number, bytes, new_object, call, forget, &none, &none},
                         &ruled, room(ROOM * sizeof(ddz_move)), &none, 1, ROOM, 0, 0};
    struct {
        void *head[4];
        const ddz_lister *lister;
    } self = {{0}, &lister};
    MUST(ddz_python_layout(sizes, 4) == DDZ_OK && ddz_python_layout(sizes, 3) == DDZ_SHORT_BUFFER);
    memset(slots, 0, sizeof(slots));
    const ddz_move *table = &where.game.to_beat;
    MUST(ddz_moves(where.set->rules, where.game.hands[where.game.seat], table->cards, table->cards ? table->kind : -1,
                   moves, ROOM, &count, &first) == DDZ_OK);
    for (uint32_t index = 0; index < count; index++) {
        shelved[index] = move_of_python(&moves[index]);
        MUST(ddz_shelve(&shelf, moves[index].cards, shelved[index]) == DDZ_OK);
    }
    object *move = shelved[below(in, count)];
    const long before = living;
    compare(where.set, &self, &where, game, move);
    ask(in, &self, rules, game, move);
    MUST(living == before);
    if (take(in, 1) % 4)
        spoil_object(in, take(in, 1) % 4 ? game : move);
    const long spoiled = living;
    ask(in, &self, rules, game, move);
    MUST(living == spoiled);
    release(game);
    release(rules);
    for (uint32_t index = 0; index < count; index++)
        release(shelved[index]);
    MUST(living == 0);
    free(lister.moves);
}
