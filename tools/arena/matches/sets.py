"""One duplicate set of a match: played, and made a row of its results file."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from ddzbot.engine import Engine
from ddzbot.game import SEATS, Deal
from ddzbot.rules import rule_set

from ...records.record import GameRecord
from ...shared.seeds import player_seed
from ..stats.row import Counts, GameRow, Row
from .faults import faults_of
from .game_records import GameStyle, record_of_outcome, text_of_outcome
from .icga_series import IcgaTable
from .outcome import GameOutcome
from .plan import Plan, Series
from .programs import ProgramTable
from .table import PlayerTable

Play = Callable[[Deal, str, Sequence[int]], GameOutcome]

_COUNT_OF = {"TLE": "timeouts", "ILLEGAL": "illegal"}
"""Where a verdict is counted; every other one is a failure."""


class PlayedSet(NamedTuple):
    """A set that was played."""

    row: Row
    games: tuple[str, ...] = ()
    """The text of each game's record, if they are kept."""


class SetPlayer:
    """Plays the sets of one plan in one process; engines and programs stay warm from set to set."""

    def __init__(self, plan: Plan, style: GameStyle | None = None) -> None:
        """With a *style* the games become records in it."""
        self._plan = plan
        self._style = style
        self._rules = rule_set(plan.rules)
        self._tables: dict[int, Play] = {}
        self._engines: dict[int, Engine] = {}
        """By contestant: a player in many pairings loads its network once."""
        self._lines: IcgaTable | None = None
        self._open = ExitStack()

    def close(self) -> None:
        """Ends the programs that were started."""
        self._open.close()

    def row(self, pairing: int, index: int) -> Row:
        """Plays set *index* of a pairing, and gets its row."""
        return self.played(pairing, index).row

    def played(self, pairing: int, index: int) -> PlayedSet:
        """Plays set *index* of a pairing."""
        outcomes = [self.outcome(pairing, index, game) for game in range(len(self._plan.seatings()))]
        row = _row(self._plan, index, outcomes)
        if self._style is None:
            return PlayedSet(row)
        places = ((pairing, index, game) for game in range(len(outcomes)))
        texts = (
            text_of_outcome(self._plan, place, outcome, self._style)
            for place, outcome in zip(places, outcomes, strict=True)
        )
        return PlayedSet(row, tuple(texts))

    def outcome(self, pairing: int, index: int, game: int) -> GameOutcome:
        """Plays one game of a set; its number in the set is that of its seating."""
        if isinstance(self._plan, Series):
            return self._series(self._plan).play(index)
        deal_seed = self._plan.deal_seed(index)
        seeds = [player_seed(deal_seed, game, position) for position in range(SEATS)]
        return self._table(pairing)(self._plan.deal(index), self._plan.seatings(index)[game], seeds)

    def record(self, pairing: int, index: int, game: int) -> GameRecord:
        """Plays one game and makes its record, with the time and the words of every decision."""
        return record_of_outcome(self._plan, (pairing, index, game), self.outcome(pairing, index, game), True)

    def _series(self, plan: Series) -> IcgaTable:
        if self._lines is None:
            self._lines = IcgaTable(plan)
            self._open.callback(self._lines.close)
        return self._lines

    def _table(self, pairing: int) -> Play:
        if pairing not in self._tables:
            seated = dict(zip(self._plan.letters, self._plan.tables[pairing], strict=True))
            contestants = {letter: self._plan.contestants[player] for letter, player in seated.items()}
            if any(contestant.is_program for contestant in contestants.values()):
                programs = ProgramTable(self._rules, self._plan.limit, contestants)
                self._open.callback(programs.close)
                self._tables[pairing] = programs.play
            else:
                engines = {letter: self._engine(player) for letter, player in seated.items()}
                self._tables[pairing] = PlayerTable(self._rules, self._plan.limit, engines).play
        return self._tables[pairing]

    def _engine(self, contestant: int) -> Engine:
        if contestant not in self._engines:
            self._engines[contestant] = self._plan.contestants[contestant].engine()
        return self._engines[contestant]


def _row(plan: Plan, index: int, outcomes: Sequence[GameOutcome]) -> Row:
    seatings = plan.seatings(index)
    counts = {letter: Counter[str]() for letter in plan.letters}
    times: dict[str, list[float]] = {letter: [] for letter in plan.letters}
    fallbacks: dict[str, Counter[str]] = {}
    for seating, outcome in zip(seatings, outcomes, strict=True):
        for asked in outcome.asked:
            letter = seating[asked.position]
            times[letter].append(round(asked.milliseconds, 2))
            counts[letter]["searched"] += 1
            if asked.fallback:
                counts[letter]["fallbacks"] += 1
                fallbacks.setdefault(letter, Counter())[asked.fallback] += 1
        for position, verdict, _ in outcome.faults:
            counts[seating[position]][_COUNT_OF.get(verdict, "failures")] += 1
    return Row(
        index,
        tuple(_game(seating, outcome) for seating, outcome in zip(seatings, outcomes, strict=True)),
        {letter: Counts(**counted) for letter, counted in counts.items()},
        {letter: tuple(milliseconds) for letter, milliseconds in times.items()},
        {letter: dict(sorted(chosen.items())) for letter, chosen in sorted(fallbacks.items())},
        faults_of(seatings, outcomes),
    )


def _game(seating: str, outcome: GameOutcome) -> GameRow:
    game, landlord = outcome.game, outcome.landlord_position
    first, second, third = outcome.scores
    winner = game.winner if game else None
    return GameRow(
        seating,
        landlord,
        outcome.landlord_won,
        (float(first), float(second), float(third)),
        tuple(game.bids) if game else (),
        len(game.plays) if game else 0,
        None if winner is None else (landlord + winner) % SEATS,
    )
