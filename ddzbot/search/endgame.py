"""
The exact endgame solver: the winner with all hands open, every winning move, and a line that wins.

For example, ``Solver(STANDARD).solve(Endgame(STANDARD, (landlord, peasant)))``. The kernel searches where there is
one, otherwise the reference implementation in :mod:`ddzbot.search.endgame_reference`; both give the same answers. If
the budget runs out, the winner or a move stays unknown; an answer is never wrong.
"""

from typing import TYPE_CHECKING, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple, Union

from ddzbot.cards import Hand
from ddzbot.kernel import native
from ddzbot.readable import described
from ddzbot.rules import ROCKET, Move, RuleSet
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame_position import NOTHING, Endgame, EndgameError, without
from ddzbot.search.endgame_reference import ReferenceSolver, in_order

if TYPE_CHECKING:
    from ddzbot.kernel.solver import NativeSolver

USUAL_ENTRIES = 1 << 18
"""Positions that a solver of the kernel remembers, 32 bytes each; the reference implementation remembers all."""

_FIRST_PORTION = 4096
_MORE = 4
"""Every move gets a first portion of nodes, then four times as much, and so on: one hard move delays no easy one."""


@described(
    winner="The side that wins, None if the budget ran out before that was known.",
    winning="The moves with which the side to move wins, in the order of the legal moves.",
    losing="The moves with which the side to move loses.",
    undecided="Moves that the budget was not enough for.",
    line="A winning line, passes included, against the natural defence; it ends early if the budget did.",
    nodes="Positions that were looked at.",
)
class Solution(NamedTuple):
    """The solution of a position; all of it is exact, and only ``undecided`` moves are left open."""

    winner: Optional[int]
    winning: Tuple[Move, ...]
    losing: Tuple[Move, ...]
    undecided: Tuple[Move, ...]
    line: Tuple[Move, ...]
    nodes: int


class Solver:
    """
    A solver for one rule set and ban. It remembers what it found out from one position to the next.

    The answers do not depend on what was asked before, but the number of nodes does.
    """

    def __init__(self, rules: RuleSet, banned: FrozenSet[int] = NOTHING, entries: int = USUAL_ENTRIES) -> None:
        self._rules = rules
        self._banned = banned
        self._engine = _engine_for(rules, banned, entries)

    def winner(self, endgame: Endgame, deadline: Optional[Deadline] = None) -> Optional[int]:
        """
        Gets the side that wins, None if the budget runs out before that is known.

        :raises EndgameError: if the position cannot be, or has other rules than this solver.
        """
        self._check(endgame)
        return self._decide(endgame, deadline or Deadline(), None)

    def solve(self, endgame: Endgame, deadline: Optional[Deadline] = None) -> Solution:
        """
        Decides every legal move, as far as the budget goes, and finds a line.

        :raises EndgameError: if the position cannot be, or has other rules than this solver.
        """
        self._check(endgame)
        deadline = deadline or Deadline()
        nodes, moves = deadline.spent, endgame.legal_moves()
        verdicts = self._verdicts(endgame, moves, deadline)
        won, lost, unknown = (
            tuple(move for move in moves if verdicts.get(move.cards) == verdict)
            for verdict in (endgame.side, 1 - endgame.side, None)
        )
        winner = endgame.side if won else None if unknown else 1 - endgame.side
        line = () if winner is None else self._line(endgame, winner, deadline)
        return Solution(winner, won, lost, unknown, line, deadline.spent - nodes)

    def _check(self, endgame: Endgame) -> None:
        fault = endgame.fault()
        if fault:
            raise EndgameError(str(fault))
        if endgame.banned != self._banned or endgame.rules != self._rules:
            raise EndgameError(f"this solver is for the rules {self._rules.name}, and has its own banned kinds")

    def _verdicts(self, endgame: Endgame, moves: Sequence[Move], deadline: Deadline) -> Dict[Hand, int]:
        """Gets the winner after each move that could be decided, by its cards."""
        verdicts: Dict[Hand, int] = {}
        undecided = in_order(endgame, moves)
        portion = _FIRST_PORTION
        while undecided:
            for move in list(undecided):
                if deadline.is_over():
                    return verdicts
                winner = self._decide(endgame.played(move), deadline, portion)
                if winner is not None:
                    verdicts[move.cards] = winner
                if winner is not None or self._engine.finished:
                    undecided.remove(move)
            portion *= _MORE
        return verdicts

    def _decide(self, endgame: Endgame, deadline: Deadline, portion: Optional[int]) -> Optional[int]:
        """Gets the winner, None if the portion or the budget was not enough or the position is too large."""
        if endgame.winner is not None:
            return endgame.winner
        engine = self._engine
        engine.begin(endgame.hands, endgame.seat, endgame.to_beat, endgame.table_seat)
        spent = engine.nodes
        deadline.charge(spent)
        while not engine.finished and (portion is None or spent < portion) and not deadline.is_over():
            nodes = engine.portion if portion is None else min(engine.portion, portion - spent)
            engine.run(deadline.granted(nodes))
            deadline.charge(engine.nodes - spent)
            spent = engine.nodes
        return engine.winner

    def _line(self, endgame: Endgame, winner: int, deadline: Deadline) -> Tuple[Move, ...]:
        line: List[Move] = []
        while endgame.winner is None:
            moves = in_order(endgame, endgame.legal_moves())
            if endgame.side == winner:
                moves = self._first_winning(endgame, moves, deadline)
            if not moves:
                break
            line.append(moves[0])
            endgame = endgame.played(moves[0])
        return tuple(line)

    def _first_winning(self, endgame: Endgame, moves: List[Move], deadline: Deadline) -> List[Move]:
        for move in moves:
            if self._decide(endgame.played(move), deadline, None) == endgame.side:
                return [move]
        return []


def _engine_for(rules: RuleSet, banned: FrozenSet[int], entries: int) -> "Union[NativeSolver, ReferenceSolver]":
    kernel = native()
    if kernel is None:
        return ReferenceSolver(rules, banned)
    from ddzbot.kernel.library import KernelError
    from ddzbot.kernel.solver import WITHOUT_ROCKET, NativeSolver

    try:
        options = WITHOUT_ROCKET if ROCKET in banned else 0
        return NativeSolver(kernel, without(rules, banned), rules, options, entries)
    except KernelError:
        return ReferenceSolver(rules, banned)
