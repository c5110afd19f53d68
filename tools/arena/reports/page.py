"""
The page of a match that can be sent round: strength and faults of every player, and why each lost, in one file.

Everything in it is data of one script element, from which the page's own scripts make texts: no name is markup.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from ddzbot.rules import rule_set
from ddzbot.search.limit import NO_LIMIT, Limit

from ...shared.language import in_both
from ...shared.limits import limit_text
from ...shared.plain import plain_name
from ...study.review.causes import ply_of
from ...study.review.model import MARKS, SURE, Review
from ...study.review.page import Shown, reviewed_game
from ...study.view.render import MATCH_SCRIPTS, MATCH_STYLES, REPLAY_SCRIPTS, REPLAY_STYLES, page, put_page
from ..files.results_file import Entry
from .columns import BY_ALL, BY_FIRST, RANKING, Ranked, columns_of, letter_of, ranking_of
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
    title: str = "",
) -> None:
    """
    Writes the page; *games* is the file with the games, without which none is shown, *limit* that of a decision of
    *whys*. Without a *title* it has the name of its file, and it says of which day it is.

    :raises InputError: if it cannot be written.
    :raises RecordError: for a games file that cannot be read.
    """
    plan = results.plan
    ranking, players = ranking_of(results)
    replays = _Games()
    if games is not None and games.exists():
        examples = (kind.place for player in players for kind in player.faults)
        replays = _Games(games_of(games, plan, {*examples, *_named(whys)}), whys)
    match = {
        "title": plain_name(title),
        "name": plain_name(path.stem),
        "date": date.today().isoformat(),
        "kind": plan.kind,
        "rules": plan.rules,
        "auction": rule_set(plan.rules).bidding,
        "deals": f"{plan.namespace}/{plan.seed}",
        "limit": limit_text(plan.limit),
        "finished": results.finished,
        "sets": sum(map(len, results.rows)),
        "players": [
            {"letter": letter_of(index), **_player(player, results, replays, entries, whys)}
            for index, player in enumerate(players)
        ],
        "judge": limit and limit_text(limit),
        "cross": _cross(ranking),
        "out": [{"name": entry.name, "problem": in_both(entry.problem)} for entry in entries if entry.problem],
    }
    review = {"limit": (limit or NO_LIMIT)._asdict(), "marks": dict(MARKS), "sure": SURE, "players": []}
    html = page(
        "match.html",
        (*REPLAY_STYLES, *MATCH_STYLES),
        (*(REPLAY_SCRIPTS if replays.data else ()), *MATCH_SCRIPTS),
        ["replay", "match"],
        {"match": match, "games": replays.data, "review": review},
    )
    put_page(path, html)


def _named(whys: Iterable[Why]) -> Iterator[Place]:
    """Yields the games that the causes of somebody name."""
    return (why.places[game] for why in whys for game in why.causes.games)


class _Games:
    """The games of the page, and their numbers in the games file, which the page shows, too."""

    def __init__(self, games: Games | None = None, whys: Iterable[Why] = ()) -> None:
        games = games or {}
        reviews: dict[Place, list[Shown]] = {place: [] for place in games}
        for why in whys:
            for entry in why.found:
                reviews[why.places[entry.review.game]].append(entry)  # both sides of a game may learn from it
        self.number = {place: game.number for place, game in games.items()}
        self.data = [reviewed_game(game.record, game.number, reviews[place]) for place, game in games.items()]


def _player(
    one: Ranked, results: Results, shown: _Games, entries: Iterable[Entry], whys: Iterable[Why]
) -> dict[str, Any]:
    faults = [
        {
            "verdict": kind.verdict,
            "games": kind.games,
            "of": kind.of,
            "number": kind.number,
            "sentence": in_both(kind.sentence),
            "game": shown.number.get(kind.place),
        }
        for kind in one.faults
    ]
    return {
        **data(_COLUMNS, one),
        "faults": faults,
        "check": [in_both(note) for entry in entries if entry.name == one.name for note in entry.check],
        "why": next((_why(why, shown) for why in whys if why.name == one.name), None),
    }


def _why(why: Why, replays: _Games) -> dict[str, Any]:
    """Makes the object of why a contestant lost; a mistake is ``[game, ply, cost]``."""
    causes = why.causes

    def mistake(review: Review) -> list[Any]:
        return [replays.number[why.places[review.game]], ply_of(review), round(review.cost, _DIGITS)]

    return {
        "lost": why.lost,
        "reviewed": len(why.places),
        "decisions": causes.decisions,
        "mistakes": causes.mistakes,
        "points": round(causes.points, _DIGITS),
        "small": round(causes.small, _DIGITS),
        "first": causes.first,
        "close": causes.close,
        "shares": {
            key: [
                {
                    "name": share.name,
                    "points": round(share.points, _DIGITS),
                    "percent": round(causes.percent(share.points), _DIGITS),
                    "mistakes": share.mistakes,
                    "worst": [mistake(review) for review in share.worst],
                }
                for share in shares
            ]
            for key, shares in causes.shares.items()
        },
    }


def _cross(standings: Standings) -> list[list[Any]]:
    """Makes the cross table, the best first: the WP of the row against the column in percent, and the sets."""
    meetings = [
        [standings.meetings.get((row.name, column.name)) for column in standings.players] for row in standings.players
    ]
    return [[[round(100 * met.wp.value, 1), met.sets] if met and met.sets else None for met in row] for row in meetings]
