"""
Measures the noise of the payoffs of the thesis' searches, and how far its network is from them, by its own logs.

    python -m tools.thesis.value_error mctshs_decisions.jsonl.gz mcm_decisions.jsonl.gz

Each line of a file is a JSON object with ``seat`` and ``candidates``: ``visits`` and ``sum`` of each move where a
search ran, and ``value`` where a network did. Where both did, the search corrects the network's best moves. It begins
with :data:`HEAD_START` visits at the network's value, and pays :data:`SHIFT` more than the game: both are taken off.
``source``, ``segment`` and ``ply`` say which decisions follow each other. All numbers are in points, a game being worth
2 to the landlord and 1 to a peasant.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from ddzbot.game import SEATS

from ..records.from_rows import SEAT_KEYS
from ..shared.interrupts import Command
from ..shared.terminal import Console
from .logged import RowError, rows_in

HEAD_START = 1000
"""Visits that every corrected move has before the first simulation."""
SHIFT = 2
"""What the correcting search adds to every payoff."""
PAYOFFS = dict(zip(SEAT_KEYS, (2, 1, 1), strict=True))
_MEAN_OF_NORMAL = float(np.sqrt(2 / np.pi))

Floats = NDArray[np.float64]


class Payoffs(NamedTuple):
    """Moves that a search or a network valued; one number a move in each field."""

    decision: Floats
    """Which decision it is a candidate of, from 1."""
    before: Floats
    """The decision of the same seat one round before; 0 where none is known."""
    scale: Floats
    """What a game is worth to its seat."""
    visits: Floats
    """Simulations, a head start not counted; 0 where none ran."""
    mean: Floats
    """What they paid; NaN where none ran."""
    value: Floats
    """What the network said; NaN where none was asked."""

    @property
    def noise(self) -> Floats:
        """How far each mean is from what endless simulations would pay, on average, by the normal distribution."""
        share = np.clip(self.mean / self.scale, -1, 1)
        return _MEAN_OF_NORMAL * self.scale * np.sqrt((1 - share**2) / self.visits)

    def only(self, some: NDArray[np.bool_]) -> "Payoffs":
        """Keeps *some* of the moves."""
        return Payoffs._make(column[some] for column in self)


def read_payoffs(paths: Iterable[Path]) -> Payoffs:
    """
    Reads the candidates of all decisions.

    :raises RowError: for a file that cannot be read, or a row that is not a decision; the sentence names the line.
    """
    found: list[tuple[float, ...]] = []
    known: dict[tuple[Any, ...], int] = {}
    decision = 0
    for path in paths:
        for number, row in rows_in(path):
            decision += 1
            try:
                before = 0
                if "ply" in row:
                    game = (path, row.get("source"), row.get("segment"), row["seat"])
                    before = known.get((game, row["ply"] - SEATS), 0)
                    known[game, row["ply"]] = decision
                moves = row["candidates"].values()
                found += [(decision, before, PAYOFFS[row["seat"]], *_valued(move)) for move in moves]
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                sentence = f"this is not a decision: {type(error).__name__}: {error}"
                raise RowError(f"{path}, line {number}: {sentence}") from None
    columns = np.array(found, dtype=np.float64).reshape(-1, len(Payoffs._fields)).T
    return Payoffs._make(columns)


def _valued(move: dict[str, Any]) -> tuple[float, float, float]:
    """Gets simulations, mean and the network's value of a move."""
    value = move.get("value", np.nan)
    if "visits" not in move:
        return 0, np.nan, value
    virtual = HEAD_START if "value" in move else 0
    visits = move["visits"] - virtual
    if visits <= 0:
        raise ValueError(f"{move['visits']} visits are none beside a head start of {virtual}")
    if not virtual:
        return visits, move["sum"] / visits, np.nan
    return visits, (move["sum"] - virtual * (value + SHIFT)) / visits - SHIFT, value


def without_line(errors_of: Floats, by: Floats) -> Floats:
    """Takes the best straight line in *by* (least squares) off *errors_of*."""
    slope, start = np.polyfit(by, errors_of, 1)
    rest: Floats = errors_of - (slope * by + start)
    return rest


def without_mean(errors: Floats, decision: Floats) -> Floats:
    """Takes the mean of its decision off each error, of decisions with two moves or more."""
    _, places, number = np.unique(decision, return_inverse=True, return_counts=True)
    means = np.bincount(places, weights=errors) / number
    rest: Floats = (errors - means[places])[number[places] > 1]
    return rest


def correlation_with_the_round_before(errors: Floats, payoffs: Payoffs) -> float | None:
    """Correlates the mean errors of decisions that follow each other; None if fewer than three do."""
    decisions, first, places = np.unique(payoffs.decision, return_index=True, return_inverse=True)
    means = np.bincount(places, weights=errors) / np.bincount(places)
    at = dict(zip(decisions.tolist(), means.tolist(), strict=True))
    pairs = [(mean, at[one]) for mean, one in zip(means, payoffs.before[first].tolist(), strict=True) if one in at]
    return float(np.corrcoef(np.array(pairs).T)[0, 1]) if len(pairs) > 2 else None


def sides(payoffs: Payoffs) -> Iterator[tuple[str, Payoffs]]:
    """Yields all moves and those of each side, where there are any."""
    is_landlord = payoffs.scale == PAYOFFS["landlord"]
    for side, some in (("all", is_landlord | True), ("landlord", is_landlord), ("peasants", ~is_landlord)):
        if some.any():
            yield side, payoffs.only(some)


def searches_table(payoffs: Payoffs) -> Table:
    """Makes the table of the searches without a network: how noisy their payoffs are, and how much these differ."""
    table = Table(title="Payoffs of searches without a network", title_justify="left")
    for heading in ("side", "moves", "visits, median", "noise", "from the mean payoff"):
        table.add_column(heading, justify="left" if heading == "side" else "right")
    for side, chosen in sides(payoffs):
        spread = np.abs(chosen.mean - chosen.mean.mean()).mean()
        numbers = (f"{len(chosen.mean):,}", f"{np.median(chosen.visits):,.0f}")
        table.add_row(side, *numbers, f"{chosen.noise.mean():.4f}", f"{spread:.4f}")
    return table


def values_table(payoffs: Payoffs) -> Table:
    """Makes the table of what the network said: in which range its values lie."""
    table = Table(title="Values of the network", title_justify="left")
    for heading in ("side", "moves", "lowest", "median", "highest"):
        table.add_column(heading, justify="left" if heading == "side" else "right")
    for side, chosen in sides(payoffs):
        low, middle, high = np.percentile(chosen.value, (0, 50, 100))
        table.add_row(side, f"{len(chosen.value):,}", f"{low:.3f}", f"{middle:.3f}", f"{high:.3f}")
    return table


def show_network(payoffs: Payoffs, console: Console) -> None:
    """Prints how far the network's values are from the simulations that corrected them, mean absolute errors."""
    table = Table(title="The network's values beside the search that corrected them", title_justify="left")
    for heading in ("mean absolute error", "moves", "points"):
        table.add_column(heading, justify="left" if heading.startswith("mean") else "right")
    errors = payoffs.value - payoffs.mean
    straightened = without_line(payoffs.mean, payoffs.value)
    for name, some in (
        ("of the value", errors),
        ("after the best straight line", straightened),
        ("after the mean error of each decision", without_mean(errors, payoffs.decision)),
        ("of the simulations: their noise", payoffs.noise),
    ):
        table.add_row(name, f"{len(some):,}", f"{np.abs(some).mean():.4f}" if len(some) else "-")
    console.print(table)
    same = correlation_with_the_round_before(straightened, payoffs)
    if same is not None:
        console.print(f"Mean errors of a seat's decisions after the line correlate with the round before: {same:.2f}")


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def main(files: tuple[Path, ...]) -> None:
    """Print how noisy the payoffs logged in FILES are, and how far the network's values are from them."""
    console, progress = Console(highlight=False), Console(stderr=True)
    try:
        with progress.status("reading"):
            found = read_payoffs(files)
    except RowError as error:
        raise click.UsageError(str(error)) from None
    if not len(found.value):
        raise click.UsageError(f"{', '.join(map(str, files))}: there are no candidates")
    valued, simulated = ~np.isnan(found.value), found.visits > 0
    if (simulated & ~valued).any():
        console.print(searches_table(found.only(simulated & ~valued)))
    if valued.any():
        console.print(values_table(found.only(valued)))
    if np.unique(found.value[simulated & valued]).size > 1:
        show_network(found.only(simulated & valued), console)


if __name__ == "__main__":
    main()
