"""All players in one figure: the ladder of Elo with its intervals, the WP of every pair, and WP against time."""

from pathlib import Path
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox, BboxBase

from .standings import Standings

_DPI = 100
_LIGHT = 25.0
"""How far a WP is from 50 where white letters are easier to read than black ones."""
_TIMES_SIZE = 3.4
_Spot = tuple[Literal["left", "right"], tuple[int, int]]
_SPOTS: tuple[_Spot, ...] = (("left", (5, 3)), ("right", (-5, 3)), ("left", (5, -9)), ("right", (-5, -9)))
"""Where a name may stand beside its point: the side that touches it, and points to the right and up; best first."""
_LEAST_MS = 0.01
"""A faster player is drawn here."""


def draw(standings: Standings, picture: Path) -> int:
    """
    Draws the players that have games, the best at the top, into a .png or .svg file; returns how many they are.

    The same results make the same file. Without any games nothing is drawn.
    """
    names = [player.name for player in standings.players if player.elo is not None]
    if not names:
        return 0
    size = 1.6 + 0.36 * len(names)
    figure = Figure(figsize=(5.2 + 0.5 * len(names), size + _TIMES_SIZE), layout="constrained")
    ratios = [3.0, 1.2 + 0.5 * len(names)]
    grid = figure.add_gridspec(2, 2, width_ratios=ratios, height_ratios=[size, _TIMES_SIZE])
    _draw_ladder(figure.add_subplot(grid[0, 0]), standings)
    _draw_heat(figure.add_subplot(grid[0, 1]), standings, names)
    _draw_times(figure.add_subplot(grid[1, :]), standings)
    # No date, no version and no random names inside.
    metadata = {"Date": None} if picture.suffix == ".svg" else {"Software": None}
    fresh = picture.with_name(picture.name + ".part")
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "ddzbot"}):
        figure.savefig(fresh, format=picture.suffix.lstrip(".") or "png", dpi=_DPI, metadata=metadata)
    fresh.replace(picture)
    return len(names)


def _draw_ladder(axes: Axes, standings: Standings) -> None:
    rated = [(player.name, player.elo) for player in standings.players if player.elo is not None]
    values = [elo.value for _, elo in rated]
    ends = [[elo.value - elo.low for _, elo in rated], [elo.high - elo.value for _, elo in rated]]
    places = range(len(rated))
    axes.errorbar(values, places, xerr=ends, fmt="o", color="#2a7f9e", ms=4, capsize=2)
    axes.set_yticks(places, [f"{name}  {rank}" for rank, (name, _) in enumerate(rated, 1)], fontsize=8)
    axes.set_ylim(len(rated) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("Elo, mean 0 (95 % interval)", fontsize=8)


def _draw_heat(axes: Axes, standings: Standings, names: list[str]) -> None:
    meetings = [[standings.meetings.get((row, column)) for column in names] for row in names]
    wp = [[100 * meeting.wp.value if meeting and meeting.sets else float("nan") for meeting in row] for row in meetings]
    axes.imshow(wp, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, values in enumerate(wp):
        for column, share in enumerate(values):
            if share == share:
                colour = "white" if abs(share - 50) > _LIGHT else "black"
                axes.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=8, color=colour)
    ranks = [str(rank) for rank in range(1, len(names) + 1)]
    axes.set_xticks(range(len(names)), ranks, fontsize=8)
    axes.set_yticks(range(len(names)), ranks, fontsize=8)
    axes.set_xlabel("WP of the row against the column, %", fontsize=8)


def _draw_times(axes: Axes, standings: Standings) -> None:
    """
    Draws WP against all others by the time that 95 % of a player's decisions stay below.

    The median hardly distinguishes one limit from another: most decisions are settled long before any. A line joins a
    player's limits, such as those of champion@0.2s and champion@2s.
    """
    curves: dict[str, dict[str, tuple[float, float, float, float]]] = {}
    for player in standings.players:
        if player.elo is None or player.milliseconds is None:
            continue
        wp, low, high = (100 * share for share in player.wp)
        curve = curves.setdefault(player.name.rpartition("@")[0] or player.name, {})
        curve[player.name] = (max(player.milliseconds[1], _LEAST_MS), wp, low, high)
    texts = []
    for index, curve in enumerate(curves.values()):
        colour = f"C{index % 10}"
        times, values, lows, highs = zip(*sorted(curve.values()), strict=True)
        ends = [np.subtract(values, lows), np.subtract(highs, values)]
        axes.errorbar(times, values, yerr=ends, fmt="o-", ms=4, capsize=2, lw=1, color=colour)
        texts += [
            axes.annotate(name, (time, wp), (0, 0), textcoords="offset points", fontsize=7, color=colour)
            for name, (time, wp, _, _) in curve.items()
        ]
    axes.set_xscale("log")
    axes.margins(x=0.12)
    axes.grid(alpha=0.3)
    axes.tick_params(labelsize=8)
    axes.set_xlabel("time that 95 % of decisions stay below, ms", fontsize=8)
    axes.set_ylabel("WP against all others, %", fontsize=8)
    _place_names(axes, texts)


def _place_names(axes: Axes, labels: list[Annotation]) -> None:
    """Puts each name beside its point."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    for label in labels:
        label.set_in_layout(False)
    figure.draw_without_rendering()  # Nothing has its place before.
    points = axes.transData.transform([label.xy for label in labels])
    taken = [Bbox.from_bounds(x - 3, y - 3, 6, 6) for x, y in points]
    for label in labels:
        taken.append(_place(label, axes.bbox, taken))


def _place(text: Annotation, inside: BboxBase, taken: list[Bbox]) -> Bbox:
    """Puts a name where it hides the fewest names and points; returns its place."""
    places = {spot: _move(text, spot) for spot in _SPOTS}

    def harm(spot: _Spot) -> tuple[bool, int]:
        box = places[spot]
        return not (inside.x0 <= box.x0 and box.x1 <= inside.x1), box.count_overlaps(taken)

    return _move(text, min(_SPOTS, key=harm))


def _move(text: Annotation, spot: _Spot) -> Bbox:
    side, text.xyann = spot
    text.set_horizontalalignment(side)
    return Bbox(text.get_window_extent().get_points())
