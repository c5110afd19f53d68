"""Gauntlets in a document: one player a row, against all of its opponents together and against each."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..arena.paired import adp, points_by_deal, scores_by_deal, wp
from ..tournament.text import interval
from .played import Played

__all__ = ["gauntlet_rows"]


def gauntlet_rows(played: Sequence[Played], not_played: str) -> list[list[str]]:
    """
    Makes the rows of a table, the head first; whoever met others than the rest has empty cells.

    :param not_played: what stands where no deal was played against every opponent.
    """
    opponents = list(dict.fromkeys(one for experiment, _ in played for one in experiment.contestants[1:]))
    rows = [["player", "limit", "deals", "WP", "ADP", *(f"`{one}`" for one in opponents), "ms median, 95 %"]]
    for experiment, results in played:
        start = [f"`{experiment.contestants[0]}`", experiment.options["limit"]]
        cells = _cells(results, opponents) if results else []
        rows.append([*start, *(cells or [not_played, *[""] * (len(opponents) + 3)])])
    return rows


def _cells(results: dict[str, Any], opponents: Iterable[str]) -> list[str]:
    """Makes what stands behind a player's name; nothing where no deal was played against every opponent."""
    pairings = [one["rows"] for one in results["pairings"]]
    scores = scores_by_deal(pairings)
    if not scores:
        return []
    deals = f"{len(scores):,}" if results["finished"] else f"{len(scores):,} of {results['sets']:,}"
    together = [interval(wp(scores), 1, 100), interval(adp(points_by_deal(pairings)), 2)]
    each = {name: f"{one['summary']['wp']:.1f}" for name, one in zip(_met(results), results["pairings"], strict=True)}
    times = [time for rows in pairings for row in rows for time in row["ms"]["A"]]
    spent = ", ".join(f"{np.percentile(times, at):.0f}" for at in (50, 95)) if times else ""
    return [deals, *together, *(each.get(one, "") for one in opponents), spent]


def _met(results: dict[str, Any]) -> list[str]:
    return [one["name"] for one in results["contestants"][1:]]
