"""
Wins that are certain: moves that win whatever the hidden hands are, and that no search may throw away.

A proof (:func:`certain_win`) takes the two hidden hands as one pool of cards, from which the others play whatever
either of them may hold. A plan that wins against the pool wins in every world, so that nothing hidden has to be
guessed. The proof is in the kernel (``src/tree/search_certain.c``).

Where few worlds are left, :func:`always_winning` has the endgame solver decide each of them with open hands. That is
weaker: a later move may have to differ from world to world. But it lets the partner play well, which a proof does not.
"""

from enum import Enum
from itertools import islice
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ddzbot.belief.certain import Certain
from ddzbot.cards import RANK_COUNT, UNIT, Hand, count, size
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import certain_win as kernel_certain_win
from ddzbot.rules import Move
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.view import View

MOST_NODES = 5000
"""Positions that a proof may take: about a millisecond. Twenty times as many found 2 % more in 30 games."""
NODES_PER_PLAYOUT = 10
"""A proof's positions that are charged as one playout: it takes as long as 40 early in a game, and as 4 late."""

MOST_WORLDS = 20
MOST_CARDS = 24
"""The solver is asked with at most so many worlds, and cards in all hands together: a world takes it 2 ms."""
SOLVER_NODES = 20000
"""Positions that the solver may look at in all worlds together. Each is charged as a playout: late ones are short."""
SOLVER_ENTRIES = 1 << 14


class Proof(NamedTuple):
    """The result of a proof search."""

    move: Optional[Move]
    """A move that wins for certain; None where none was found, which proves nothing."""
    nodes: int
    """Positions that it took."""

    @property
    def playouts(self) -> int:
        """The playouts that could have been made instead, rounded up."""
        return -(-self.nodes // NODES_PER_PLAYOUT)


def certain_win(kernel: Kernel, view: View, nodes: int = MOST_NODES) -> Proof:
    """
    Looks for a move with which the own side wins for certain.

    One thing is taken for granted: a partner with one card goes out if that card, whichever it may be, can be played.
    For example, with ``2`` and ``5`` unseen, one with the landlord and one with landlord_up, a peasant who holds
    ``334567QQKKA2`` and leads wins with ``3``, ``4``, ``2`` and others, but not for certain with ``5``.

    :raises KernelError: if the kernel refuses the view.
    """
    return Proof(*kernel_certain_win(kernel, view, nodes))


class Proved(Enum):
    """The kinds of proof for moves; a value is the word in ``debug``, which records keep."""

    NOTHING = ""
    CERTAIN = "certain win"
    """It wins whatever the hidden hands are, with the same plan."""
    ALL_WORLDS = "wins in all worlds"
    """Each wins in every world with open hands."""
    TRUE_HANDS = "wins with open hands"
    """Each wins with the hands that the others really hold, which only a player that cheats knows."""


class Wins(NamedTuple):
    """The proved wins, before a search."""

    proved: Proved
    moves: List[Move]
    """The moves that this is proved of: one is played, among several a search should choose."""
    nodes: Optional[int] = None
    """Positions that it took; None where they were not counted."""

    @property
    def move(self) -> Optional[Move]:
        """The move to play; None where a search has to choose."""
        return self.moves[0] if len(self.moves) == 1 else None

    @property
    def debug(self) -> Dict[str, Any]:
        """The fields of ``debug`` that say how :attr:`move` was found."""
        return {"search": self.proved.value, **({} if self.nodes is None else {"nodes": self.nodes})}


NOTHING_PROVED = Wins(Proved.NOTHING, [])
"""The result where no win was found, or none was looked for."""


def look_for_wins(kernel: Kernel, view: View, certain: Certain, deadline: Deadline) -> Wins:
    """
    Looks for a move that wins for certain, and then for those that win in every world with open hands.

    *certain* is :func:`ddzbot.belief.certain.what_is_certain` of the view. It takes a share of *deadline*, and charges
    the playouts that could have been made instead.

    :raises KernelError: if the kernel refuses the view.
    """
    share = solver_share(deadline)
    proof = certain_win(kernel, view, nodes_within(deadline))
    deadline.charge(proof.playouts)
    if proof.move is not None:
        return Wins(Proved.CERTAIN, [proof.move], proof.nodes)
    winning = always_winning(view, certain, share)
    deadline.charge(share.spent)
    return Wins(Proved.ALL_WORLDS, winning, share.spent) if winning else NOTHING_PROVED


def nodes_within(deadline: Deadline) -> int:
    """Gets how many positions a proof may take of a decision: at most half of its playouts."""
    playouts = deadline.playouts_left
    return MOST_NODES if playouts is None else min(MOST_NODES, playouts * NODES_PER_PLAYOUT // 2)


def solver_share(deadline: Deadline) -> Deadline:
    """Gets what the solver may take of a decision: at most a quarter of it, in positions."""
    playouts = deadline.playouts_left
    return deadline.part(1 / 4, SOLVER_NODES if playouts is None else min(SOLVER_NODES, playouts // 4))


def always_winning(view: View, certain: Certain, deadline: Deadline) -> List[Move]:
    """
    Lists the moves that win in every world with open hands; none if there are too many worlds, or *deadline* comes.

    They come in the order of the legal moves. For example, with the landlord's ``L`` on the table, ``2`` and ``5``
    unseen and in unknown hands, of ``334567QQKKA2B`` only ``B`` is one.
    """
    if size(view.hand) + size(view.unseen) > MOST_CARDS:
        return []
    worlds = list(islice(worlds_of(certain), MOST_WORLDS + 1))
    if len(worlds) > MOST_WORLDS:
        return []
    solver = Solver(view.rules, entries=SOLVER_ENTRIES)  # a new one, so that earlier decisions do not matter
    winning = view.legal_moves()
    for world in worlds:
        endgame = open_endgame(view, world)
        winning = [move for move in winning if _wins(solver, endgame, move, deadline)]
    return [] if deadline.is_over() else winning


def worlds_of(certain: Certain) -> Iterator[Tuple[Hand, Hand]]:
    """Yields every pair of hidden hands that fits the facts, in the order of :attr:`Certain.seats`."""
    least, most = certain.least[0], certain.most[0]
    room = certain.sizes[0] - size(least)
    for extra in _choices([(rank, count(most, rank) - count(least, rank)) for rank in range(RANK_COUNT)], room):
        yield least + extra, certain.unseen - least - extra


def _choices(free: List[Tuple[int, int]], cards: int) -> Iterator[Hand]:
    """Yields all sets of so many *cards*, with at most so many of each rank."""
    if not free:
        if cards == 0:
            yield 0
        return
    rank, most = free[0]
    later = sum(copies for _, copies in free[1:])
    for copies in range(max(0, cards - later), min(most, cards) + 1):
        for others in _choices(free[1:], cards - copies):
            yield copies * UNIT[rank] + others


def open_endgame(view: View, world: Tuple[Hand, Hand]) -> Endgame:
    """Opens the hands of *view* and of a *world*, whose hands are in the order of :attr:`Certain.seats`."""
    hands: Dict[int, Hand] = {view.seat: view.hand}
    for ahead, hand in enumerate(world, 1):
        hands[(view.seat + ahead) % SEATS] = hand
    return Endgame(view.rules, (hands[0], hands[1], hands[2]), view.seat, view.to_beat, view.table_seat)


def _wins(solver: Solver, endgame: Endgame, move: Move, deadline: Deadline) -> bool:
    after = endgame.played(move)
    winner = after.winner
    if winner is None and not deadline.is_over():
        winner = solver.winner(after, deadline)
    return winner == endgame.side
