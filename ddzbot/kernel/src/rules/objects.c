/* Makes lists of moves in Python's memory. */
#include "include/ddz_python.h"
#include "rules/parts.h"

_Static_assert(sizeof(ddz_shelved) == 16, "the header says 16 bytes");
_Static_assert(sizeof(ddz_shelf) == 16, "the header says 16 bytes");
_Static_assert(sizeof(ddz_request) == 48, "the header says 48 bytes");

/* The slot of cards, or the one where they belong: the first free one from where their hash points. */
static inline ddz_shelved *slot_of(const ddz_shelf *shelf, uint64_t cards)
{
    uint32_t at = (uint32_t)(cards * 0x9E3779B97F4A7C15ULL >> 32);
    while (shelf->slots[at & (shelf->size - 1)].object && shelf->slots[at & (shelf->size - 1)].cards != cards)
        at++;
    return &shelf->slots[at & (shelf->size - 1)];
}

static ddz_status check_shelf(const ddz_shelf *shelf)
{
    if (bad_pointer(shelf, 8) || bad_pointer(shelf->slots, 8))
        return DDZ_BAD_POINTER;
    return shelf->size && (shelf->size & (shelf->size - 1)) == 0 && shelf->count < shelf->size ? DDZ_OK : DDZ_BAD_INDEX;
}

ddz_status ddz_python_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_shelved), sizeof(ddz_shelf), sizeof(ddz_request)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_shelve(ddz_shelf *shelf, uint64_t cards, void *object)
{
    ddz_status status = bad_pointer(object, 8) ? DDZ_BAD_POINTER : check_shelf(shelf);
    if (status != DDZ_OK)
        return status;
    ddz_shelved *slot = slot_of(shelf, cards);
    if (slot->object)
        return DDZ_OK;
    if (shelf->count >= shelf->size / 4 * 3)
        return DDZ_SHORT_BUFFER;
    *slot = (ddz_shelved){cards, object};
    shelf->count++;
    return DDZ_OK;
}

/* Lists the moves, and puts the addresses of their objects in the place of their cards; false if one is missing. */
static bool find_objects(const ddz_request *request)
{
    ddz_listing *asked = request->asked;
    if (check_shelf(request->shelf) != DDZ_OK || ddz_list(asked) != DDZ_OK || !asked->first_readings)
        return false;
    for (uint32_t index = 0; index < asked->count; index++) {
        void *object = slot_of(request->shelf, asked->cards[index])->object;
        if (!object)
            return false;
        asked->cards[index] = (uintptr_t)object;
    }
    return true;
}

void *ddz_list_objects(const ddz_request *request)
{
    if (bad_pointer(request, 8) || !request->new_list || !request->set_item || !request->refer || !request->none)
        return 0;
    if (!find_objects(request)) {
        request->refer(request->none);
        return request->none;
    }
    const ddz_listing *asked = request->asked;
    void *list = request->new_list(asked->count);
    for (uint32_t index = 0; list && index < asked->count; index++) {
        void *object = (void *)(uintptr_t)asked->cards[index];
        request->refer(object);
        request->set_item(list, index, object);
    }
    return list;
}
