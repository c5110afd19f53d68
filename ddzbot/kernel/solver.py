"""The C endgame solver for Python callers, as src/include/ddz_solver.h describes it."""

import ctypes
import mmap
from typing import Optional, Sequence

from ddzbot.cards import Hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import ENDGAME, ENDGAME_KEY
from ddzbot.kernel.library import SHORT_BUFFER, STATUS_NAMES, KernelError, Memory
from ddzbot.rules import Move, RuleSet

WITHOUT_ROCKET = 1

NO_SEAT = 255
"""The winner of a search that is not over."""


class NativeSolver:
    """
    One search at a time, and what all searches so far have found out.

    For example ``solver.begin((parse_hand("34"), parse_hand("5")), 0, None, None)``, then ``solver.run(1000)`` until
    ``solver.finished``; then ``solver.winner`` is 0 for the landlord's side and 1 for the other one.

    *rules* are what may be played, *order* a rule set with pairs that orders the moves; *entries* of 32 bytes, a power
    of two, are all that the solver remembers.

    :raises KernelError: if the kernel refuses the rules.
    """

    portion = 16384
    """Nodes that take about as long as one may go without a look at the clock: some milliseconds."""

    def __init__(self, kernel: Kernel, rules: RuleSet, order: RuleSet, options: int, entries: int) -> None:
        self._library = kernel.library
        self._memory = Memory(kernel.library.sizes["ddz_solver"])
        # Pages that are never touched take no memory, and no time to clear.
        self._entries = ctypes.c_char.from_buffer(mmap.mmap(-1, max(entries, 1) * ENDGAME_KEY.size))
        self._endgame = Memory(ENDGAME.size)
        self._answer = Memory(16)
        self._key = Memory(ENDGAME_KEY.size)
        self._rules = kernel.compiled(rules)
        self._order = kernel.splits(order)
        where = (self._memory.address, self._rules.address, self._order)
        self._library.call("ddz_solver_init", *where, options, ctypes.addressof(self._entries), entries)
        self.nodes = 0
        self.winner: Optional[int] = None
        self.finished = True

    def begin(self, hands: Sequence[Hand], seat: int, to_beat: Optional[Move], table_seat: Optional[int]) -> None:
        """
        Sets up the search of a position.

        :raises KernelError: if the position contradicts itself.
        """
        self._write(hands, seat, to_beat, table_seat)
        self.nodes, self.winner = 0, None
        self.finished = self._stopped(self._library.status("ddz_solver_begin", *self._here()))
        if not self.finished:
            self.run(0)  # the position itself is a node, and may be plain

    def run(self, nodes: int) -> None:
        """
        Searches on for at most so many nodes.

        Afterwards ``finished`` says if there is more to do, and ``nodes`` counts all since :meth:`begin`. A search
        that finished without a ``winner`` met more moves than the solver has room for.
        """
        words = self._answer.words()
        words[0] = nodes
        address = self._answer.address
        status = self._library.status("ddz_solver_run", self._memory.address, address, address + 8)
        if self._stopped(status):
            self.finished = True
            return
        self.nodes += words[0]
        winner = self._answer.counts()[2]
        if winner != NO_SEAT:
            self.winner, self.finished = winner, True

    def _stopped(self, status: int) -> bool:
        if status not in (0, SHORT_BUFFER):
            raise KernelError(f"endgame solver: {STATUS_NAMES[status]}")
        return status == SHORT_BUFFER

    def key(self, hands: Sequence[Hand], seat: int, to_beat: Optional[Move], table_seat: Optional[int]) -> bytes:
        """
        Gets what is the same for two positions only if they are the same game, 32 bytes; zeros for no key.

        :raises KernelError: if the position contradicts itself.
        """
        self._write(hands, seat, to_beat, table_seat)
        self._library.call("ddz_solver_key", *self._here(), self._key.address)
        return self._key.bytes.tobytes()

    def _write(self, hands: Sequence[Hand], seat: int, to_beat: Optional[Move], table_seat: Optional[int]) -> None:
        cards, kind = (0, -1) if to_beat is None else to_beat[:2]
        if any(each >> 64 for each in (cards, *hands)):
            raise KernelError("endgame solver: bad cards")  # struct would say less
        held = (*hands, 0, 0)[:3]
        ENDGAME.pack_into(self._endgame.bytes, 0, *held, cards, kind, len(hands), seat, table_seat or 0)

    def _here(self) -> Sequence[int]:
        return self._memory.address, self._endgame.address
