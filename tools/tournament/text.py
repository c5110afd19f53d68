"""What a person reads of a tournament in a terminal."""

from collections.abc import Mapping
from typing import Literal

from rich.table import Table

from ..arena.estimates import Estimate
from ..shared.terminal import Console
from .cost import Cost
from .plan import Tournament
from .standings import Standing, Standings

__all__ = ["interval", "print_cost", "print_standings", "troubles"]

_TROUBLES = ("failures", "illegal", "timeouts")
_MINUTE = 60


def interval(estimate: Estimate, digits: int, factor: float = 1.0) -> str:
    """Writes a number with its interval, e.g. ``63.2 (60.1 to 66.2)``."""
    value, low, high = (f"{factor * one:.{digits}f}" for one in estimate)
    # Points of a single set have no interval.
    return value if "inf" in low else f"{value} ({low} to {high})"


def troubles(one: Standing) -> str:
    """Says how often others chose for a player, and what went wrong with it; empty if nothing did."""
    chose = [f"`{name}` chose for it {count:,} times" for name, count in sorted(one.stand_ins.items())]
    wrong = [f"{name} {one.counts[name]:,}" for name in _TROUBLES if one.counts[name]]
    said = ", ".join(chose + wrong)
    return said and f"`{one.player}`, of {one.counts['searched']:,} decisions: {said}."


def print_standings(found: Standings, console: Console) -> None:
    """Prints the ranking, what went wrong, and the cross table."""
    table = Table(title="Elo by all pairs together (mean 0), LOS over the next", title_justify="left")
    for heading in ("", "player", "Elo", "WP %", "ADP", "sets", "ms median, 95 %", "LOS"):
        justify: Literal["right", "left"] = "right" if heading in ("", "sets", "LOS") else "left"
        table.add_column(heading, justify=justify, overflow="fold")
    for rank, one in enumerate(found.players, 1):
        elo = interval(one.elo, 0) if one.elo else "unknown"
        times = "{:.1f}, {:.1f}".format(*one.milliseconds) if one.milliseconds else ""
        los = "" if one.los is None else f"{one.los:.3f}"
        numbers = (elo, interval(one.wp, 1, 100), interval(one.adp, 2), f"{one.sets:,}", times, los)
        table.add_row(str(rank), one.player, *numbers)
    console.print(table)
    for said in filter(None, map(troubles, found.players)):
        console.print(said, style="red", highlight=False, soft_wrap=True)
    cross = Table("WP % of row against column", *map(str, range(1, len(found.players) + 1)), title_justify="left")
    for rank, row in enumerate(found.players, 1):
        meetings = [found.meetings.get((row.player, column.player)) for column in found.players]
        cells = [f"{100 * one.wp.value:.1f}" if one and one.sets else "-" for one in meetings]
        cross.add_row(f"{rank} {row.player}", *cells)
    console.print(cross)


def print_cost(tournament: Tournament, cost: Cost, seconds: Mapping[str, float], jobs: int, console: Console) -> None:
    """Prints what is still to be played, and how long that takes."""
    pairs = f"{len(tournament.pairs)} pairs x {tournament.sets} sets"
    if tournament.neighbours > tournament.sets:
        more = tournament.neighbours - tournament.sets
        pairs += f", then {len(tournament.players) - 1} pairs of neighbours x {more} more"
    games = len(tournament.plan.seatings)
    console.print(f"{pairs}; left are {cost.sets:,} sets of {games} games.", highlight=False)
    if not cost.sets:
        return
    table = Table("player", "seconds a set against itself", title_justify="left")
    for player, one in seconds.items():
        table.add_row(player, f"{one:.3f}")
    console.print(table)
    minutes = cost.seconds / _MINUTE
    console.print(
        f"That is about {minutes:,.1f} core-minutes; with --jobs {jobs} on as many free cores "
        f"{minutes / jobs:,.1f} minutes.",
        highlight=False,
    )
