"""
Prints the thesis' tables of three programs beside the same tables of ours: ``python -m tools.thesis.tables [PLAN...]``.

    python -m tools.thesis.tables
    python -m tools.thesis.tables results/mcm/plan.toml

Reads what ``tools.experiments`` kept, and plays nothing. The ``[[seats]]`` of a plan that have published figures make a
table for each number of games and limit: who sat where and how often each went out first, ours above the published row.
The side that won is the landlord's, or the one that was published.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import click
from rich.table import Table

from ddzbot.game import SEAT_NAMES, SEATS

from ..experiments.kept import KeptError, unpack
from ..experiments.plan import Experiment, PlanError, read_plan
from ..experiments.played import DocumentError, winners_of
from ..experiments.render import NOT_PLAYED, published, who_sat_elsewhere, won_by
from ..shared.interrupts import Command
from ..shared.place import ROOT
from ..shared.terminal import Console

RESULTS = ROOT / "results"
PLANS = (RESULTS / "mcm" / "plan.toml", RESULTS / "thesis" / "plan.toml")


def tables_of(experiments: Iterable[Experiment], results: Path) -> list[Table]:
    """
    Makes a table of each run of experiments with as many games, of those with published figures.

    :raises DocumentError: for a results file of something else.
    """
    chosen = [one for one in experiments if one.kind == "seats" and one.published]
    return [_table(list(rows), results) for _, rows in groupby(chosen, key=_what_a_table_shares)]


def _what_a_table_shares(experiment: Experiment) -> tuple[str, ...]:
    return (
        *(str(experiment.options[name]) for name in ("games", "rules", "namespace", "seed", "limit")),
        experiment.budget,
    )


def _table(experiments: Sequence[Experiment], results: Path) -> Table:
    games, rules, namespace, seed, limit, budget = _what_a_table_shares(experiments[0])
    # Every row has the deals from the first one on: rows with as many games have the same deals.
    deals = f"{games} games on the same deals {namespace}/{seed}"
    title = f"Who went out first, % of {deals},\nrules {rules}, {budget or limit}"
    table = Table(title=title, caption=who_sat_elsewhere(experiments), caption_justify="left", title_justify="left")
    table.add_column("", no_wrap=True)
    for name in SEAT_NAMES:
        table.add_column(name, overflow="fold")
    table.add_column("side won %", no_wrap=True)
    for experiment in experiments:
        table.add_row("ours", *_ours(experiment, results))
        table.add_row("published", *_published(experiment), end_section=True)
    return table


def _ours(experiment: Experiment, results: Path) -> list[str]:
    winners = winners_of(experiment, results)
    if winners is None:
        return [*experiment.contestants, NOT_PLAYED]
    out = Counter(winners)
    shares = (f"{100 * out[seat] / len(winners):.1f}" for seat in range(SEATS))
    seats = [" ".join(pair) for pair in zip(experiment.contestants, shares, strict=True)]
    side = "peasants" if experiment.published.startswith("peasants") else "landlord"
    won = len(winners) - out[0] if side == "peasants" else out[0]
    played = "" if len(winners) == experiment.options["games"] else f"\nafter {len(winners)} games"
    return [*seats, f"{side} {won_by(won, len(winners))}{played}"]


def _published(experiment: Experiment) -> list[str]:
    by_seat = published(experiment).split(" / ")
    if len(by_seat) == SEATS and ":" not in by_seat[-1]:
        return [*by_seat, ""]
    return [*(experiment.seated or ("", "", "")), experiment.published]


@click.command(cls=Command)
@click.argument("plans", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(plans: tuple[Path, ...]) -> None:
    """Print the tables of PLANS that have published figures; without any, those of MCM and of the rule player."""
    console = Console(highlight=False)
    try:
        for plan in plans or PLANS:
            experiments = read_plan(plan)
            for experiment in experiments:
                unpack(experiment.file(plan.parent))
            found = tables_of(experiments, plan.parent)
            if not found:
                raise PlanError(f"{plan}: no [[seats]] of it have published figures")
            for table in found:
                console.print(table, "")
    except (PlanError, DocumentError, KeptError) as error:
        raise click.UsageError(str(error)) from None


if __name__ == "__main__":
    main()
