"""
What went wrong in a match: which contestant, in which game, and why.

A row keeps under ``faults`` the first thing that went wrong for a contestant in each of its games, for example
``{"game": 1, "by": "B", "verdict": "RE", "sentence": ...}``. The verdict is TLE, RE, MLE, OLE, NJ or ILLEGAL for a
program at fault, and FALLBACK where another player chose a move. The sentence includes the program's
stderr, so it may differ when the same match is played again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ddzbot.protocol.last_resort import shortened

from ...shared.bounds import LONGEST_REASON
from ...shared.message import Message, as_message, joined, with_values
from ..stats.row import LETTERS, Counts, FaultRow, Row
from .outcome import Asked, GameOutcome
from .plan import Plan

FALLBACK = "FALLBACK"
_MOST_REPORTED = 3
"""Games of a contestant with faults that are reported at once."""


def faults_of(seatings: Sequence[str], outcomes: Sequence[GameOutcome]) -> tuple[FaultRow, ...]:
    """Lists the first thing that went wrong for each contestant in each game of a set."""
    by_game: dict[tuple[int, str], FaultRow] = {}
    for game, (seating, outcome) in enumerate(zip(seatings, outcomes, strict=True)):
        for position, verdict, sentence in (*outcome.faults, *fallbacks_in(outcome.asked)):
            short = with_values(sentence, lambda value: shortened(value, LONGEST_REASON))
            fault = FaultRow(game, seating[position], verdict, as_message(short))
            by_game.setdefault((game, seating[position]), fault)
    return tuple(by_game.values())


def fallbacks_in(asked: Iterable[Asked]) -> Iterator[tuple[int, str, str]]:
    """Yields each decision that another player made, as (position, :data:`FALLBACK`, a sentence)."""
    for decision in asked:
        if decision.fallback:
            why = "; ".join(f"{player}: {reason}".removeprefix(": ") for player, reason in decision.failures)
            values = {"position": decision.position, "fallback": decision.fallback, "why": why}
            sentence = Message("player {position} did not choose, {fallback} did ({why})", **values)
            yield decision.position, FALLBACK, sentence


class Reporter:
    """Reports the faults in the first games of a contestant that have any, as soon as they are known."""

    def __init__(self, names: Sequence[Sequence[str]], say: Callable[[str], None]) -> None:
        """*names* are those of the contestants of each pairing."""
        self._names = names
        self._say = say
        self._reported: Counter[str] = Counter()

    def look(self, pairing: int, row: Row) -> None:
        """Looks at a set that was just played."""
        for fault in row.faults:
            name = self._names[pairing][LETTERS.index(fault.by)]
            self._reported[name] += 1
            if self._reported[name] > _MOST_REPORTED:
                continue
            number, problem = self._number(pairing, row.set, fault), fault.sentence
            self._say(Message("{name}, game {number}: {problem}", name=name, number=number, problem=problem))
            if self._reported[name] == _MOST_REPORTED:
                self._say(Message("{name}: from here on its faults are only counted.", name=name))

    def _number(self, pairing: int, index: int, fault: FaultRow) -> str:
        """Writes the number of a game as ``--replay-game`` takes it."""
        return game_number(pairing if len(self._names) > 1 else None, index, fault.game)


def game_number(pairing: int | None, index: int, game: int) -> str:
    """Writes ``SET.GAME``, or ``PAIRING.SET.GAME``; all count from 0."""
    return ".".join(str(part) for part in (pairing, index, game) if part is not None)


class FaultKind(NamedTuple):
    """What went wrong for a contestant in one way."""

    verdict: str
    games: int
    """In how many games that was the first thing that went wrong."""
    of: int
    """How many games there were."""
    place: tuple[int, int, int]
    """Pairing, set and game of the first one."""
    number: str
    """The same as ``--replay-game`` takes it."""
    sentence: Message
    """That of the first one."""

    @property
    def line(self) -> str:
        """Describes it for people."""
        template = "at fault in {games} of {all} games, first in game {number}: {problem}"
        return Message(template, games=self.games, all=self.of, number=self.number, problem=self.sentence)


def kinds_of_faults(sat: Sequence[tuple[int, str, Sequence[Row]]], numbered: bool) -> list[FaultKind]:
    """
    Lists what went wrong for a contestant, the most frequent first.

    *sat* is where it sat, as pairing, letter and sets; *numbered* are pairings where there are several.
    """
    by_verdict: dict[str, list[tuple[tuple[int, int, int], Message]]] = {}
    for pairing, letter, rows in sat:
        for row in rows:
            for fault in row.faults:
                if fault.by == letter:
                    place = row.set, pairing, fault.game
                    by_verdict.setdefault(fault.verdict, []).append((place, fault.sentence))
    of = sum(letter in game.seating for _, letter, rows in sat for row in rows for game in row.games)
    kinds = []
    for verdict, faults in by_verdict.items():
        (index, pairing, game), sentence = min(faults)
        number = game_number(pairing if numbered else None, index, game)
        kinds.append(FaultKind(verdict, len(faults), of, (pairing, index, game), number, sentence))
    return sorted(kinds, key=lambda kind: (-kind.games, kind.place))


def faults_by_name(plan: Plan, rows: Sequence[Sequence[Row]]) -> dict[str, list[FaultKind]]:
    """Lists what went wrong for each contestant of a match, over all its pairings."""
    sat: dict[str, list[tuple[int, str, Sequence[Row]]]] = {name: [] for name in plan.names}
    for pairing, (pair, played) in enumerate(zip(plan.pairs, rows, strict=True)):
        for letter, name in zip(plan.letters, pair, strict=True):
            sat[name].append((pairing, letter, played))
    return {name: kinds_of_faults(places, len(plan.tables) > 1) for name, places in sat.items()}


def always_at_fault(plan: Plan, rows: Sequence[Sequence[Row]]) -> list[Message]:
    """
    Names each program that was at fault in all its games, and their number: its results mean nothing.

    The hand-ins of a field do not count: one of them is no fault of the match.
    """
    names = {contestant.spec for contestant in plan.contestants if contestant.is_program and not contestant.digest}
    faults = {name: kinds for name, kinds in faults_by_name(plan, rows).items() if name in names and kinds}
    sentence = "{name} was at fault in all {count} games, so that nothing was measured"
    return [
        Message(sentence, name=name, count=kinds[0].of)
        for name, kinds in faults.items()
        if sum(kind.games for kind in kinds) == kinds[0].of
    ]


def troubles_of(counts: Mapping[str, Counts]) -> list[str]:
    """Counts the troubles of each contestant by kind; an empty list for a match without any."""
    troubles = [(name, joined(_troubles(count))) for name, count in counts.items()]
    return [Message("{name}: {said}", name=name, said=trouble) for name, trouble in troubles if trouble]


def _troubles(counts: Counts) -> Iterator[Message]:
    """Yields the counts that a strict match does not accept."""
    if counts.failures:
        yield Message("failures {count}", count=counts.failures)
    if counts.illegal:
        yield Message("illegal {count}", count=counts.illegal)
    if counts.timeouts:
        yield Message("timeouts {count}", count=counts.timeouts)
    if counts.fallbacks:
        yield Message("fallbacks {count}", count=counts.fallbacks)
