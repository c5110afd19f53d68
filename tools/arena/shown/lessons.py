"""
Of each contestant the lost games from which most is to be learned: those that its own mistakes decided.

A review takes a second or more a game. So of the games that it lost a few are reviewed: first those on deals that the
other one won from all sides, and of each opponent one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ddzbot.search.limit import Limit

from ...cluster.command import Workers
from ...look.review.decisions import decisions
from ...look.review.model import Review, decisive
from ...look.review.page import Shown, shown
from ...look.review.processes import Task, reviewed
from ...records.files import records_in
from ...records.notation import view_text
from ...records.record import GameRecord
from ..played.plan import Plan
from ..sums.row import GameRow, Row, statistics_of

REVIEWED, SHOWN = 5, 3
"""Lost games of a contestant that are reviewed, and of these shown."""

Place = tuple[int, int, int]
"""A game: its pairing, its set, and its number in the set."""


class Lesson(NamedTuple):
    """A lost game, and what its loser's moves lost."""

    loser: str
    place: Place
    found: list[Shown]

    @property
    def worst(self) -> Review | None:
        """The worst mistake; None if there is none."""
        return next(iter(decisive([one.review for one in self.found])), None)


def games_of(file: Path, plan: Plan, places: Iterable[Place]) -> dict[Place, GameRecord]:
    """
    Reads games of a match from its games file; of one that was played again, by another player, the last.

    :raises RecordError: for a file that cannot be read.
    """
    wanted = {(frozenset(plan.pairs[pairing]), index, game): (pairing, index, game) for pairing, index, game in places}
    found = {}
    for record in records_in(file) if wanted else ():
        *_, index, game = record.tags.get("Number", "0.0").split(".")
        if index.isdecimal() and game.isdecimal():
            place = wanted.get((frozenset(record.names), int(index), int(game)))
            if place is not None:
                found[place] = record
    return found


def lost_by(plan: Plan, rows: Sequence[Sequence[Row]], name: str) -> list[Place]:
    """Lists games that a contestant lost without a fault of any player, those on its worst deals first."""
    lost = []
    for pairing, (pair, played) in enumerate(zip(plan.pairs, rows, strict=True)):
        if name not in pair:
            continue
        letter = plan.letters[pair.index(name)]
        for row in played:
            points = statistics_of(row).points.ratio * (1 if letter == "A" else -1)
            at_fault = {fault.game for fault in row.faults}
            lost += [
                (points, row.set, pairing, number)
                for number, game in enumerate(row.games)
                if number not in at_fault and _lost(game, letter)
            ]
    lost.sort()
    met: dict[int, int] = {}
    rounds = []
    for points, index, pairing, number in lost:
        met[pairing] = met.get(pairing, 0) + 1
        rounds.append((met[pairing], points, index, pairing, number))
    return [(pairing, index, number) for _, _, index, pairing, number in sorted(rounds)]


def _lost(game: GameRow, letter: str) -> bool:
    """Tests whether all seats of a contestant lost."""
    sides = {seat == 0 for seat, other in enumerate(game.by_seat) if other == letter}
    return sides == {not game.landlord_won}


def lessons(
    plan: Plan,
    rows: Sequence[Sequence[Row]],
    games: Callable[[Iterable[Place]], dict[Place, GameRecord]],
    limit: Limit,
    workers: Workers,
    done: Callable[[int, int], None] = lambda have, all_: None,
) -> list[Lesson]:
    """
    Reviews lost games of each contestant, and gets the most instructive ones, by contestant.

    *games* reads games, *limit* is that of a decision, and *done* gets the numbers of decisions reviewed and of all.
    """
    lost = {name: lost_by(plan, rows, name)[:REVIEWED] for name in plan.names}
    records = games({place for places in lost.values() for place in places})
    asked = [(name, place, records[place]) for name in plan.names for place in lost[name] if place in records]
    tasks = [
        (number, Task(record, number, ply))
        for number, (name, _, record) in enumerate(asked)
        for ply in _own(record, name)
    ]
    count = [0]

    def one_more() -> None:
        count[0] += 1
        done(count[0], len(tasks))

    found = reviewed([task for _, task in tasks], limit, plan.seed, workers, one_more)
    by_game: dict[int, list[Shown]] = {}
    for (number, _), one in zip(tasks, found, strict=True):
        if one is not None:
            by_game.setdefault(number, []).append(shown(one))
    learned = [Lesson(name, place, by_game.get(number, [])) for number, (name, place, _) in enumerate(asked)]
    return [
        one
        for name in plan.names
        for one in islice(each_once(sorted((x for x in learned if x.loser == name), key=_order), records), SHOWN)
    ]


def each_once(learned: Iterable[Lesson], records: Mapping[Place, GameRecord]) -> Iterator[Lesson]:
    """
    Leaves out of a contestant's lessons those with a worst mistake that an earlier lesson has.

    Against two opponents it may come to the same position of a deal, and do the same there.
    """
    seen = set()
    for one in learned:
        mistake = None
        if one.worst:
            mistake = view_text(records[one.place].view(one.worst.ply)), str(one.worst.made)
        if mistake is None or mistake not in seen:
            yield one
        seen.add(mistake)


def _own(record: GameRecord, name: str) -> Iterator[int]:
    """Yields the decisions of a contestant."""
    return (ply for ply in decisions(record) if record.names[record.position_of(ply % len(record.names))] == name)


def _order(lesson: Lesson) -> tuple[float, Place]:
    """Sorts the lessons with the costliest decisive mistakes first."""
    return -sum(1.0 if one.proved else one.loss for one in decisive([one.review for one in lesson.found])), lesson.place
