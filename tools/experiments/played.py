"""What came of the experiments of a plan, read from their results files and compared with what the plan asks."""

from pathlib import Path
from typing import Any

from ..arena.results_file import read
from ..arena.seats_file import read_seats
from ..tournament.plan import Tournament
from ..tournament.results_file import Found
from ..tournament.results_file import read as read_tournament
from ..tournament.standings import Standings, standings
from .kept import todays_name
from .plan import Experiment

__all__ = ["DocumentError", "Played", "is_whole", "match_of", "tournament_of", "winners_of"]

Played = tuple[Experiment, dict[str, Any] | None]
"""A match or a gauntlet of a plan, with its results; None where nobody has played it."""

_WHAT_IS_PLAYED = ("rules", "namespace", "seed", "limit")


class DocumentError(ValueError):
    """A document or a results file that does not fit the plan; the message is one sentence."""


def match_of(experiment: Experiment, results: Path) -> dict[str, Any] | None:
    """
    Reads what came of a match or a gauntlet; None if nothing was played.

    :raises DocumentError: for a results file of something else, or none.
    """
    path = experiment.file(results)
    if not path.exists():
        return None
    try:
        found = read(path)
    except ValueError as error:
        raise DocumentError(str(error)) from None
    played = found.results()
    for who, number in found.contradictions(played):
        raise DocumentError(f"{path}: {who} is not what its rows say: {number}")
    names = tuple(todays_name(one["name"], played["version"]) for one in played["contestants"])
    kind = "gauntlet" if played["gauntlet"] else "match"
    if (kind, names) != (experiment.kind, experiment.contestants) or not _as_asked(played, experiment):
        raise DocumentError(
            f"{path}: these are results of another {experiment.kind} than {experiment.name} of the plan"
        )
    return played


def is_whole(experiment: Experiment, results: Path) -> bool:
    """
    Tells if a match or a gauntlet has all of its sets, whatever its contestants were called when they played.

    :raises DocumentError: for a results file of something else, or none.
    """
    played = match_of(experiment, results) if experiment.kind in ("match", "gauntlet") else None
    if played is None or not played["finished"]:
        return False
    bounds = (played["sprt"] or [])[:2]
    return bool(played["sets"] == experiment.options["sets"] and bounds == experiment.options.get("sprt", []))


def tournament_of(experiment: Experiment, results: Path) -> tuple[Tournament, Found, Standings] | None:
    """
    Reads what came of a tournament; None if nothing was played.

    :raises DocumentError: for a results file of something else, or none.
    """
    path, options = experiment.file(results), experiment.options
    if not path.exists():
        return None
    try:
        found = read_tournament(path)
    except ValueError as error:
        raise DocumentError(str(error)) from None
    wanted = {name: options[name] for name in (*_WHAT_IS_PLAYED, "sets", "neighbours")}
    tournament = Tournament(players=experiment.contestants, **wanted)
    if not _as_asked(found.head, experiment) or found.parts[-1].sets != tournament.sets:
        raise DocumentError(f"{path}: these are results of another tournament than {experiment.name} of the plan")
    return tournament, found, standings(tournament, found.rows_of(tournament))


def winners_of(experiment: Experiment, results: Path) -> list[int] | None:
    """
    Gets the seats that went out, in the order of the deals; None if nothing was played.

    :raises DocumentError: for a results file of something else, or none.
    """
    path = experiment.file(results)
    if not path.exists():
        return None
    try:
        found = read_seats(path)
    except ValueError as error:
        raise DocumentError(str(error)) from None
    if tuple(found.table["contestants"]) != experiment.contestants or not _as_asked(found.table, experiment):
        raise DocumentError(f"{path}: these are results of another table than {experiment.name} of the plan")
    first = experiment.options["games"]
    return [seat for index, seat in found.winners.items() if index < first] or None


def _as_asked(results: dict[str, Any], experiment: Experiment) -> bool:
    return all(results[name] == experiment.options[name] for name in _WHAT_IS_PLAYED)
