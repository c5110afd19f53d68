"""Replays records and says what is wrong with them, game by game and in all."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from ddzbot.game import fits
from ddzbot.rules import RuleSet

from ..shared.json_text import points_text
from .record import GameRecord
from .replay import Ending, Ply

_CARDS = re.compile(r"\b[3-9TJQKA2LB]+\b(?! kickers)")


@dataclass
class Summary:
    """The findings of a check of many games."""

    games: int = 0
    moves: int = 0
    illegal: int = 0
    """Moves that the rules refuse."""
    games_with_illegal: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Illegal moves by reason, without the cards."""
    problems: int = 0
    """Illegal moves, and results that are not those of the moves."""

    def add(self, record: GameRecord) -> list[str]:
        """Checks one more game, and gets its problems."""
        illegal, problems = _judged(record)
        self.games += 1
        self.moves += len(record.moves)
        self.illegal += len(illegal)
        self.games_with_illegal += bool(illegal)
        self.reasons.update(reason_group(ply.problem) for ply in illegal if ply.problem)
        self.problems += len(problems)
        return problems


def problems_of(record: GameRecord) -> list[str]:
    """
    Lists what is wrong with a record, one sentence each: illegal moves, then a result that the moves do not give.

    For example ``round 1, landlord_down: 33445566: the answer to 8899TT must have 6 cards``.
    """
    return _judged(record)[1]


def _judged(record: GameRecord) -> tuple[list[Ply], list[str]]:
    """Lists the illegal moves, and all that is wrong."""
    illegal: list[Ply] = []
    ending = record.legal_ending
    if ending is None and record.moves:
        plies = list(record.plies())
        ending = Ending.of(plies[-1].after)
        illegal = [ply for ply in plies if ply.problem]
    return illegal, [f"{ply.name}: {ply.problem}" for ply in illegal] + _result_problems(record, ending, bool(illegal))


def _result_problems(record: GameRecord, ending: Ending | None, illegal: bool) -> list[str]:
    winner, scores, termination = record.result
    if ending is None or ending.paid is None:
        claimed = termination.endswith(" out")
        return [f"the record says {termination!r}, but every hand has cards"] if claimed else []
    side = "peasants" if ending.winner else "landlord"
    if winner is not None and winner != side:
        return [f"the record says that the winner is {winner!r}, but by the moves it is {side!r}"]
    if scores is None or illegal:
        return []
    if any(abs(score - due) > 1e-9 for score, due in zip(scores, ending.paid, strict=True)) and _has_full_deal(record):
        told, due = map(_score_text, (scores, ending.paid))
        return [f"the record says that the scores are {told}, but by the moves they are {due}"]
    return []


def _has_full_deal(record: GameRecord) -> bool:
    """Checks that it is a deal that the rules make; the platform's judge scores no spring in any other."""
    return not record.unknown_seats and record.bottom is not None and fits(record.deal)


def _score_text(scores: tuple[float, float, float]) -> str:
    return ", ".join(map(points_text, scores))


def reason_group(problem: str) -> str:
    """Leaves the cards out of a reason. For example ``the answer to … must have … cards``."""
    return _CARDS.sub("…", problem.removeprefix("pass: ")).removeprefix("…: ")


def under_rules(record: GameRecord, rules: RuleSet) -> GameRecord:
    """
    Gets the same moves under another rule set; the auction goes if there is none there.

    :raises RecordError: if the deck of *rules* does not have the cards.
    """
    return replace(record, rules=rules, bids=record.bids if rules.bidding else ())
