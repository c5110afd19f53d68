"""
Fits the belief about hidden hands on recorded games, and scores it on others: ``python -m tools lab fit-belief FILE``.

The deals are split 70 to 30 by a hash. The numbers come from the 70 and are written to ddzbot/belief/fitted.py; the
scores come from the 30, which no number has seen.
"""

from pathlib import Path
from typing import NamedTuple

import click
from rich.progress import track
from rich.table import Table

from ddzbot.belief.models import Model, fitted_model, mini_model, uniform
from ddzbot.belief.numbers import Numbers

from ...records.files import records_in
from ...records.record import GameRecord, RecordError
from ...shared.interrupts import Command
from ...shared.options import EXISTING_FILE, FILE
from ...shared.paths import ROOT
from ...shared.terminal import Console
from .constants import BombCases, bomb_cases, numbers_of, source_text
from .examples import Example, example_arrays, examples_of, is_for_fitting, with_all_hands
from .likelihood import fit
from .scores import Score, score, without_bottom

OUTPUT = ROOT / "ddzbot" / "belief" / "fitted.py"
EVERY = 4
"""One position in so many is used; a multiple of 3 would show each game to one seat only."""


class Row(NamedTuple):
    """One line of the table of scores."""

    side: str
    model: str
    views: int
    score: Score
    gain: tuple[float, float]
    """In log loss over uniform, and the half width of its 95 % interval."""


def sides(examples: list[Example]) -> dict[str, list[Example]]:
    """Sorts positions by the role of the viewer; without a known bottom a peasant has fewer certain cards."""
    return {
        "landlord": [example for example in examples if example.view.seat == 0],
        "peasants, bottom known": [example for example in examples if example.view.seat and example.bottom_known],
        "peasants, bottom unknown": [example for example in examples if example.view.seat and not example.bottom_known],
    }


def score_all(examples: list[Example], numbers: Numbers, console: Console) -> list[Row]:
    """Scores every model on every side; sides without a position are left out."""
    models: dict[str, Model] = {
        "uniform": uniform,
        "mini": mini_model(numbers),
        "fitted": fitted_model(numbers),
    }
    rows = []
    by_side = {side: chosen for side, chosen in sides(examples).items() if chosen}
    for side, chosen in track(by_side.items(), "scoring", console=console, transient=True):
        scores = {key: score(chosen, model) for key, model in models.items()}
        if side == "peasants, bottom known":
            scores["uniform, bottom ignored"] = score(chosen, uniform, without_bottom)
        rows += [Row(side, key, len(chosen), each, each.gain_over(scores["uniform"])) for key, each in scores.items()]
    return rows


def show(rows: list[Row], cases: BombCases, console: Console) -> None:
    """Prints how often the bomb rule held, and the scores."""
    console.print(f"The bomb rule held in {cases.right:,} of {cases.seen:,} cases on the fitted deals.")
    console.print("Scores on the other deals, per hidden card; lower is better. Log loss and Brier")
    console.print("predict the holder of the card, world predicts the whole hands; gain is in log loss.")
    for side in dict.fromkeys(row.side for row in rows):
        console.print(table_of(side, [row for row in rows if row.side == side]))


def table_of(side: str, rows: list[Row]) -> Table:
    """Makes the table of scores of one side."""
    table = Table(title=f"{side}: {rows[0].views:,} views, {rows[0].score.cards:,} cards")
    for heading in ("model", "log loss", "Brier", "world", "gain"):
        table.add_column(heading, justify="left" if heading == "model" else "right", no_wrap=True)
    for row in rows:
        figures = (row.score.log_loss, row.score.brier, row.score.world_loss)
        gain = "" if row.model == "uniform" else f"{row.gain[0]:+.4f} ± {row.gain[1]:.4f}"
        table.add_row(row.model, *(f"{each:.4f}" for each in figures), gain)
    return table


def remarks(file: str, records: list[GameRecord], rows: list[Row]) -> list[str]:
    """Says in the constants' file where they come from and what they are worth."""
    players = sorted({player or "unknown" for record in records for player in record.names})
    lines = [
        f"Source: {len(records)} recorded games with all hands known, in {file}.",
        f"Players: {', '.join(players)}.",
        f"Command: ``python -m tools lab fit-belief {file}``.",
        "Log loss per hidden card on the 30 % of the deals that were not used, uniform and fitted:",
        "",
    ]
    for side in dict.fromkeys(row.side for row in rows):
        losses = {row.model: row.score.log_loss for row in rows if row.side == side}
        lines.append(f"* {side}: {losses['uniform']:.4f} and {losses['fitted']:.4f}")
    return lines


@click.command(cls=Command)
@click.argument("file", type=EXISTING_FILE)
@click.option(
    "--steps", default=150, show_default=True, type=click.IntRange(1), help="The most steps of the search for factors."
)
@click.option("--out", "output", default=OUTPUT, type=FILE, help="The constants' file.")
def main(file: Path, steps: int, output: Path) -> None:
    """Fit the belief on 70 % of the games of FILE, print its scores on the others, and write the constants."""
    console = Console()
    try:
        records = with_all_hands(records_in(file))
    except RecordError as error:
        raise click.ClickException(str(error)) from None
    fitting = [record for record in records if is_for_fitting(record)]
    others = [record for record in records if not is_for_fitting(record)]
    if not fitting or not others:
        raise click.ClickException(f"{file}: {len(records)} games with all hands known are too few for two parts")
    given = list(track(examples_of(fitting, EVERY), "reading", total=None, console=console, transient=True))
    cases = bomb_cases(given)
    with console.status("fitting"):
        factors = fit(example_arrays(given), steps)
    numbers = numbers_of(cases, factors)
    rows = score_all(list(examples_of(others, EVERY)), numbers, console)
    show(rows, cases, console)
    output.write_text(source_text(numbers, remarks(file.name, records, rows)), "utf-8")
    console.print(f"{len(fitting)} deals fitted, {len(others)} scored; the constants are in {output.name}")
