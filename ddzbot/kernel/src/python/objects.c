/* Lists moves, plays games and shows them in Python's memory. */
#include "include/ddz_python.h"

#include "env/parts.h"

_Static_assert(sizeof(ddz_shelved) == 16, "the header says 16 bytes");
_Static_assert(sizeof(ddz_shelf) == 16, "the header says 16 bytes");
_Static_assert(sizeof(ddz_ruled) == 24, "the header says 24 bytes");
_Static_assert(sizeof(ddz_python) == 136, "the header says 136 bytes");
_Static_assert(sizeof(ddz_lister) == 176, "the header says 176 bytes");

/* The fields of a game, those of a view that are read, and those of a move. */
enum { GAME_RULES, GAME_HANDS, GAME_BOTTOM, GAME_PLAYS, GAME_BIDS, GAME_LANDLORD, GAME_FIELDS };
enum { VIEW_RULES, VIEW_HAND = 2, VIEW_PLAYS = 7, VIEW_FIELDS };
enum { MOVE_CARDS, MOVE_KIND };

/* An object of bytes: references, type, size and hash stand before its contents. */
typedef struct {
    void *head[4];
    const ddz_lister *lister;
} lister_object;

/* What the moves are asked for: a hand, and what it must beat, as ddz_moves has them; and the rest of a game. */
typedef struct {
    const ddz_ruled *ruled;
    uint64_t hand, table_cards;
    int32_t table_kind;
    unsigned seat;
    int passes;
    uint64_t hands[DDZ_SEATS];
} situation;

/* The slot of cards, or the one where they belong: the first free one from where their hash points. */
static inline ddz_shelved *slot_of(const ddz_shelf *shelf, uint64_t cards)
{
    uint32_t at = (uint32_t)(cards * 0x9E3779B97F4A7C15ULL >> 32);
    while (shelf->slots[at & (shelf->size - 1)].object && shelf->slots[at & (shelf->size - 1)].cards != cards)
        at++;
    return &shelf->slots[at & (shelf->size - 1)];
}

ddz_status ddz_python_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_shelved), sizeof(ddz_shelf), sizeof(ddz_ruled), sizeof(ddz_lister)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_shelve(ddz_shelf *shelf, uint64_t cards, void *object)
{
    if (bad_pointer(object, 8) || bad_pointer(shelf, 8) || bad_pointer(shelf->slots, 8))
        return DDZ_BAD_POINTER;
    if (!shelf->size || (shelf->size & (shelf->size - 1)) || shelf->count >= shelf->size)
        return DDZ_BAD_INDEX;
    ddz_shelved *slot = slot_of(shelf, cards);
    if (slot->object)
        return DDZ_OK;
    if (shelf->count >= shelf->size / 4 * 3)
        return DDZ_SHORT_BUFFER;
    *slot = (ddz_shelved){cards, object};
    shelf->count++;
    return DDZ_OK;
}

/* ---- Reading Python's objects: where it fails, an error of Python may stand -------------------------------------- */

static const ddz_ruled *ruled_of(const ddz_lister *lister, const void *rules)
{
    for (uint32_t index = 0; index < lister->ruled_count; index++)
        if (lister->ruled[index].object == rules)
            return &lister->ruled[index];
    return 0;
}

static bool read_word(const ddz_python *python, void *number, uint64_t *word)
{
    *word = number ? python->word(number) : UINT64_MAX;
    return *word != UINT64_MAX; /* an error, and no hand */
}

static bool read_table(const ddz_python *python, void *move, situation *asked)
{
    uint64_t kind;
    if (!read_word(python, python->item(move, MOVE_CARDS), &asked->table_cards))
        return false;
    if (!asked->table_cards || !read_word(python, python->item(move, MOVE_KIND), &kind) || kind >= DDZ_KINDS)
        return false;
    asked->table_kind = (int32_t)kind;
    return true;
}

/* Reads what the newest of some moves leave to beat. */
static bool read_newest(const ddz_python *python, void *plays, intptr_t count, situation *asked)
{
    uint64_t cards = 0;
    asked->table_cards = 0;
    asked->table_kind = -1;
    for (asked->passes = 0; asked->passes < DDZ_SEATS - 1 && asked->passes < count; asked->passes++) {
        void *move = python->item(plays, count - 1 - asked->passes);
        if (!move || !read_word(python, python->item(move, MOVE_CARDS), &cards))
            return false;
        if (cards)
            return read_table(python, move, asked);
    }
    return true;
}

/* Reads where a game stands. */
static bool read_game(const ddz_lister *lister, void *game, situation *asked)
{
    const ddz_python *python = &lister->python;
    if (python->size(game) != GAME_FIELDS)
        return false;
    void *plays = python->item(game, GAME_PLAYS), *hands = python->item(game, GAME_HANDS);
    intptr_t count = python->size(plays);
    asked->ruled = ruled_of(lister, python->item(game, GAME_RULES));
    if (!asked->ruled || count < 0 || python->size(hands) != DDZ_SEATS)
        return false;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        if (!read_word(python, python->item(hands, seat), &asked->hands[seat]))
            return false;
    asked->seat = (unsigned)(count % DDZ_SEATS);
    asked->hand = asked->hands[asked->seat];
    return read_newest(python, plays, count, asked);
}

/* Reads what the seat of a view is asked. */
static bool read_view(const ddz_lister *lister, void *view, situation *asked)
{
    const ddz_python *python = &lister->python;
    if (python->size(view) != VIEW_FIELDS || !read_word(python, python->item(view, VIEW_HAND), &asked->hand))
        return false;
    void *plays = python->item(view, VIEW_PLAYS);
    intptr_t count = python->size(plays);
    asked->ruled = ruled_of(lister, python->item(view, VIEW_RULES));
    return asked->ruled && count >= 0 && read_newest(python, plays, count, asked);
}

static bool read_below(const ddz_python *python, void *tuple, intptr_t index, uint64_t bound, uint64_t *word)
{
    return read_word(python, python->item(tuple, index), word) && *word < bound;
}

/* Reads what the moves of a game add up to, and what its players knew before it began. */
static bool read_past(const ddz_python *python, void *game, ddz_env_table *table)
{
    uint64_t kind, bid, landlord;
    void *plays = python->item(game, GAME_PLAYS), *bids = python->item(game, GAME_BIDS);
    intptr_t moves = python->size(plays), bid_count = python->size(bids);
    for (intptr_t index = 0; index < moves; index++) {
        void *move = python->item(plays, index);
        uint64_t cards, *played = &table->played[index % DDZ_SEATS];
        if (!read_word(python, python->item(move, MOVE_CARDS), &cards) || !is_hand(cards) ||
            !is_hand(*played + cards) || (cards && !read_below(python, move, MOVE_KIND, DDZ_KINDS, &kind)))
            return false;
        *played += cards;
        table->game.bombs += cards && (kind == DDZ_BOMB || kind == DDZ_ROCKET);
    }
    table->game.stake = 1;
    for (intptr_t index = 0; index < bid_count; index++) {
        if (!read_below(python, bids, index, UINT8_MAX, &bid))
            return false;
        table->game.stake = bid > table->game.stake ? (uint8_t)bid : table->game.stake;
    }
    if (bid_count < 0 || !read_word(python, python->item(game, GAME_BOTTOM), &table->bottom) ||
        !read_below(python, game, GAME_LANDLORD, DDZ_SEATS, &landlord))
        return false;
    table->landlord = (uint8_t)landlord;
    return true;
}

/* ---- Making them ------------------------------------------------------------------------------------------------- */

static void *new_none(const ddz_python *python)
{
    python->forget();
    python->refer(python->none);
    return python->none;
}

/* Makes the list; None without an answer. */
static void *list_of(const ddz_lister *lister, const situation *asked)
{
    menu legal;
    const ddz_python *python = &lister->python;
    const ddz_rules *rules = asked->ruled->rules;
    if (menu_read(rules, asked->hand, asked->table_cards, asked->table_kind, &legal) != DDZ_OK ||
        !menu_has_first_readings(rules, &legal))
        return new_none(python);
    menu_settle(rules, &legal);
    /* A new object may have Python collect others, and so call this: the moves are written when it is there. */
    void *list = legal.total <= lister->capacity ? python->new_list(legal.total) : new_none(python);
    if (!list || list == python->none)
        return list;
    const ddz_move *after = menu_list(rules, &legal, lister->moves, lister->moves + lister->capacity);
    for (const ddz_move *move = lister->moves; after && move != after; move++) {
        void *object = slot_of(asked->ruled->shelf, move->cards)->object;
        if (!object) {
            after = 0;
            break;
        }
        python->refer(object);
        python->set_in_list(list, move - lister->moves, object);
    }
    if (after)
        return list;
    python->release(list);
    return new_none(python);
}

/* Checks that a move of the shelf is legal. */
static bool is_on_menu(const situation *asked, uint64_t cards)
{
    menu legal;
    ddz_move move;
    if (asked->table_kind == -1)
        return cards && is_hand(asked->hand) && holds(asked->hand, cards);
    return menu_read(asked->ruled->rules, asked->hand, asked->table_cards, asked->table_kind, &legal) == DDZ_OK &&
           menu_find(asked->ruled->rules, &legal, cards, &move);
}

/* Makes a tuple of objects, which it takes the references of; null if one of them is, or there is no memory. */
static void *tuple_of(const ddz_python *python, void *tuple, void *const *objects, unsigned count)
{
    bool whole = tuple != 0;
    for (unsigned index = 0; index < count; index++)
        whole = whole && objects[index];
    for (unsigned index = 0; index < count; index++)
        if (whole)
            python->set_in_tuple(tuple, index, objects[index]);
        else if (objects[index])
            python->release(objects[index]);
    if (tuple && !whole)
        python->release(tuple);
    return whole ? tuple : 0;
}

static void *lent(const ddz_python *python, void *tuple, intptr_t index)
{
    void *object = python->item(tuple, index);
    python->refer(object);
    return object;
}

/* Makes an empty game: a new tuple of a type of Python's own, whose hash is not known yet. */
static void *new_game(const ddz_lister *lister)
{
    intptr_t *game = lister->python.new_object(lister->python.game, GAME_FIELDS);
    if (game && lister->hash_word)
        game[lister->hash_word] = -1;
    return game;
}

static void *hands_after(const ddz_python *python, void *game, unsigned seat, uint64_t hand)
{
    void *hands = python->item(game, GAME_HANDS), *after[DDZ_SEATS];
    for (unsigned each = 0; each < DDZ_SEATS; each++)
        after[each] = each == seat ? python->number(hand) : lent(python, hands, each);
    return tuple_of(python, python->new_tuple(DDZ_SEATS), after, DDZ_SEATS);
}

static void *plays_after(const ddz_python *python, void *game, void *move)
{
    python->refer(move);
    void *newest = tuple_of(python, python->new_tuple(1), &move, 1);
    void *plays = newest ? python->join(python->item(game, GAME_PLAYS), newest) : 0;
    if (newest)
        python->release(newest);
    return plays;
}

/* ---- The functions of Python ------------------------------------------------------------------------------------- */

void *ddz_legal_moves(void *self, void *arguments)
{
    const ddz_lister *lister = ((const lister_object *)self)->lister;
    const ddz_python *python = &lister->python;
    situation asked = {.table_kind = -1};
    if (python->size(arguments) == 3) {
        void *to_beat = python->item(arguments, 2);
        asked.ruled = ruled_of(lister, python->item(arguments, 0));
        if (asked.ruled && read_word(python, python->item(arguments, 1), &asked.hand) &&
            (to_beat == python->none || read_table(python, to_beat, &asked))) {
            void *list = list_of(lister, &asked);
            if (list != python->none)
                return list;
            python->release(list);
        }
    }
    python->forget();
    return python->call(lister->otherwise, arguments);
}

void *ddz_game_moves(void *self, void *game)
{
    const ddz_lister *lister = ((const lister_object *)self)->lister;
    situation asked;
    bool read = read_game(lister, game, &asked) || read_view(lister, game, &asked);
    return read ? list_of(lister, &asked) : new_none(&lister->python);
}

void *ddz_game_play(void *self, void *arguments)
{
    const ddz_lister *lister = ((const lister_object *)self)->lister;
    const ddz_python *python = &lister->python;
    uint64_t cards;
    situation asked;
    if (python->size(arguments) != 2)
        return new_none(python);
    void *game = python->item(arguments, 0), *move = python->item(arguments, 1);
    if (!read_game(lister, game, &asked) || !asked.hands[0] || !asked.hands[1] || !asked.hands[2] ||
        !read_word(python, python->item(move, MOVE_CARDS), &cards) ||
        slot_of(asked.ruled->shelf, cards)->object != move || !is_on_menu(&asked, cards))
        return new_none(python);
    void *fields[GAME_FIELDS];
    for (int field = 0; field < GAME_FIELDS; field++)
        fields[field] = field == GAME_PLAYS            ? plays_after(python, game, move)
                        : field == GAME_HANDS && cards ? hands_after(python, game, asked.seat, asked.hand - cards)
                                                       : lent(python, game, field);
    return tuple_of(python, new_game(lister), fields, GAME_FIELDS);
}

void *ddz_game_seen(void *self, void *arguments)
{
    const ddz_lister *lister = ((const lister_object *)self)->lister;
    const ddz_python *python = &lister->python;
    ddz_env_table table = {.landlord = 0};
    uint8_t seen[DDZ_ENV_SEEN];
    uint64_t seat;
    situation asked;
    if (python->size(arguments) != 2 || !read_below(python, arguments, 1, DDZ_SEATS, &seat))
        return new_none(python);
    void *game = python->item(arguments, 0);
    if (!read_game(lister, game, &asked) || !read_past(python, game, &table))
        return new_none(python);
    memcpy(table.game.hands, asked.hands, sizeof(asked.hands));
    table.game.to_beat.cards = asked.table_cards;
    table.game.to_beat.kind = (uint8_t)(asked.table_cards ? asked.table_kind : DDZ_PASS);
    table.game.seat = (uint8_t)asked.seat;
    table.game.passes = (uint8_t)asked.passes;
    env_seen(&table, (unsigned)seat, seen);
    return python->bytes((const char *)seen, sizeof(seen));
}
