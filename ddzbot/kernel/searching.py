"""The C tree search (src/include/ddz_search.h) for Python callers; :mod:`ddzbot.search.tree` uses it."""

import ctypes
import mmap
from typing import List, NamedTuple, Optional, Tuple

from ddzbot.cards import Hand
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import MOVE, SEARCH_ARM, SEARCH_OPTIONS, pack_situation, unpack_moves
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.rules import Move, RuleSet
from ddzbot.view import View

ALL_MOVES = 255
"""As a margin: no move is left out. As a number of solos: no list is that long."""
MOST_MOVES = 65536
"""No list of legal moves is longer."""
LESS_SPLIT, MINI_SPLIT = range(2)
"""The ways to choose candidates: see :mod:`ddzbot.less_split` and :mod:`ddzbot.mini_split`."""

_LONGEST_GAME = 400


class SearchOptions(NamedTuple):
    """The options of a search: the fields of a ddz_search_options, without the seed."""

    worlds: int
    """The number of guesses of the hidden hands before the search, taken in turn; 0: a new one for each simulation."""
    root_margin: int
    """A move of the root may cost so many moves more than the fewest, see :func:`ddzbot.less_split.candidates`."""
    tree_margin: int
    """The same below the root."""
    expand_at: int
    """Visits from which on a node has children."""
    exploration: int
    """UCT's C in thousandths, with rewards of +-2 for the landlord and +-1 for a peasant."""
    halving_visits: int = 0
    """Visits of each move of the root before the weaker half is given up; 0: none ever is."""
    halving_least: int = 1
    """The least number of moves that are left when that ends."""
    finish: bool = False
    """A random player, which moves beyond the tree, goes out when it can."""
    long_solos: int = ALL_MOVES
    """A random player with more solos to choose from forgets half of them."""
    quick: bool = False
    """Quick players move beyond the tree instead, and for the hidden seats within it (``src/tree/search_quick.c``)."""
    noise: int = 0
    """By how many thousandths of a turn a quick player misjudges a move at most."""
    long_list: int = MOST_MOVES
    """A random player with more moves to choose from forgets half of the solos."""
    pruning: int = LESS_SPLIT
    """The candidates: :data:`LESS_SPLIT` by the margins, or :data:`MINI_SPLIT`, which asks for none."""


class Arm(NamedTuple):
    """A move of the root and what is known about it."""

    move: Move
    visits: int
    wins: int
    """Simulations that the side to move won."""
    head_visits: int = 0
    """Visits that a branch had before the search: they are not among ``visits``."""
    head_wins: int = 0

    @property
    def mean(self) -> float:
        """The share of simulations that were won, 0 without any."""
        return self.wins / self.visits if self.visits else 0.0

    @property
    def corrected_mean(self) -> float:
        """The same with the head start, which the simulations correct."""
        visits = self.visits + self.head_visits
        return (self.wins + self.head_wins) / visits if visits else 0.0


class Branches(NamedTuple):
    """The only moves of the root that compete, and the head start of each."""

    moves: List[Move]
    head_visits: int
    """The visits that the prior value of each move counts as."""
    priors: List[float]
    """Shares of games won, from 0 to 1; a head start has ``floor(prior * head_visits + 0.5)`` wins."""
    in_turn: int = 0
    """The first simulations of each branch that are made in turn, before UCT chooses."""

    @property
    def arms(self) -> List[Arm]:
        """The branches before the first simulation. Of ``[0.617]`` and 100 visits the one arm has 62 wins."""
        starts = [int(min(max(prior, 0.0), 1.0) * self.head_visits + 0.5) for prior in self.priors]
        return [Arm(move, 0, 0, self.head_visits, wins) for move, wins in zip(self.moves, starts)]


class NativeSearch:
    """
    One search from what a seat knows. For example ``NativeSearch(kernel, view, options, seed=7, nodes=10000)``, then
    ``search.run(1000)`` as often as there is time, then ``search.arms()``.

    *nodes* is how many moves the tree has room for; when it is full the simulations continue without new nodes.
    *worlds* is the address of a ddz_worlds that the hidden hands are drawn from, and must stay valid as long as
    the search; without one every deal that :meth:`ddzbot.view.View.contradiction` allows is as likely.

    :raises KernelError: if the kernel refuses the view or the options.
    """

    def __init__(
        self,
        kernel: Kernel,
        view: View,
        options: SearchOptions,
        seed: int,
        nodes: int,
        worlds: Optional[int] = None,
    ) -> None:
        self._library = kernel.library
        sizes = kernel.library.sizes
        # Pages that are never touched take no memory, and no time to clear.
        self._pages = mmap.mmap(-1, sizes["ddz_search"] + nodes * sizes["node"])
        self._memory = ctypes.c_char.from_buffer(self._pages)
        self.address = ctypes.addressof(self._memory)
        """The address of the ddz_search."""
        self._rules = kernel.compiled(view.rules)
        self._counts = Memory(12)
        situation = Memory.of(pack_situation(view))
        given = Memory.of(SEARCH_OPTIONS.pack(seed & ((1 << 64) - 1), *options))
        where = (self._rules.address, kernel.splits(view.rules), worlds, situation.address, given.address)
        self._library.call("ddz_search_init", self.address, nodes, *where)
        self._moves = nodes
        self._branches: List[Arm] = []
        self._arms = Memory(SEARCH_ARM.size * max(1, len(self.arms())))
        self.simulations = 0

    def branch(self, branches: Branches) -> None:
        """
        Has only these moves compete, in this order, with their head starts. Called before the first run.

        :raises KernelError: if the kernel refuses the branches.
        """
        arms = branches.arms
        memory = Memory(SEARCH_ARM.size * max(1, len(arms)))
        for index, arm in enumerate(arms):
            SEARCH_ARM.pack_into(memory.bytes, SEARCH_ARM.size * index, *arm.move, arm.head_visits, arm.head_wins)
        self._library.call("ddz_search_branches", self.address, memory.address, len(arms), branches.in_turn)
        self._branches = arms

    def run(self, simulations: int) -> None:
        """Runs so many simulations more."""
        self._library.call("ddz_search_run", self.address, simulations)
        self.simulations += simulations

    def arms(self) -> List[Arm]:
        """Lists the moves of the root in the order of the legal moves, or of the branches."""
        room = len(self._branches) or self._counts.counts()[0] or min(self._moves, MOST_MOVES)
        memory = Memory(SEARCH_ARM.size * room)
        self._library.call("ddz_search_arms", self.address, memory.address, room, self._counts.address)
        size = SEARCH_ARM.size * self._counts.counts()[0]
        arms = [Arm(Move(*fields[:4]), *fields[4:]) for fields in SEARCH_ARM.iter_unpack(memory.bytes[:size])]
        for index, start in enumerate(self._branches):
            arms[index] = arms[index]._replace(head_visits=start.head_visits, head_wins=start.head_wins)
        return arms

    def watch(self) -> Tuple[List[Hand], List[Move]]:
        """
        Plays a game to the end as simulations do beyond the tree; gets the hands that it began with, and the moves.

        The arms stay as they are, but later simulations draw other numbers.
        """
        memory = Memory(8 * SEATS + MOVE.size * _LONGEST_GAME)
        moves, count = memory.address + 8 * SEATS, Memory(4)
        self._library.call("ddz_search_watch", self.address, memory.address, moves, _LONGEST_GAME, count.address)
        return memory.words()[:SEATS].tolist(), unpack_moves(memory.bytes[8 * SEATS :], count.counts()[0])

    @property
    def nodes(self) -> int:
        """The number of nodes of the tree when :meth:`arms` was last asked."""
        return int(self._counts.counts()[2])


def certain_win(kernel: Kernel, view: View, nodes: int) -> Tuple[Optional[Move], int]:
    """
    Looks for a move that wins for certain, and gets it (or None) and how many positions that took, at most *nodes*.

    See :func:`ddzbot.search.certain.certain_win`.

    :raises KernelError: if the kernel refuses the view.
    """
    memory = Memory(kernel.library.sizes["ddz_certain"])
    situation, move, is_win = Memory.of(pack_situation(view)), Memory(MOVE.size), Memory(4)
    answer = Memory(8)
    answer.words()[0] = nodes
    where = (memory.address, kernel.compiled(view.rules).address, kernel.splits(view.rules), situation.address)
    kernel.library.call("ddz_certain_win", *where, answer.address, move.address, is_win.address)
    return (unpack_moves(move.bytes, 1)[0] if is_win.counts()[0] else None), int(answer.words()[0])


def candidates(
    kernel: Kernel, rules: RuleSet, hand: Hand, to_beat: Optional[Move], margin: int, pruning: int = LESS_SPLIT
) -> List[Move]:
    """
    Lists the candidates as :func:`ddzbot.less_split.candidates` does; or with :data:`MINI_SPLIT`, whatever the *margin*
    is, as :func:`ddzbot.mini_split.mini_candidates`.

    :raises KernelError: for a hand of more than 20 cards, or cards that are in no deck.
    """
    cards, kind = (0, -1) if to_beat is None else to_beat[:2]
    if hand >> 60 or cards >> 60:
        raise KernelError(f"hand {hand}: these cards are in no deck")
    moves = Memory(MOVE.size * MOST_MOVES)
    count = Memory(4)
    situation = (kernel.compiled(rules).address, kernel.splits(rules), hand, cards, kind)
    room = (moves.address, MOST_MOVES, count.address)
    kernel.library.call("ddz_candidates", *situation, pruning, min(margin, ALL_MOVES), *room)
    return unpack_moves(moves.bytes, count.counts()[0])
