"""
Moves as objects that the kernel knows by their cards, so that it makes Python's lists of them itself.

To make a list here from cards takes four times as long as all the rest. Only a CPython with its lock is asked to: there
alone an object is an address, and nothing else runs while the kernel does.
"""

import ctypes
import sys
from typing import Dict, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel.codec import SHELF, SHELVED
from ddzbot.kernel.library import Library, Memory
from ddzbot.rules import PASS, Move

_SLOTS = 1 << 16
"""Three quarters of them hold all moves of each rule set that has a name: at most 34,330."""


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


def python_functions() -> Tuple[int, ...]:
    """Gets what a ddz_request has of Python, the addresses of three functions and of None; zeros where it must not."""
    if sys.implementation.name != "cpython" or sys.platform in ("emscripten", "wasi") or not _is_locked():
        return (0, 0, 0, 0)
    functions = (ctypes.pythonapi.PyList_New, ctypes.pythonapi.PyList_SetItem, ctypes.pythonapi.Py_IncRef)
    return (*(ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions), id(None))


def _is_locked() -> bool:
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())
