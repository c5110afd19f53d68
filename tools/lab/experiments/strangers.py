"""Gauntlets against bots of other people in a document: one of these a row, and a column for each player of ours."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arena.reports.columns import interval
from ...arena.reports.results import Pairing
from ...shared.foreign_bots import PREFIX
from .plan import Experiment
from .results import PlayedExperiment

_COLOURS = ("#2a7f9e", "#c8791b", "#7a5195", "#333333", "#5b8c3a")


class _Met(NamedTuple):
    """The result of one of our players against one bot."""

    player: str
    bot: str
    sets: int
    """The number of sets in the plan."""
    pairing: Pairing


def are_strangers(gauntlets: Iterable[Experiment]) -> bool:
    """Tells if every opponent is a bot of other people."""
    return all(opponent.startswith(PREFIX) for experiment in gauntlets for opponent in experiment.contestants[1:])


def stranger_rows(gauntlets: Sequence[tuple[Experiment, PlayedExperiment | None]], not_played: str) -> list[list[str]]:
    """Makes the rows of a table, the head first; WP is that of ours."""
    players = list(dict.fromkeys(experiment.contestants[0] for experiment, _ in gauntlets))
    bots = dict.fromkeys(bot for experiment, _ in gauntlets for bot in experiment.contestants[1:])
    heads = [f"WP of `{player}`" for player in players]
    rows = [["bot", "sets", *heads, "games at fault: theirs, ours", "ms of theirs: median, 95 %"]]
    met = _met(gauntlets)
    for bot in bots:
        own = {meeting.player: meeting for meeting in met if meeting.bot == bot}
        each = [interval(own[player].pairing.summary.wp, 1, 100) if player in own else not_played for player in players]
        rows.append([f"`{bot}`", _sets(own.values()), *each, _at_fault(own.values()), _times(own.values())])
    return rows


def _met(gauntlets: Iterable[tuple[Experiment, PlayedExperiment | None]]) -> list[_Met]:
    return [
        _Met(pairing.a, pairing.b, experiment.sets, pairing)
        for experiment, played in gauntlets
        if played
        for pairing in played.results.pairings
        if pairing.rows
    ]


def _sets(met: Iterable[_Met]) -> str:
    """Writes how many sets each pair has: ``200``, or ``40 to 200 of 200`` before all are played."""
    played = [meeting.pairing.summary.sets for meeting in met]
    if not played:
        return ""
    planned, fewest, most = max(meeting.sets for meeting in met), min(played), max(played)
    if fewest == planned:
        return f"{planned:,}"
    return f"{fewest:,} of {planned:,}" if fewest == most else f"{fewest:,} to {most:,} of {planned:,}"


def _at_fault(met: Iterable[_Met]) -> str:
    rows = [row for meeting in met for row in meeting.pairing.rows]
    theirs, ours = (sum(fault.by == letter for row in rows for fault in row.faults) for letter in "BA")
    return f"{theirs:,}, {ours:,} of {sum(len(row.games) for row in rows):,}" if rows else ""


def _times(met: Iterable[_Met]) -> str:
    times = [time for meeting in met for row in meeting.pairing.rows for time in row.ms.get("B", ())]
    return ", ".join(f"{np.percentile(times, percent):.0f}" for percent in (50, 95)) if times else ""


def draw_strangers(gauntlets: Sequence[tuple[Experiment, PlayedExperiment | None]], picture: Path) -> int:
    """Draws the WP of each of our players against each bot, with its interval; returns how many pairs there are."""
    met = _met(gauntlets)
    if not met:
        return 0
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    players, bots = (list(dict.fromkeys(getattr(meeting, field) for meeting in met)) for field in ("player", "bot"))
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.6 * len(bots)), layout="constrained")
    for index, (player, colour) in enumerate(zip(players, _COLOURS, strict=False)):
        own = [meeting for meeting in met if meeting.player == player]
        heights = [bots.index(meeting.bot) + 0.18 * (index - (len(players) - 1) / 2) for meeting in own]
        points = [[100 * share for share in meeting.pairing.summary.wp] for meeting in own]
        ends = [[wp - low for wp, low, _ in points], [high - wp for wp, _, high in points]]
        axes.errorbar([wp for wp, *_ in points], heights, xerr=ends, fmt="o", color=colour, label=player, ms=4)
    axes.set_yticks(range(len(bots)), bots)
    axes.axvline(50, color="grey", linewidth=0.8)
    axes.set(xlabel="WP of ours, % (95 % interval over sets)", xlim=(0, 101), ylim=(len(bots) - 0.5, -0.5))
    figure.legend(loc="outside upper center", ncols=len(players), fontsize=8)
    # No date and no version inside: the same results make the same file.
    figure.savefig(picture, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    return len(met)
