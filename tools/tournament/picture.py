"""A tournament as one figure: the ladder of Elo with its intervals, and beside it the WP of every pair."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .standings import Standings

__all__ = ["draw"]

_DPI = 100
_LIGHT = 25.0
"""How far a WP is from 50 where white letters are easier to read than black ones."""


def draw(standings: Standings, picture: Path) -> int:
    """
    Draws who has played, the best at the top, into a .png or .svg file; returns how many they are.

    The same results make the same file. Nothing is drawn where nobody has played.
    """
    names = [one.player for one in standings.players if one.elo is not None]
    if not names:
        return 0
    size = 1.6 + 0.36 * len(names)
    figure = Figure(figsize=(5.2 + 0.5 * len(names), size), layout="constrained")
    ladder, heat = figure.subplots(1, 2, width_ratios=[3.0, 1.2 + 0.5 * len(names)])
    _draw_ladder(ladder, standings)
    _draw_heat(heat, standings, names)
    # No date, no version and no random names inside.
    metadata = {"Date": None} if picture.suffix == ".svg" else {"Software": None}
    fresh = picture.with_name(picture.name + ".part")
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "ddzbot"}):
        figure.savefig(fresh, format=picture.suffix.lstrip(".") or "png", dpi=_DPI, metadata=metadata)
    fresh.replace(picture)
    return len(names)


def _draw_ladder(axes: Axes, standings: Standings) -> None:
    rated = [(one.player, one.elo) for one in standings.players if one.elo is not None]
    values = [elo.value for _, elo in rated]
    ends = [[elo.value - elo.low for _, elo in rated], [elo.high - elo.value for _, elo in rated]]
    places = range(len(rated))
    axes.errorbar(values, places, xerr=ends, fmt="o", color="#2a7f9e", ms=4, capsize=2)
    axes.set_yticks(places, [f"{name}  {at}" for at, (name, _) in enumerate(rated, 1)], fontsize=8)
    axes.set_ylim(len(rated) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("Elo, mean 0 (95 % interval)", fontsize=8)


def _draw_heat(axes: Axes, standings: Standings, names: list[str]) -> None:
    meetings = [[standings.meetings.get((row, column)) for column in names] for row in names]
    wp = [[100 * one.wp.value if one and one.sets else float("nan") for one in row] for row in meetings]
    axes.imshow(wp, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, values in enumerate(wp):
        for column, value in enumerate(values):
            if value == value:
                colour = "white" if abs(value - 50) > _LIGHT else "black"
                axes.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=8, color=colour)
    ranks = [str(rank) for rank in range(1, len(names) + 1)]
    axes.set_xticks(range(len(names)), ranks, fontsize=8)
    axes.set_yticks(range(len(names)), ranks, fontsize=8)
    axes.set_xlabel("WP of the row against the column, %", fontsize=8)
