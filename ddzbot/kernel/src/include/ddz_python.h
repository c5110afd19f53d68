/*
 * Lists of moves and games as CPython's own objects. Part of the ddzbot kernel; ddz_kernel.h says what holds for every
 * entry point.
 *
 * To read a game in Python and to make a list there takes several times as long as to find the moves. The kernel is
 * built without Python: who loads it into one hands over the few functions of its stable interface that are called
 * here. The caller holds Python's lock.
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

/* A rule set: Python's object, and what the kernel has of it. 24 bytes. */
typedef struct {
    _Alignas(8) const void *object;
    _Alignas(8) const ddz_rules *rules;
    _Alignas(8) const ddz_shelf *shelf; /* of first readings, whose kinds are legal; and the pass */
} ddz_ruled;

/* What Python lends. 136 bytes. */
typedef struct {
    _Alignas(8) void (*refer)(void *object);                              /* Py_IncRef */
    _Alignas(8) void (*release)(void *object);                            /* Py_DecRef */
    _Alignas(8) void *(*new_list)(intptr_t size);                         /* PyList_New */
    _Alignas(8) int (*set_in_list)(void *list, intptr_t index, void *);   /* PyList_SetItem, which takes a reference */
    _Alignas(8) void *(*new_tuple)(intptr_t size);                        /* PyTuple_New */
    _Alignas(8) int (*set_in_tuple)(void *tuple, intptr_t index, void *); /* PyTuple_SetItem, likewise */
    _Alignas(8) intptr_t (*size)(void *tuple);                            /* PyTuple_Size */
    _Alignas(8) void *(*item)(void *tuple, intptr_t index);               /* PyTuple_GetItem, which lends one */
    _Alignas(8) void *(*join)(void *first, void *second);                 /* PySequence_Concat */
    _Alignas(8) unsigned long long (*word)(void *number);                 /* PyLong_AsUnsignedLongLong */
    _Alignas(8) void *(*number)(unsigned long long word);                 /* PyLong_FromUnsignedLongLong */
    _Alignas(8) void *(*bytes)(const char *first, intptr_t count);        /* PyByteArray_FromStringAndSize */
    _Alignas(8) void *(*new_object)(void *type, intptr_t size);           /* PyType_GenericAlloc */
    _Alignas(8) void *(*call)(void *function, void *arguments);           /* PyObject_CallObject */
    _Alignas(8) void (*forget)(void);                                     /* PyErr_Clear */
    _Alignas(8) void *none;                                               /* Py_None */
    _Alignas(8) void *game;                                               /* the type of games, a tuple of six */
} ddz_python;

/* One that lists moves for Python. 176 bytes. */
typedef struct {
    ddz_python python;
    _Alignas(8) const ddz_ruled *ruled;
    _Alignas(8) ddz_move *moves;    /* room for a list, where nothing stays from one call to the next */
    _Alignas(8) void *otherwise;    /* the function for what ddz_legal_moves cannot answer */
    uint32_t ruled_count, capacity; /* of the two */
    uint32_t hash_word, unused;     /* the word of a tuple with its hash, -1 until it is asked for; 0 if it has none */
} ddz_lister;

/* Writes the sizes in bytes of ddz_shelved, ddz_shelf, ddz_ruled and ddz_lister. */
DDZ_API ddz_status ddz_python_layout(uint32_t *sizes, uint32_t count);

/*
 * Puts the object of a set of cards on the shelf, unless there is one. DDZ_SHORT_BUFFER if three quarters of the slots
 * are taken: so searches stay short.
 */
DDZ_API ddz_status ddz_shelve(ddz_shelf *shelf, uint64_t cards, void *object);

/*
 * The rest are functions as a PyMethodDef has them. Their self is an object of bytes, which has the address of a
 * ddz_lister. They return a new reference, or a null pointer with an error of Python. They answer for rule sets that
 * the lister has, hands and tables that ddz_moves takes, and moves that are on the shelf and are first readings.
 */

/* METH_VARARGS, (rules, hand, to_beat): a list of the legal moves. What it cannot answer it asks of otherwise. */
DDZ_API void *ddz_legal_moves(void *self, void *arguments);

/* METH_O, a game or a view: a list of the legal moves of the seat to move, or None. */
DDZ_API void *ddz_game_moves(void *self, void *game);

/* METH_VARARGS, (game, move): the game after a legal move, or None. */
DDZ_API void *ddz_game_play(void *self, void *arguments);

/* METH_VARARGS, (game, seat): a bytearray of the DDZ_ENV_SEEN bytes of what a seat sees in a game, or None. */
DDZ_API void *ddz_game_seen(void *self, void *arguments);

#endif
