/*
 * Lists of moves as CPython's own objects. Part of the ddzbot kernel; ddz_kernel.h says what holds for every entry
 * point.
 *
 * To make a list in Python from words takes several times as long as to find the moves. The kernel is built without
 * Python: who loads it into one hands over the few functions of its stable interface that are called here. The caller
 * holds Python's lock.
 */
#ifndef DDZ_PYTHON_H
#define DDZ_PYTHON_H

#include "include/ddz_kernel.h"

/* An object of Python for each set of cards, which whoever puts it here keeps alive. 16 bytes. */
typedef struct {
    uint64_t cards;
    _Alignas(8) void *object; /* null where there is none */
} ddz_shelved;

/* All of them under one rule set. 16 bytes; zeroed slots are an empty shelf. */
typedef struct {
    _Alignas(8) ddz_shelved *slots;
    _Alignas(8) uint32_t size; /* a power of 2 */
    uint32_t count;            /* slots that are taken */
} ddz_shelf;

/* A list that is asked for, and what it is made with. 48 bytes. */
typedef struct {
    _Alignas(8) ddz_listing *asked;
    _Alignas(8) const ddz_shelf *shelf;
    _Alignas(8) void *(*new_list)(intptr_t size);                        /* PyList_New */
    _Alignas(8) int (*set_item)(void *list, intptr_t index, void *item); /* PyList_SetItem, which takes a reference */
    _Alignas(8) void (*refer)(void *object);                             /* Py_IncRef */
    _Alignas(8) void *none;                                              /* Py_None */
} ddz_request;

/* Writes the sizes in bytes of ddz_shelved, ddz_shelf and ddz_request. */
DDZ_API ddz_status ddz_python_layout(uint32_t *sizes, uint32_t count);

/*
 * Puts the object of a set of cards on the shelf, unless there is one. DDZ_SHORT_BUFFER if three quarters of the slots
 * are taken: so searches stay short.
 */
DDZ_API ddz_status ddz_shelve(ddz_shelf *shelf, uint64_t cards, void *object);

/*
 * Makes a new list of the objects for the moves that ddz_list lists; a null pointer for a bad pointer, or with an error
 * of Python. It returns None if ddz_list does not say DDZ_OK, if an object is missing, and if first_readings is 0.
 */
DDZ_API void *ddz_list_objects(const ddz_request *request);

#endif
