"""The fast network for Python callers. Declares what src/ddz_net.h says; docs/champion.md describes the network."""

import ctypes
import mmap
from functools import lru_cache
from struct import Struct
from typing import Any, Dict, List, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_records import HEADS, MOST_ACTIVE, SIZES, SeatParameters, Worth
from ddzbot.kernel.library import KernelError, Memory, Part
from ddzbot.rules import Move
from ddzbot.view import View

PORTABLE, AVX2, AVX512, BEST_CODE = range(4)
"""Which code computes; all give the same bits."""
CODE_NAMES = ("portable", "avx2", "avx512")

PARAMETERS = Struct("=9Q")
SEEN = Struct("=4QI5B7x")
_MOVE = Struct("=QBbBB4x")
_MOST_MOVES = 65536

_POINTER = ctypes.c_void_p
_NUMBER = ctypes.c_uint32
_PROTOTYPES: Dict[str, List[Any]] = {
    "ddz_cpu_avx2": [_POINTER],
    "ddz_cpu_avx512": [_POINTER],
    "ddz_net_layout": [_POINTER, _NUMBER],
    "ddz_net_init": [_POINTER, _POINTER, _NUMBER, _POINTER],
    "ddz_net_values": [*[_POINTER] * 6, _NUMBER, _POINTER],
    "ddz_net_features": [_POINTER, _POINTER, _POINTER, ctypes.c_uint64, _POINTER, _POINTER],
}


@lru_cache(maxsize=None)
def functions_of(path: str) -> "_Functions":
    """Gets the network's entry points in the library at *path*."""
    return _Functions(path)


class _Functions(Part):
    def __init__(self, path: str) -> None:
        super().__init__(path, "fast network", _PROTOTYPES)
        sizes = Memory(12)
        self.call("ddz_net_layout", sizes.address, 3)
        *records, self.net_size = sizes.counts().tolist()[:3]
        if records != [PARAMETERS.size, SEEN.size]:
            raise KernelError(f"{path}: the records of this fast network have other sizes: {records}")


def codes_of(path: str) -> List[int]:
    """Lists which code of the library at *path* this processor can run, the fastest last."""
    answer = Memory(8)
    functions_of(path).call("ddz_cpu_avx2", answer.address)
    functions_of(path).call("ddz_cpu_avx512", answer.address + 4)
    return [PORTABLE, *(code for code, there in zip((AVX2, AVX512), answer.counts()) if there)]


class FastNet:
    """
    A network of the kernel. For example ``FastNet(kernel, seats).values(view)``.

    *seats* are the parameters of the landlord, landlord_down and landlord_up.

    :raises KernelError: if the library has no such network, the processor lacks *code*, or a field has a wrong size.
    """

    def __init__(self, kernel: Kernel, seats: Sequence[SeatParameters], code: int = BEST_CODE) -> None:
        self.kernel = kernel
        self._functions = functions_of(kernel.library.path)
        self._pages = mmap.mmap(-1, self._functions.net_size)
        self._memory = ctypes.c_char.from_buffer(self._pages)
        self.address = ctypes.addressof(self._memory)
        """Where the ddz_net lies."""
        self.code = self._filled(seats, code)
        """PORTABLE, AVX2 or AVX512."""
        self._moves = Memory(_MOVE.size * _MOST_MOVES)
        self._heads = Memory(4 * HEADS * _MOST_MOVES)

    def _filled(self, seats: Sequence[SeatParameters], code: int) -> int:
        if len(seats) != SEATS or any(list(map(len, seat)) != list(SIZES.values()) for seat in seats):
            raise KernelError("a fast network needs the parameters of three seats, each of the right size")
        kept = [ctypes.create_string_buffer(field, len(field)) for seat in seats for field in seat]
        given, chosen = Memory(SEATS * PARAMETERS.size), Memory(4)
        for at, field in enumerate(kept):
            given.words()[at] = ctypes.addressof(field)
        self._functions.call("ddz_net_init", self.address, given.address, code, chosen.address)
        return int(chosen.counts()[0])

    def values(self, view: View) -> List[Worth]:
        """
        Values every legal move, in the order of the legal moves.

        :raises KernelError: for a view that contradicts itself.
        """
        seen, keep = packed_view(view)
        count = Memory(4)
        where = (self.kernel.compiled(view.rules).address, self.kernel.splits(view.rules), seen.address)
        out = (self._moves.address, self._heads.address, _MOST_MOVES, count.address)
        self._functions.call("ddz_net_values", self.address, *where, *out)
        number = count.counts()[0]
        moves = _MOVE.iter_unpack(self._moves.bytes[: _MOVE.size * number])
        heads = self._heads.bytes.cast("f")
        del keep
        return [Worth(Move(*fields[:4]), heads[HEADS * at], heads[HEADS * at + 1]) for at, fields in enumerate(moves)]


def features(kernel: Kernel, view: View, cards: Hand) -> List[int]:
    """
    Lists the numbers of the features after the legal move that lays *cards*, in no order.

    :raises KernelError: for a view that contradicts itself, or cards that are no legal move.
    """
    seen, keep = packed_view(view)
    out, count = Memory(2 * MOST_ACTIVE), Memory(4)
    where = (kernel.compiled(view.rules).address, kernel.splits(view.rules), seen.address)
    functions_of(kernel.library.path).call("ddz_net_features", *where, cards, out.address, count.address)
    del keep
    return list(out.bytes.cast("H")[: count.counts()[0]])


def packed_view(view: View) -> Tuple[Memory, Memory]:
    """Packs a view as a ddz_seen; the second memory has its moves and must stay as long as the first is used."""
    plays = Memory(max(1, _MOVE.size * len(view.plays)))
    for at, move in enumerate(view.plays):
        _MOVE.pack_into(plays.bytes, at * _MOVE.size, *move, move.size)
    seen = Memory(SEEN.size)
    cards = [view.rules.seat_cards(seat) for seat in range(SEATS)]
    SEEN.pack_into(
        seen.bytes,
        0,
        *(view.hand, view.bottom, view.rules.deck, plays.address),
        *(len(view.plays), view.seat, view.stake, *cards),
    )
    return seen, plays
