"""The search with the fast network (src/include/ddz_rollout.h) for Python callers."""

import ctypes
import mmap
import struct
from typing import List, NamedTuple, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel.codec import ROLLOUT_ARM, ROLLOUT_OPTIONS
from ddzbot.kernel.fast_net import FastNet, packed_view
from ddzbot.kernel.library import Memory
from ddzbot.kernel.worlds import KernelWorlds
from ddzbot.rules import Move
from ddzbot.view import View

MOST_ARMS, MOST_POOLED = 16, 4096


class RolloutOptions(NamedTuple):
    """The options of a search: the fields of a ddz_rollout_options, without the seed."""

    max_moves: int
    """At most so many moves compete."""
    margin: int
    """Thousandths of a logit: how much worse than the best a move that competes may be."""
    prior: int
    """The network's own value counts as so many playouts."""
    prune_z: int
    """Hundredths: a move is given up when it is so many standard errors behind; 0: none ever is."""
    oversample: int = 0
    """0: every world counts alike; else so many are drawn for each that is taken, by its likelihood."""
    temperature: int = 200
    """Thousandths of a logit: the lowest temperature of the play that is expected of others."""
    by_score: int = 0
    """1: points decide, in the choice of moves, the playouts and the result, and *margin* is in thousandths of one."""
    blend: int = 0
    """Thousandths: the network's own value counts as so much more for each playout."""


class RolloutArm(NamedTuple):
    """A move that competes."""

    move: Move
    win: float
    """The network's logit of winning."""
    score: float
    """The network's score in points."""
    visits: int
    """Worlds that were played out."""
    wins: int
    points: float = 0.0
    """With ``by_score`` what the playouts paid, added up."""
    behind: float = 0.0
    """How much more the best move was paid on average, in their common worlds and with the network's evaluation."""
    variance: float = 0.0
    """That of ``behind``; for the best move, of what it was paid on average."""
    own: float = 0.0
    """The variance of what it was paid on average."""

    @property
    def mean(self) -> float:
        """The share of playouts that were won, 0 without any."""
        return self.wins / self.visits if self.visits else 0.0

    @property
    def mean_points(self) -> float:
        """With ``by_score`` the points of a playout, 0 without any."""
        return self.points / self.visits if self.visits else 0.0


class NativeRollout:
    """
    A search of one view. For example ``NativeRollout(net, view, options, 7, Worlds(view).in_kernel(kernel))``, then
    ``search.run(500)`` as often as there is time, then ``search.arms()``.

    :raises KernelError: if the kernel refuses the view, the worlds or the options.
    """

    def __init__(self, net: FastNet, view: View, options: RolloutOptions, seed: int, worlds: KernelWorlds) -> None:
        kernel = net.kernel
        self._library = kernel.library
        self._referenced = (net, worlds, packed_view(view))
        self._pages = mmap.mmap(-1, self._library.sizes["ddz_rollout"])
        self._memory = ctypes.c_char.from_buffer(self._pages)
        self._address = ctypes.addressof(self._memory)
        given = Memory.of(ROLLOUT_OPTIONS.pack(seed & ((1 << 64) - 1), *options))
        where = (net.address, kernel.compiled(view.rules).address, kernel.splits(view.rules), worlds.address)
        self._library.call("ddz_rollout_init", self._address, *where, self._referenced[2][0].address, given.address)
        self._arms, self._counts = Memory(ROLLOUT_ARM.size * MOST_ARMS), Memory(16)
        self.arms()

    def only(self, cards: Sequence[Hand]) -> None:
        """
        Lets only the moves of these *cards* compete, before anything has run.

        :raises KernelError: if none of them is legal.
        """
        named = Memory.of(struct.pack(f"={len(cards)}Q", *cards))
        self._library.call("ddz_rollout_only", self._address, named.address, len(cards))
        self.arms()

    def run(self, playouts: int) -> None:
        """Plays out at least so many games more, unless one move is left."""
        self._library.call("ddz_rollout_run", self._address, playouts)

    def arms(self) -> List[RolloutArm]:
        """Lists the moves that compete, the network's best first."""
        self._library.call("ddz_rollout_arms", self._address, self._arms.address, MOST_ARMS, self._counts.address)
        size = ROLLOUT_ARM.size * self._counts.counts()[0]
        return [
            RolloutArm(Move(*fields[:4]), *fields[4:]) for fields in ROLLOUT_ARM.iter_unpack(self._arms.bytes[:size])
        ]

    def worlds(self) -> List[Tuple[Hand, Hand, float]]:
        """
        Lists the worlds that were drawn with their weights, which add up to 1; none with ``oversample=0``.

        A world is the hand of the hidden seat that moves next, and that of the other one.
        """
        hands, weights, count = Memory(16 * MOST_POOLED), Memory(4 * MOST_POOLED), Memory(4)
        where = (hands.address, weights.address, MOST_POOLED, count.address)
        self._library.call("ddz_rollout_worlds", self._address, *where)
        words, shares = hands.words(), weights.bytes.cast("f")
        return [(words[2 * index], words[2 * index + 1], shares[index]) for index in range(count.counts()[0])]

    @property
    def playouts(self) -> int:
        """The number of playouts when :meth:`arms` was last asked."""
        return int(self._counts.counts()[1])

    @property
    def alive(self) -> int:
        """The number of moves that were not given up when :meth:`arms` was last asked."""
        return bin(self._counts.counts()[2]).count("1")

    @property
    def best(self) -> int:
        """The index of the best move, the network's evaluation included, when :meth:`arms` was last asked."""
        return int(self._counts.counts()[3])
