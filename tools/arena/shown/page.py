"""
The page of a match that can be sent round: strength and faults of every player, and lost games reviewed, in one file.

Everything in it is data of one script element, from which the page's own scripts make texts: no name is markup.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit

from ...cluster.command import Workers
from ...look.review.model import MARKS, SURE
from ...look.review.page import Shown, reviewed_game
from ...look.view.render import MATCH_SCRIPTS, MATCH_STYLES, REPLAY_SCRIPTS, REPLAY_STYLES, page
from ...records.record import GameRecord
from ...shared.bars import progress_bar
from ...shared.bounds import unwritable
from ...shared.errors import InputError
from ...shared.limits import limit_text
from ...shared.plain import plain_name
from ...shared.storage.whole_file import put
from ...shared.terminal import Console
from ..files.results_file import Entry
from .columns import BY_ALL, BY_FIRST, RANKING, Ranked, columns_of, ranked
from .lessons import Lesson, Place, games_of, lessons
from .printers import data
from .results import Results
from .standings import Standings

_COLUMNS = columns_of(RANKING, "name", *BY_ALL, *BY_FIRST)


def write_page(
    path: Path,
    results: Results,
    games: Path | None,
    entries: Sequence[Entry],
    limit: Limit,
    workers: Workers,
    quiet: bool,
) -> None:
    """
    Writes the page; *games* is the file with the games, without which none is shown.

    :raises InputError: if it cannot be written.
    :raises RecordError: for a games file that cannot be read.
    """
    plan = results.plan
    found, players = ranked(results)
    found_lessons: list[Lesson] = []
    records: dict[Place, GameRecord] = {}
    if games is not None and games.exists():
        with progress_bar(console=Console(stderr=True), disable=quiet, transient=True) as bar:
            task = bar.add_task("reviewing", total=None)
            found_lessons = lessons(
                plan,
                results.rows,
                lambda places: games_of(games, plan, places),
                limit,
                workers,
                lambda have, all_: bar.update(task, completed=have, total=all_),
            )
        first = (kind.place for one in players for kind in one.faults)
        records = games_of(games, plan, {*first, *(one.place for one in found_lessons)})
    shown = _Games(records, found_lessons)
    match = {
        "title": plain_name(path.stem),
        "kind": plan.kind,
        "rules": plan.rules,
        "auction": rule_set(plan.rules).bidding,
        "deals": f"{plan.namespace}/{plan.seed}",
        "limit": limit_text(plan.limit),
        "finished": results.finished,
        "sets": sum(map(len, results.rows)),
        "players": [_player(one, results, shown, entries) for one in players],
        "cross": _cross(found),
        "out": [{"name": one.name, "problem": one.problem} for one in entries if one.problem],
    }
    review = {"limit": limit._asdict(), "marks": dict(MARKS), "sure": SURE, "players": []}
    scripts = (*(REPLAY_SCRIPTS if shown.data else REPLAY_SCRIPTS[:1]), *MATCH_SCRIPTS)
    text = page(
        "match.html", (*REPLAY_STYLES, *MATCH_STYLES), scripts, {"match": match, "games": shown.data, "review": review}
    )
    try:
        put(path, text.encode("utf-8"))
    except OSError as error:
        raise InputError(unwritable(path, error)) from None


class _Games:
    """The games of the page, and their numbers there."""

    def __init__(self, records: dict[Place, GameRecord], found: Iterable[Lesson]) -> None:
        self.lessons = [one for one in found if one.place in records]
        reviews: dict[Place, list[Shown]] = {one.place: [] for one in self.lessons}
        for one in self.lessons:
            reviews[one.place] += one.found  # both sides of a game may learn from it
        self.number = {place: number for number, place in enumerate(records, 1)}
        self.data = [
            reviewed_game(record, self.number[place], reviews.get(place, [])) for place, record in records.items()
        ]


def _player(one: Ranked, results: Results, shown: _Games, entries: Iterable[Entry]) -> dict[str, Any]:
    faults = [
        {
            "verdict": kind.verdict,
            "games": kind.games,
            "of": kind.of,
            "number": kind.number,
            "sentence": kind.sentence,
            "game": shown.number.get(kind.place),
        }
        for kind in one.faults
    ]
    return {
        **data(_COLUMNS, one),
        "faults": faults,
        "check": [note for entry in entries if entry.name == one.name for note in entry.check],
        "lessons": [_lesson(lesson, shown, results) for lesson in shown.lessons if lesson.loser == one.name],
    }


def _lesson(lesson: Lesson, shown: _Games, results: Results) -> dict[str, Any]:
    pairing, index, game = lesson.place
    (other,) = {*results.plan.pairs[pairing]} - {lesson.loser} or {lesson.loser}
    return {
        "game": shown.number[lesson.place],
        "number": f"{pairing}.{index}.{game}",
        "against": other,
        "moves": [lesson.worst.ply] if lesson.worst else [],
    }


def _cross(found: Standings) -> list[list[Any]]:
    """Makes the cross table, by rank: the WP of the row against the column in percent, and the sets."""
    meetings = [[found.meetings.get((row.name, column.name)) for column in found.players] for row in found.players]
    return [[[round(100 * met.wp.value, 1), met.sets] if met and met.sets else None for met in row] for row in meetings]
