"""
Endgames with open hands as games: a person plays one side, and ``exact``, the endgame solver, the other one.

:data:`PUZZLES` are those of ``tests/data/endgames/puzzles.jsonl.gz``, which an installation does not have.
"""

from typing import NamedTuple

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.rules import STANDARD, Move, explain
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import Endgame, side_of
from ddzbot.search.endgame_reference import in_order
from ddzbot.search.limit import Limit

from ...shared.message import Message
from ...shared.refusal_words import refusal_message
from .table import TableError

EXACT = "exact"
"""The name of the other player."""

USUAL_LIMIT = Limit(seconds=1)

PUZZLES = (
    "3 4",
    "LB 5555",
    "67 45",
    "36 558",
    "34567 89",
    "334455 6",
    "AALB 999",
    "77J2 99Q",
    "345B 345L",
    "44677LB 558888",
    "336JJAA 67JJLB",
    "33445568 344557",
    "4567TTAA 999JJ",
    "45577TTKK2 8AA",
    "45667789K2 469JJQA2B",
    "4667788QK2 334455QK2",
    "33334567TT2222 999JJLB",
    "99TTQKKAALB TTJJ2222",
    "46899JKAA 3346TTJA2",
    "45567899JQK 3469QAAA2B",
    "3366789TJQKKB 789TJQKAA",
    "3455667TKA22 3455TJQKA2B",
)
"""Hands of the landlord, which leads, and a peasant under ``standard``; what takes a solver longer comes later."""


def puzzle(number: int) -> Endgame:
    """Gets a puzzle; the easiest is number 1."""
    return Endgame(STANDARD, tuple(map(parse_hand, PUZZLES[number - 1].split())))


class LosingMove(NamedTuple):
    """The move that threw the win away."""

    number: int
    """From 1, passes and moves of both sides counted."""
    move: Move
    winning: tuple[Move, ...]
    """What would have won instead."""


class EndgameTable:
    """
    One game. For example, a person always passes or leads the first legal move::

        table = EndgameTable(puzzle(16))
        while table.winner is None:
            if table.persons_turn:
                table.play(table.position.legal_moves()[0].cards)
            else:
                table.reply()

    The person plays for *side*, by default the one that wins; each reply and each hint may take the *limit*.

    :raises TableError: if *endgame* cannot be, or the solver does not decide all first moves within the limit.
    """

    def __init__(self, endgame: Endgame, side: int | None = None, limit: Limit = USUAL_LIMIT) -> None:
        fault = endgame.fault()
        if fault:
            raise TableError(str(fault))
        self._limit = limit
        self._solver = Solver(endgame.rules, endgame.banned)
        self.moves: list[Move] = []
        self._positions = [endgame]
        solution = self.solution()
        if solution.winner is None or solution.undecided:
            hands = " ".join(map(hand_text, endgame.hands))
            problem = "{hands}: this endgame is too large to be solved within the limit"
            raise TableError(Message(problem, hands=hands))
        self.side = solution.winner if side is None else side

    @property
    def position(self) -> Endgame:
        """The position now."""
        return self._positions[-1]

    @property
    def winner(self) -> int | None:
        """The side that has won, None while the game runs."""
        return self.position.winner

    @property
    def persons_turn(self) -> bool:
        """Tests whether the person is to move."""
        return self.winner is None and self.position.side == self.side

    def is_persons(self, seat: int) -> bool:
        """Tests whether the person plays that seat."""
        return side_of(seat) == self.side

    def history(self) -> list[tuple[Endgame, Move]]:
        """Lists the moves so far, each behind its position."""
        return list(zip(self._positions[:-1], self.moves, strict=True))

    def play(self, cards: Hand) -> None:
        """
        Plays *cards* for the side to move; none are the pass.

        :raises TableError: if the game is over, or the rules refuse the move.
        """
        position = self.position
        if position.winner is not None:
            raise TableError(Message("the game is over"))
        # Cards that are two kinds of move are the one that is legal now.
        move = next((move for move in position.legal_moves() if move.cards == cards), None)
        if move is None:
            problem = explain(position.rules, position.hands[position.seat], cards, position.to_beat)
            raise TableError(
                refusal_message(problem)
                if problem
                else Message("{cards}: the endgame forbids this kind of move", cards=hand_text(cards))
            )
        self.moves.append(move)
        self._positions.append(position.played(move))

    def reply(self) -> None:
        """
        Plays what ``exact`` plays: a move that wins, or else the one to which most answers of the person are wrong.

        Among equals it is the natural one (:func:`ddzbot.search.endgame_reference.in_order`).
        """
        position, deadline = self.position, Deadline(self._limit)
        solution = self._solver.solve(position, deadline)
        if solution.winning:
            moves = solution.line[:1] or solution.winning
        else:
            moves = tuple(in_order(position, solution.undecided or solution.losing))
        self.play(max(moves, key=lambda move: self._wrong_answers(position.played(move), deadline)).cards)

    def _wrong_answers(self, position: Endgame, deadline: Deadline) -> float:
        """Gets the share of the person's moves that lose."""
        if position.winner is not None or position.side != self.side:
            return 0.0
        solution = self._solver.solve(position, deadline)
        return len(solution.losing) / len(solution.losing + solution.winning + solution.undecided)

    def take_back(self) -> None:
        """
        Takes back the person's last move, and all that followed.

        :raises TableError: if the person has not moved.
        """
        own = [index for index, position in enumerate(self._positions[:-1]) if position.side == self.side]
        if not own:
            raise TableError(Message("there is no move of yours to take back"))
        del self.moves[own[-1] :], self._positions[own[-1] + 1 :]

    def solution(self) -> Solution:
        """Lists the moves that win now."""
        return self._solver.solve(self.position, Deadline(self._limit))

    def slip(self) -> LosingMove | None:
        """Finds the first move with which the person threw the win away."""
        deadline = Deadline(self._limit)
        for number, (before, move) in enumerate(self.history(), 1):
            after = before.played(move)
            if before.side != self.side or after.winner is not None:
                continue
            winning = self._solver.solve(before, deadline).winning
            if winning and self._solver.winner(after, deadline) == 1 - self.side:
                return LosingMove(number, move, winning)
        return None
