"""
The page of a match that can be sent round: strength and faults of every player, and why each lost, in one file.

Everything in it is data of one script element, from which the page's own scripts make texts: no name is markup.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ddzbot.rules import rule_set
from ddzbot.search.limit import NO_LIMIT, Limit

from ...shared.limits import limit_text
from ...shared.plain import plain_name
from ...study.review.causes import ply_of
from ...study.review.model import MARKS, SURE, Review
from ...study.review.page import Shown, reviewed_game
from ...study.view.render import MATCH_SCRIPTS, MATCH_STYLES, REPLAY_SCRIPTS, REPLAY_STYLES, page, put_page
from ..files.results_file import Entry
from .columns import BY_ALL, BY_FIRST, RANKING, Ranked, columns_of, letter_of, ranked
from .printers import data
from .results import Results
from .standings import Standings
from .why import Games, Place, Why, games_of

_COLUMNS = columns_of(RANKING, "rank", "name", *BY_ALL, *BY_FIRST)
_DIGITS = 6
"""Of numbers that the page rounds again: with two, 117.552 was 117.5 there and 117.6 in the terminal."""


def write_page(
    path: Path,
    results: Results,
    games: Path | None,
    entries: Sequence[Entry],
    limit: Limit | None,
    whys: Sequence[Why],
) -> None:
    """
    Writes the page; *games* is the file with the games, without which none is shown, *limit* that of a decision of
    *whys*.

    :raises InputError: if it cannot be written.
    :raises RecordError: for a games file that cannot be read.
    """
    plan = results.plan
    found, players = ranked(results)
    shown = _Games()
    if games is not None and games.exists():
        first = (kind.place for one in players for kind in one.faults)
        shown = _Games(games_of(games, plan, {*first, *_named(whys)}), whys)
    match = {
        "title": plain_name(path.stem),
        "kind": plan.kind,
        "rules": plan.rules,
        "auction": rule_set(plan.rules).bidding,
        "deals": f"{plan.namespace}/{plan.seed}",
        "limit": limit_text(plan.limit),
        "finished": results.finished,
        "sets": sum(map(len, results.rows)),
        "players": [
            {"letter": letter_of(place), **_player(player, results, shown, entries, whys)}
            for place, player in enumerate(players)
        ],
        "judge": limit and limit_text(limit),
        "cross": _cross(found),
        "out": [{"name": one.name, "problem": one.problem} for one in entries if one.problem],
    }
    review = {"limit": (limit or NO_LIMIT)._asdict(), "marks": dict(MARKS), "sure": SURE, "players": []}
    scripts = (*(REPLAY_SCRIPTS if shown.data else REPLAY_SCRIPTS[:1]), *MATCH_SCRIPTS)
    text = page(
        "match.html", (*REPLAY_STYLES, *MATCH_STYLES), scripts, {"match": match, "games": shown.data, "review": review}
    )
    put_page(path, text)


def _named(whys: Iterable[Why]) -> Iterator[Place]:
    """Yields the games that the causes of somebody name."""
    return (why.places[number] for why in whys for number in why.causes.games)


class _Games:
    """The games of the page, and their numbers in the games file, which the page shows, too."""

    def __init__(self, kept: Games | None = None, whys: Iterable[Why] = ()) -> None:
        kept = kept or {}
        reviews: dict[Place, list[Shown]] = {place: [] for place in kept}
        for why in whys:
            for one in why.found:
                reviews[why.places[one.review.game]].append(one)  # both sides of a game may learn from it
        self.number = {place: game.number for place, game in kept.items()}
        self.data = [reviewed_game(game.record, game.number, reviews[place]) for place, game in kept.items()]


def _player(
    one: Ranked, results: Results, shown: _Games, entries: Iterable[Entry], whys: Iterable[Why]
) -> dict[str, Any]:
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
        "why": next((_why(why, shown) for why in whys if why.name == one.name), None),
    }


def _why(why: Why, shown: _Games) -> dict[str, Any]:
    """Makes the object of why a contestant lost; a mistake is ``[game, ply, cost]``."""
    found = why.causes

    def mistake(one: Review) -> list[Any]:
        return [shown.number[why.places[one.game]], ply_of(one), round(one.cost, _DIGITS)]

    return {
        "lost": why.lost,
        "reviewed": len(why.places),
        "decisions": found.decisions,
        "mistakes": found.mistakes,
        "points": round(found.points, _DIGITS),
        "small": round(found.small, _DIGITS),
        "first": found.first,
        "close": found.close,
        "shares": {
            key: [
                {
                    "name": one.name,
                    "points": round(one.points, _DIGITS),
                    "percent": round(found.percent(one.points), _DIGITS),
                    "mistakes": one.mistakes,
                    "worst": [mistake(review) for review in one.worst],
                }
                for one in shares
            ]
            for key, shares in found.shares.items()
        },
    }


def _cross(found: Standings) -> list[list[Any]]:
    """Makes the cross table, the best first: the WP of the row against the column in percent, and the sets."""
    meetings = [[found.meetings.get((row.name, column.name)) for column in found.players] for row in found.players]
    return [[[round(100 * met.wp.value, 1), met.sets] if met and met.sets else None for met in row] for row in meetings]
