"""
One duplicate set: played, written as a row of a results file, and read back for the statistics.

A row is plain JSON. Everything in it is a function of the plan and the set's number, as long as decisions are limited
by playouts or not at all; measured times stand apart, under the key ``ms``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from ddzbot.engine import Engine
from ddzbot.game import SEATS, Deal
from ddzbot.rules import rule_set

from ..records.record import GameRecord
from ..shared.contestants import parse_contestant
from ..shared.limits import parse_limit
from ..shared.seeds import player_seed
from .faults import faults_of
from .game_records import GameStyle, record_of_outcome, text_of_outcome
from .outcome import Outcome
from .plan import LETTERS, Plan
from .programs import ProgramTable
from .set_row import PlayedGame, set_row
from .stats import SetRow
from .table import PlayerTable

Row = dict[str, Any]
Play = Callable[[Deal, str, Sequence[int]], Outcome]

COUNTED = ("searched", "fallbacks", "timeouts", "illegal", "failures")
"""What is counted for each contestant of a row: decisions with a choice (of a program every answer), other players'
moves, TLE, refused answers, and all other failures of a program. A row with fallbacks says under ``stand_ins`` who
chose in each one's place, and how often; one with any of these but the first says under ``faults`` why, as
:mod:`tools.arena.faults` has it."""


class Played(NamedTuple):
    """A set that was played."""

    row: Row
    games: tuple[str, ...] = ()
    """The text of each game's record, if somebody keeps them."""


class SetPlayer:
    """Plays the sets of one plan in one process; engines and programs stay warm from set to set."""

    def __init__(self, plan: Plan, style: GameStyle | None = None) -> None:
        """With a *style* the games become records in it."""
        self._plan = plan
        self._style = style
        self._rules = rule_set(plan.rules)
        self._tables: dict[int, Play] = {}
        self._engines: dict[int, Engine] = {}
        """By contestant: whoever plays in many pairings loads its network once."""
        self._open = ExitStack()

    def close(self) -> None:
        """Ends the programs that were started."""
        self._open.close()

    def row(self, pairing: int, index: int) -> Row:
        """Plays set *index* of a pairing, and gets its row."""
        return self.played(pairing, index).row

    def played(self, pairing: int, index: int) -> Played:
        """Plays set *index* of a pairing."""
        outcomes = [self.outcome(pairing, index, game) for game in range(len(self._plan.seatings))]
        row = self._row(index, outcomes)
        if self._style is None:
            return Played(row)
        places = ((pairing, index, game) for game in range(len(outcomes)))
        texts = (
            text_of_outcome(self._plan, place, outcome, self._style)
            for place, outcome in zip(places, outcomes, strict=True)
        )
        return Played(row, tuple(texts))

    def _row(self, index: int, outcomes: Sequence[Outcome]) -> Row:
        counts = {letter: Counter[str]() for letter in LETTERS}
        times: dict[str, list[float]] = {letter: [] for letter in LETTERS}
        for seating, outcome in zip(self._plan.seatings, outcomes, strict=True):
            _count(seating, outcome, counts, times)
        games = [_game(seating, outcome) for seating, outcome in zip(self._plan.seatings, outcomes, strict=True)]
        row = {
            "set": index,
            "games": games,
            "counts": {letter: {name: counts[letter][name] for name in COUNTED} for letter in LETTERS},
            "ms": {letter: [round(time, 2) for time in times[letter]] for letter in LETTERS},
        }
        stand_ins = {letter: _stand_ins(letter, self._plan.seatings, outcomes) for letter in LETTERS}
        faults = faults_of(self._plan.seatings, outcomes)
        return {
            **row,
            **({"stand_ins": stand_ins} if any(stand_ins.values()) else {}),
            **({"faults": faults} if faults else {}),
        }

    def outcome(self, pairing: int, index: int, game: int) -> Outcome:
        """Plays one game of a set; its number in the set is that of its seating."""
        name = self._plan.deal_seed(index)
        seeds = [player_seed(name, game, position) for position in range(SEATS)]
        return self._table(pairing)(self._plan.deal(index), self._plan.seatings[game], seeds)

    def record(self, pairing: int, index: int, game: int) -> GameRecord:
        """Plays one game and makes its record, with the time and the words of every decision."""
        return record_of_outcome(self._plan, (pairing, index, game), self.outcome(pairing, index, game), True)

    def _table(self, pairing: int) -> Play:
        if pairing not in self._tables:
            pair = self._plan.pairings[pairing]
            contestants = {
                letter: parse_contestant(self._plan.contestants[who]) for letter, who in zip(LETTERS, pair, strict=True)
            }
            limit = parse_limit(self._plan.limit)
            if any(contestant.is_program for contestant in contestants.values()):
                programs = ProgramTable(self._rules, limit, contestants)
                self._open.callback(programs.close)
                self._tables[pairing] = programs.play
            else:
                engines = {letter: self._engine(who) for letter, who in zip(LETTERS, pair, strict=True)}
                self._tables[pairing] = PlayerTable(self._rules, limit, engines).play
        return self._tables[pairing]

    def _engine(self, who: int) -> Engine:
        if who not in self._engines:
            self._engines[who] = parse_contestant(self._plan.contestants[who]).engine()
        return self._engines[who]


def _count(seating: str, outcome: Outcome, counts: dict[str, Counter[str]], times: dict[str, list[float]]) -> None:
    for asked in outcome.asked:
        letter = seating[asked.position]
        times[letter].append(asked.milliseconds)
        counts[letter]["searched"] += 1
        counts[letter]["fallbacks"] += bool(asked.stand_in)
    names = {"TLE": "timeouts", "ILLEGAL": "illegal"}
    for position, verdict, _ in outcome.faults:
        counts[seating[position]][names.get(verdict, "failures")] += 1


def _stand_ins(letter: str, seatings: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Counts the fallbacks of a contestant by who chose in its place."""
    played = zip(seatings, outcomes, strict=True)
    chose = (
        asked.stand_in for seating, outcome in played for asked in outcome.asked if seating[asked.position] == letter
    )
    return dict(sorted(Counter(name for name in chose if name).items()))


def _game(seating: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "seating": seating,
        "bids": list(outcome.game.bids) if outcome.game else [],
        "landlord": outcome.landlord_position,
        "landlord_won": outcome.landlord_won,
        "scores": list(outcome.scores),
        "moves": len(outcome.game.plays) if outcome.game else 0,
    }


def statistics_of(row: Row) -> SetRow:
    """
    Reads a row for the statistics.

    :raises ValueError: if its games do not make a set.
    :raises KeyError: if a field is missing.
    """
    games = []
    for game in row["games"]:
        landlord = game["landlord"]
        by_seat = "".join(game["seating"][(landlord + seat) % SEATS] for seat in range(SEATS))
        games.append(PlayedGame(by_seat, game["landlord_won"], tuple(game["scores"])))
    return set_row(row["set"], games)
