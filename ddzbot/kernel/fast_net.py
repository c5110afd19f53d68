"""The fast network (src/include/ddz_net.h) for Python callers; docs/design/champion.md describes it."""

import ctypes
import mmap
from typing import List, Optional, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import MOVE, NET_PARAMETERS, pack_moves, pack_view, unpack_moves
from ddzbot.kernel.fast_records import HEADS, MOST_ACTIVE, MoveValue, SeatParameters, sizes_of
from ddzbot.kernel.library import KernelError, Library, Memory
from ddzbot.view import View

PORTABLE, AVX2, AVX512, BEST_CODE = range(4)
"""The code paths; all give the same bits."""
CODE_NAMES = ("portable", "avx2", "avx512")

_MOST_MOVES = 65536


def codes_of(library: Library) -> List[int]:
    """Lists which code of a library this processor can run, the fastest last."""
    answer = Memory(8)
    library.call("ddz_cpu_avx2", answer.address)
    library.call("ddz_cpu_avx512", answer.address + 4)
    return [PORTABLE, *(code for code, there in zip((AVX2, AVX512), answer.counts()) if there)]


class _Room:
    """Where the kernel writes the values of one decision."""

    def __init__(self) -> None:
        self.moves = Memory(MOVE.size * _MOST_MOVES)
        self.heads = Memory(4 * HEADS * _MOST_MOVES)


class FastNet:
    """
    A network of the kernel. For example ``FastNet(kernel, seats).values(view)``. Threads may share one.

    *seats* are the parameters of the landlord, landlord_down and landlord_up.

    :raises KernelError: if the processor lacks *code*, or a field has a wrong size.
    """

    def __init__(self, kernel: Kernel, seats: Sequence[SeatParameters], code: int = BEST_CODE) -> None:
        self.kernel = kernel
        self._pages = mmap.mmap(-1, kernel.library.sizes["ddz_net"])
        self._memory = ctypes.c_char.from_buffer(self._pages)
        self.address = ctypes.addressof(self._memory)
        """The address of the ddz_net."""
        self.code = self._filled(seats, code)
        """PORTABLE, AVX2 or AVX512."""
        # The kernel lets other threads run while it writes: each call has a room to itself.
        self._free: List[_Room] = []

    def _filled(self, seats: Sequence[SeatParameters], code: int) -> int:
        sizes = list(sizes_of(seats[0].units).values()) if seats else []
        if len(seats) != SEATS or any(list(map(len, seat)) != sizes for seat in seats):
            raise KernelError("a fast network needs the parameters of three seats, each of the right size")
        buffers = [ctypes.create_string_buffer(field, len(field)) for seat in seats for field in seat]
        given, chosen = Memory(SEATS * NET_PARAMETERS.size), Memory(4)
        for index, field in enumerate(buffers):
            given.words()[index] = ctypes.addressof(field)
        self.kernel.library.call("ddz_net_init", self.address, given.address, seats[0].units, code, chosen.address)
        return int(chosen.counts()[0])

    def values(self, view: View) -> List[MoveValue]:
        """
        Values every legal move, in the order of the legal moves.

        :raises KernelError: for a view that contradicts itself.
        """
        try:
            room = self._free.pop()
        except IndexError:
            room = _Room()
        try:
            return self._values_in(room, view)
        finally:
            self._free.append(room)

    def _values_in(self, room: _Room, view: View) -> List[MoveValue]:
        seen, keep = packed_view(view)
        count = Memory(4)
        where = (self.kernel.compiled(view.rules).address, self.kernel.splits(view.rules), seen.address)
        out = (room.moves.address, room.heads.address, _MOST_MOVES, count.address)
        self.kernel.library.call("ddz_net_values", self.address, *where, *out)
        moves = unpack_moves(room.moves.bytes, count.counts()[0])
        heads = room.heads.bytes.cast("f")
        del keep
        return [MoveValue(move, heads[HEADS * index], heads[HEADS * index + 1]) for index, move in enumerate(moves)]


def features(kernel: Kernel, view: View, cards: Hand) -> List[int]:
    """
    Lists the numbers of the features after the legal move that plays *cards*, in no order.

    :raises KernelError: for a view that contradicts itself, or cards that are not a legal move.
    """
    seen, keep = packed_view(view)
    out, count = Memory(2 * MOST_ACTIVE), Memory(4)
    where = (kernel.compiled(view.rules).address, kernel.splits(view.rules), seen.address)
    kernel.library.call("ddz_net_features", *where, cards, out.address, count.address)
    del keep
    return list(out.bytes.cast("H")[: count.counts()[0]])


_last: Tuple[Optional[View], Tuple[Memory, ...]] = (None, ())
"""The view that was packed last, and what it was packed as."""


def packed_view(view: View) -> Tuple[Memory, ...]:
    """
    Packs a view as a ddz_seen; the second memory has its moves and must stay as long as the first is used.

    A decision asks for the same view several times, and the kernel only reads it: so the last one is not packed again.
    """
    global _last
    last, packed = _last
    if last is not view:
        plays = Memory.of(pack_moves(view.plays))
        packed = Memory.of(pack_view(view, plays.address)), plays
        _last = view, packed
    return packed
