"""
Moves as objects that the kernel knows by their cards, so that it makes Python's lists of them itself, and games.

To make a list here from cards takes four times as long as all the rest. Only a CPython with its lock is asked to: there
alone an object is an address, and nothing else runs while the kernel does.
"""

import ctypes
import sys
from typing import Any, Callable, Dict, List, Optional

from ddzbot.cards import Hand
from ddzbot.game import Game
from ddzbot.kernel.codec import LISTER, MOVE, RULED, SHELF, SHELVED
from ddzbot.kernel.library import Library, Memory
from ddzbot.rules import PASS, Move, RuleSet, not_at_once

_SLOTS = 1 << 16
"""Three quarters of them hold all moves of each rule set that has a name: at most 34,330."""
_RULE_SETS = 64
"""The rule sets that the kernel knows by their objects; games of others are played here."""
_ROOM = 4096
_VARARGS, _ONE = 1, 8
_WORD = ctypes.sizeof(ctypes.c_void_p)
_LENT = (
    *("Py_IncRef", "Py_DecRef", "PyList_New", "PyList_SetItem", "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size"),
    *("PyTuple_GetItem", "PySequence_Concat", "PyLong_AsUnsignedLongLong", "PyLong_FromUnsignedLongLong"),
    *("PyByteArray_FromStringAndSize", "PyType_GenericAlloc", "PyObject_CallObject", "PyErr_Clear"),
)
"""The functions of a ddz_python, in its order."""


class Shelf:
    """
    The moves of a rule set, one :class:`Move` for each set of cards, whatever game it is in.

    ``known`` has them for Python, ``memory`` for the kernel. It holds first readings only.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._slots = Memory(SHELVED.size * _SLOTS)
        self.memory = Memory.of(SHELF.pack(self._slots.address, _SLOTS, 0))
        self.known: Dict[Hand, Move] = {}
        self.add(PASS)

    def add(self, move: Move) -> None:
        """Puts a move there whose cards it does not know."""
        first = self.known.setdefault(move.cards, move)  # of threads that come at once, the first one's counts
        self._library.status("ddz_shelve", self.memory.address, first.cards, id(first))


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Builtins:
    """
    Functions of the kernel that CPython calls like its own: a call by ctypes takes as long as to list a follow.

    Where there must be none, *otherwise* is called at once, and the two for games answer None.
    """

    def __init__(self, library: Library, otherwise: Callable[..., List[Move]]) -> None:
        self.legal_moves = otherwise
        self.game_moves: Callable[..., Any] = not_at_once
        self.game_play: Callable[..., Any] = not_at_once
        self.game_seen: Callable[..., Any] = not_at_once
        self._ruled, self._places = Memory(RULED.size * _RULE_SETS), iter(range(_RULE_SETS))
        if not is_fit():
            return
        hash_word = _hash_word() or 0
        moves = Memory(MOVE.size * _ROOM)
        lent = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in _LENT]
        objects = (id(None), id(Game), self._ruled.address, moves.address, id(otherwise))
        record = Memory.of(LISTER.pack(*lent, *objects, _RULE_SETS, _ROOM, hash_word, 0))
        own = record.address.to_bytes(8, sys.byteorder)
        alive = [library, otherwise, self._ruled, moves, record, own]

        def builtin(entry: str, flags: int) -> Any:
            method = _Method(entry.encode(), library.address(entry), flags, None)
            alive.append(method)
            make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
            # What the function calls its module keeps alive all that it points to.
            return make(("PyCFunction_NewEx", ctypes.pythonapi))(ctypes.addressof(method), own, alive)

        self.legal_moves = builtin("ddz_legal_moves", _VARARGS)
        self.game_moves = builtin("ddz_game_moves", _ONE)
        self.game_play = builtin("ddz_game_play", _VARARGS)
        self.game_seen = builtin("ddz_game_seen", _VARARGS)

    def add(self, rules: RuleSet, address: int, shelf: Shelf) -> None:
        """Has them answer for *rules*, which are compiled at an address, while there is a place for them."""
        place = next(self._places, None)
        if place is not None:
            RULED.pack_into(self._ruled.bytes, RULED.size * place, id(rules), address, shelf.memory.address)


def is_fit() -> bool:
    """Tests whether objects lie in this Python's memory as the kernel takes them to."""
    if sys.implementation.name != "cpython" or sys.platform in ("emscripten", "wasi"):
        return False
    has_lock = bool(getattr(sys, "_is_gil_enabled", lambda: True)())
    return has_lock and bytes.__basicsize__ == 4 * _WORD + 1 and _hash_word() is not None


def _hash_word() -> Optional[int]:
    """
    Finds the word of a tuple that keeps its hash: 0 before CPython 3.14, whose tuples keep none.

    None where it is neither: there a game that the kernel makes could have a wrong hash for good.
    """
    if tuple.__basicsize__ == 3 * _WORD:
        return 0
    game = tuple.__new__(Game, range(len(Game._fields)))
    word = ctypes.c_ssize_t.from_address(id(game) + 3 * _WORD)
    unasked, asked = word.value, hash(game)
    return 3 if tuple.__basicsize__ == 4 * _WORD and (unasked, word.value) == (-1, asked) else None
