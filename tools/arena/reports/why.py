"""
Why each contestant lost: a sample of its lost games is reviewed, and what its mistakes cost is added up.

With the network alone a decision takes a millisecond, so hundreds of games are reviewed; by a search, fewer.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.search.limit import Limit

from ...records.files import records_in
from ...records.record import GameRecord
from ...shared.bars import progress_bar
from ...shared.language import tr
from ...shared.terminal import Console
from ...shared.work.workers import Workers
from ...study.review.bids import bid_reviews
from ...study.review.causes import Causes, causes
from ...study.review.decisions import decisions
from ...study.review.model import Review
from ...study.review.page import Shown, page_entry
from ...study.review.processes import Task, review_all
from ..matches.plan import Plan
from ..stats.row import GameRow, Row
from .results import Results

BY_NETWORK, BY_SEARCH = 800, 80
"""Lost games that are reviewed of all contestants together, by the network alone and by a search."""
FEWEST = 20
"""Lost games of a contestant that are reviewed however many contestants there are."""

Place = tuple[int, int, int]
"""A game: its pairing, its set, and its number in the set."""


class KeptGame(NamedTuple):
    """A game of a match's games file."""

    number: int
    """Its number in the file, from 1."""
    record: GameRecord


Games = dict[Place, KeptGame]


class Why(NamedTuple):
    """Why a contestant lost."""

    name: str
    lost: int
    """The games that it lost, without a fault of anybody."""
    places: list[Place]
    """Those that were reviewed; the game of a review is its place in this list."""
    numbers: list[int]
    """Their numbers in the games file."""
    causes: Causes
    found: list[Shown]
    """What a page shows of the games that the causes name."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form; the game of a mistake is its number in the games file."""
        fields = self.causes.as_json()
        for key in ("by_role", "by_phase", "by_kind"):
            for share in fields[key]:
                for mistake in share["worst"]:
                    mistake["game"] = self.numbers[mistake["game"]]
        return {"lost": self.lost, "reviewed": len(self.places), **fields}


def games_of(file: Path, plan: Plan, places: Iterable[Place]) -> Games:
    """
    Reads games of a match from its games file; of one that was played again, by another player, the last.

    :raises RecordError: for a file that cannot be read.
    """
    by_key = {(frozenset(plan.pairs[pairing]), index, game): (pairing, index, game) for pairing, index, game in places}
    games = {}
    for number, record in enumerate(records_in(file) if by_key else (), 1):
        *_, index, game = record.tags.get("Number", "0.0").split(".")
        if index.isdecimal() and game.isdecimal():
            place = by_key.get((frozenset(record.names), int(index), int(game)))
            if place is not None:
                games[place] = KeptGame(number, record)
    return games


def lost_by(plan: Plan, rows: Sequence[Sequence[Row]], name: str) -> list[Place]:
    """Lists the games that a contestant lost without a fault of anybody, in the order of play."""
    lost = []
    for pairing, (pair, played) in enumerate(zip(plan.pairs, rows, strict=True)):
        if name not in pair:
            continue
        letter = plan.letters[pair.index(name)]
        for row in played:
            at_fault = {fault.game for fault in row.faults}
            lost += [
                (pairing, row.set, index)
                for index, game in enumerate(row.games)
                if index not in at_fault and _lost(game, letter)
            ]
    return lost


def _lost(game: GameRow, letter: str) -> bool:
    """Tells whether all seats of a contestant lost."""
    sides = {seat == 0 for seat, player in enumerate(game.by_seat) if player == letter}
    return sides == {not game.landlord_won}


def sample(lost: Sequence[Place], most: int) -> list[Place]:
    """Takes at most so many, evenly from all, so that every opponent has its part."""
    count = min(most, len(lost))
    return [lost[index * len(lost) // count] for index in range(count)]


def most_of_each(contestants: int, limit: Limit | None) -> int:
    """Gets how many lost games of each contestant are reviewed at most; a larger field shares those of two."""
    return max(FEWEST, (BY_NETWORK if limit is None else BY_SEARCH) // contestants)


def why_they_lost(results: Results, games: Path, limit: Limit | None, workers: Workers, quiet: bool) -> list[Why]:
    """
    Reviews lost games of each contestant of a match of pairs, with a progress bar, and adds up what its mistakes cost.

    *games* is the games file, *limit* that of a decision, None for the network alone.

    :raises RecordError: for a games file that cannot be read.
    """
    plan = results.plan
    lost = {name: lost_by(plan, results.rows, name) for name in plan.names}
    most = most_of_each(len(plan.names), limit)
    chosen = {name: sample(places, most) for name, places in lost.items()}
    recorded = games_of(games, plan, {place for places in chosen.values() for place in places})
    places = {name: [place for place in chosen[name] if place in recorded] for name in plan.names}
    records = {name: [recorded[place].record for place in places[name]] for name in plan.names}
    tasks = {name: [*_tasks(records[name], name)] for name in plan.names}
    whys = []
    with progress_bar(console=Console(stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task(tr("reviewing"), total=sum(map(len, tasks.values())))
        for name in plan.names:
            reviews = review_all(tasks[name], limit, plan.seed, workers, lambda: bar.advance(task))
            finished = [result for result in reviews if result is not None]
            summed = causes([*_bids(records[name], name), *(result.review for result in finished)])
            named = [page_entry(result) for result in finished if result.review.game in summed.games]
            numbers = [recorded[place].number for place in places[name]]
            whys.append(Why(name, len(lost[name]), places[name], numbers, summed, named))
    return whys


def _tasks(records: Iterable[GameRecord], name: str) -> Iterator[Task]:
    """Yields the decisions of a contestant; a game's number is its place in the list."""
    for index, record in enumerate(records):
        for ply in decisions(record):
            if record.names[record.position_of(ply % len(record.names))] == name:
                yield Task(record, index, ply)


def _bids(records: Iterable[GameRecord], name: str) -> Iterator[Review]:
    return (
        review for index, record in enumerate(records) for review in bid_reviews(record, index) if review.name == name
    )
