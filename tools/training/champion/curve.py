"""
Measures what more games bring, network by network: ``python -m tools.training.champion.curve FOLDER``.

Every network that a training kept meets the last one in duplicate sets on ``gate/`` deals.
"""

import tempfile
from pathlib import Path

import click
from matplotlib.figure import Figure

from ...arena.estimates import Estimate
from ...release import weights_file
from ...shared.interrupts import Command
from ...shared.kept.whole_file import put_table, written_whole
from ...shared.terminal import say
from .duel import duel
from .export import packed_net, read_net

Point = tuple[int, Estimate]


@click.command(cls=Command)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--sets", default=1000, show_default=True, help="Duplicate sets of each network.")
@click.option("--every", default=1, show_default=True, help="Take only every N-th network, counted from the last.")
@click.option("--seed", default=1, show_default=True, help="Root of the deals.")
@click.option("--jobs", default=2, show_default=True, help="Processes that play.")
def main(folder: Path, sets: int, every: int, seed: int, jobs: int) -> None:
    """Measure the networks of a training, and write curve.csv and curve.png into FOLDER."""
    snapshots = sorted(folder.glob("net-*.pt"))[::-1][::every][::-1]
    if len(snapshots) < 2:
        raise click.ClickException(f"{folder}: there are not two networks net-*.pt to compare")
    points: list[Point] = []
    with tempfile.TemporaryDirectory() as scratch:
        packed = [_packed(path, Path(scratch)) for path in snapshots]
        *others, (last_games, last, rules) = packed
        for games, path, _ in others:
            points.append((games, duel(path, last, rules, sets, seed, jobs).stats[0].wp()))
    points.append((last_games, Estimate(0.5, 0.5, 0.5)))
    write_csv(folder / "curve.csv", points)
    draw(folder / "curve.png", points)
    say(f"{folder / 'curve.csv'} and curve.png: {len(points)} networks against the one of {last_games:,} games")


def _packed(source: Path, folder: Path) -> tuple[int, Path, str]:
    net, state = read_net(source)
    made = packed_net(net, state, {})
    return state["games"], weights_file.write(folder, "fast", made), state["rules"]


def write_csv(path: Path, points: list[Point]) -> None:
    """Writes games, and WP against the last network with its interval."""
    rows = ((games, *(f"{number:.4f}" for number in wp)) for games, wp in points)
    put_table(path, ("games", "wp", "low", "high"), rows)


def draw(path: Path, points: list[Point]) -> None:
    """Draws WP over games into a .png file."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    millions = [games / 1e6 for games, _ in points]
    values = [100 * wp.value for _, wp in points]
    errors = [[100 * (wp.value - wp.low) for _, wp in points], [100 * (wp.high - wp.value) for _, wp in points]]
    axes.errorbar(millions, values, errors, fmt="o-", capsize=3)
    axes.set(xlabel="games learned from (millions)", ylabel="WP against the last network (%)")
    axes.set(title="The champion's network without search")
    axes.grid(alpha=0.3)
    with written_whole(path) as file:
        figure.savefig(file, format="png", dpi=120)


if __name__ == "__main__":
    main()
