"""Gauntlets in a document: one player a row, against all of its opponents together and against each."""

from collections.abc import Iterable, Sequence

import numpy as np

from ...arena.reports.columns import interval
from ...arena.reports.results import Results
from ...arena.stats.paired import adp, points_by_deal, scores_by_deal, wp
from .plan import Experiment
from .results import PlayedExperiment


def gauntlet_rows(gauntlets: Sequence[tuple[Experiment, PlayedExperiment | None]], not_played: str) -> list[list[str]]:
    """
    Makes the rows of a table, the head first; a contestant that met other opponents has empty cells.

    :param not_played: what stands where no deal was played against every opponent.
    """
    opponents = list(dict.fromkeys(opponent for experiment, _ in gauntlets for opponent in experiment.contestants[1:]))
    rows = [["player", "limit", "deals", "WP", "ADP", *(f"`{opponent}`" for opponent in opponents), "ms median, 95 %"]]
    for experiment, played in gauntlets:
        start = [f"`{experiment.contestants[0]}`", experiment.limit]
        cells = _cells(played.results, opponents) if played else []
        rows.append([*start, *(cells or [not_played, *[""] * (len(opponents) + 3)])])
    return rows


def _cells(results: Results, opponents: Iterable[str]) -> list[str]:
    """Makes what stands behind a player's name; nothing where no deal was played against every opponent."""
    scores = scores_by_deal(results.rows)
    if not scores:
        return []
    deals = f"{len(scores):,}" if results.finished else f"{len(scores):,} of {results.plan.sets:,}"
    together = [interval(wp(scores), 1, 100), interval(adp(points_by_deal(results.rows)), 2)]
    each = {pairing.b: f"{100 * pairing.summary.wp.value:.1f}" for pairing in results.pairings}
    times = [time for rows in results.rows for row in rows for time in row.ms.get("A", ())]
    spent = ", ".join(f"{np.percentile(times, percent):.0f}" for percent in (50, 95)) if times else ""
    return [deals, *together, *(each.get(opponent, "") for opponent in opponents), spent]
