"""
The endgame solver in readable Python: win or loss by alpha-beta over the legal moves to the end.

With only two values, alpha-beta is this: a side has won as soon as one of its moves wins. The moves with the fewest
moves left in the hand are tried first, and what was found out about a position is kept under a key that is the same
for positions which are the same game (:func:`key_of`). A seat that must pass is skipped, and a seat that can go out
has won.

The C solver (kernel/src/solver/solver.c) is the same program, some hundred times as fast: it looks at the same
positions in the same order.
"""

from typing import Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple

from ddzbot.cards import ACE, RANK_COUNT, ROCKET_CARDS, Hand, contains, count, hand_of_counts
from ddzbot.rules import BOMB, PASS_KIND, ROCKET, Move, RuleSet, classify
from ddzbot.search.endgame_position import Endgame, without
from ddzbot.split import fewest_moves


class TableKey(NamedTuple):
    """The move on the table for the hands that may still answer."""

    kind: int
    """The kind of the answers, besides bombs and the rocket; BOMB where there are no others."""
    length: int
    size: int
    """Their length in ranks, and the cards of each."""
    start: int
    """The lowest rank at which an answer starts; -1 where only the rocket is left."""
    passes: int
    """The number of seats that have passed already."""


class Key(NamedTuple):
    """Equal for two positions only if they are the same game."""

    hands: Tuple[Hand, ...]
    """The ranks that are in no hand are left out."""
    links: int
    """Bit ``i``: some hand has a chain over the ranks ``i`` and ``i + 1`` that are left."""
    rocket: bool
    """One hand holds the rocket: the two highest ranks."""
    seat: int
    table: Optional[TableKey]
    """None on a lead."""


class _Frame:
    """A position that is being searched."""

    def __init__(self, endgame: Endgame, moves: Sequence[Move], key: Optional[Key]) -> None:
        self.endgame = endgame
        self.moves = iter(moves)
        self.left = len(moves)
        self.key = key


class ReferenceSolver:
    """
    The solver in Python, with the methods of :class:`ddzbot.kernel.solver.NativeSolver`.

    For example ``solver.begin((parse_hand("34"), parse_hand("5")), 0, None, None)``, then ``solver.run(1000)`` until
    ``solver.finished``; then ``solver.winner`` is the side that wins.
    """

    portion = 64
    """Nodes that take about as long as one may go without a look at the clock."""

    def __init__(self, rules: RuleSet, banned: FrozenSet[int]) -> None:
        self._rules = rules
        self._banned = banned
        self.nodes = 0
        self.winner: Optional[int] = None
        self.finished = True
        self._winners: Dict[Key, int] = {}
        self._stack: List[_Frame] = []

    def begin(self, hands: Tuple[Hand, ...], seat: int, to_beat: Optional[Move], table_seat: Optional[int]) -> None:
        """Sets up the search of a position."""
        self.nodes, self.winner, self._stack = 0, None, []
        self._settle(self._enter(Endgame(self._rules, hands, seat, to_beat, table_seat, self._banned)))

    def run(self, nodes: int) -> None:
        """Searches on for at most so many nodes."""
        most = self.nodes + nodes
        while not self.finished and self.nodes < most:
            top = self._stack[-1]
            top.left -= 1
            self._settle(self._enter(top.endgame.played(next(top.moves))))

    def _enter(self, endgame: Endgame) -> Optional[int]:
        """Looks at a position: gets the winner if that is plain or known, else puts it on the stack."""
        self.nodes += 1
        endgame, moves = _passed_on(endgame)
        if any(move.cards == endgame.hands[endgame.seat] for move in moves):
            return endgame.side
        key = key_of(endgame, moves)
        if key in self._winners:
            return self._winners[key]
        self._stack.append(_Frame(endgame, in_order(endgame, moves), key))
        return None

    def _settle(self, winner: Optional[int]) -> None:
        """Takes the positions off the stack that the *winner* of the last one decides."""
        self.winner, self.finished = None, False
        if winner is None:
            return
        while self._stack:
            top = self._stack[-1]
            if top.endgame.side != winner and top.left:
                return
            if top.key is not None:
                self._winners[top.key] = winner
            self._stack.pop()
        self.winner, self.finished = winner, True


def _passed_on(endgame: Endgame) -> Tuple[Endgame, List[Move]]:
    """Plays forced passes; gets the first position with a choice, and its legal moves."""
    moves = endgame.legal_moves()
    while len(moves) == 1 and moves[0].is_pass:
        endgame = endgame.played(moves[0])
        moves = endgame.legal_moves()
    return endgame, moves


def in_order(endgame: Endgame, moves: Sequence[Move]) -> List[Move]:
    """
    Sorts moves so that the promising ones come first.

    The fewest moves left in the hand come first; among those the larger and then the lower move. A bomb counts as if it
    left two moves more, the pass three. solver_moves.c has the same order.
    """
    hand = endgame.hands[endgame.seat]
    return sorted(moves, key=lambda move: _order(endgame.rules, hand, move))


def _order(rules: RuleSet, hand: Hand, move: Move) -> int:
    order = 32 * fewest_moves(rules, hand - move.cards) - 4 * move.size
    if move.kind == PASS_KIND:
        return order + 96
    return order + move.rank + 1 + (64 if move.kind in (BOMB, ROCKET) else 0)


# What makes two positions the same game: solver_keys.c says why this is exact.


def key_of(endgame: Endgame, moves: Sequence[Move]) -> Optional[Key]:
    """
    Gets the key of a position with these legal *moves*, None where the table can be read as two kinds of move.

    For example, ``3`` against ``8`` has the key of ``Q`` against ``2``.
    """
    table = None
    if endgame.to_beat is not None:
        table = _table_of(endgame, endgame.to_beat, moves)
        if table is None:
            return None
    held = [rank for rank in range(RANK_COUNT) if any(count(hand, rank) for hand in endgame.hands)]
    if table is not None and table.start >= 0:
        table = table._replace(start=held.index(table.start))
    linked = _linked_ranks(endgame)
    rocket = ROCKET not in endgame.banned and any(contains(hand, ROCKET_CARDS) for hand in endgame.hands)
    hands = tuple(hand_of_counts(count(hand, rank) for rank in held) for hand in endgame.hands)
    links = sum(1 << index for index, rank in enumerate(held) if rank in linked)
    return Key(hands, links, rocket, endgame.seat, table)


def _table_of(endgame: Endgame, to_beat: Move, moves: Sequence[Move]) -> Optional[TableKey]:
    readings = classify(endgame.rules, to_beat.cards, recognised=True)
    if len({(move.kind, move.length) for move in readings}) > 1:
        return None
    answers, passes, later = list(moves), len(endgame.hands) - 2, endgame
    while (later.seat + 1) % len(endgame.hands) != endgame.table_seat:
        later = later._replace(seat=(later.seat + 1) % len(endgame.hands))
        answers += later.legal_moves()
        passes -= 1
    shaped = [move for move in answers if move.kind not in (PASS_KIND, ROCKET)]
    # Every bomb beats all moves but bombs and the rocket: it tells moves apart only where no other answer does.
    telling = [move for move in shaped if move.kind != BOMB] or shaped
    if not telling:
        return TableKey(BOMB, 0, 0, -1, passes)
    kind, length, size = telling[0].kind, telling[0].length, telling[0].size
    return TableKey(kind, length, size, min(move.rank for move in telling), passes)


def _linked_ranks(endgame: Endgame) -> List[int]:
    """Lists the ranks from which some chain of a hand continues to the next rank."""
    linked: Set[int] = set()
    for shape in without(endgame.rules, endgame.banned).legal:
        length = shape.min_length
        for start in range(ACE - length + 2 if length > 1 else 0):
            run = range(start, start + length)
            if any(all(count(hand, rank) >= shape.group for rank in run) for hand in endgame.hands):
                linked.update(run[:-1])
    return sorted(linked)
