"""The commands of the network MCM."""

import os
from pathlib import Path
from typing import Any

import click
import torch
from rich.table import Table

from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.options import EXISTING_FOLDER, FILE
from ...shared.terminal import Console
from ..checkpoints import CHECKPOINT, read_checkpoint, weights_hash
from ..learning import records_options, settings_of, shards_argument
from ..loop import Marks, Training, loop_options, run
from ..making import Work, making_options
from ..making import make as make_shards
from ..selfplay import selfplay_options
from ..shards import Array
from .dataset import McmSamples, load_samples, of_side
from .learner import USUAL, McmLearner, values
from .model import McmModel
from .plan import DEFAULT, THESIS, SearchSelfPlay
from .scores import Choices, by_hand_sizes, by_mean, choices, loss, noise
from .shards import play_shard

console = Console(stderr=True)


@click.command(cls=Command, context_settings={"show_default": True})
@making_options
@selfplay_options(explore=0.15, shard=50)
@click.option(
    "--setting",
    type=click.Choice([DEFAULT, THESIS]),
    default=DEFAULT,
    metavar="SETTING",
    help="How mctshs plays: default or thesis.",
)
@click.option(
    "--simulations", "playouts", type=click.IntRange(1), default=2000, help="Simulations of a decision, at least."
)
@click.option("--visits", type=click.IntRange(1), default=100, help="Simulations of each candidate, at least.")
def make(folder: Path, games: int, shard: int, **options: Any) -> None:
    """
    Let the search play against itself, and write (view, move, payoff) records into shards in FOLDER.

    The same command resumes where an earlier one was stopped, in whatever way, on this machine or with --cluster;
    more --count adds to what is there.
    """
    names = ("rules", "seed", "setting", "playouts", "visits", "explore")
    plan = SearchSelfPlay(games=shard, **{option: options.pop(option) for option in names})
    make_shards(folder, Work(plan, play_shard), games, **options)
    with console.status("counting duplicates"):
        samples = load_samples([folder])
    console.print(samples.summary())


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@shards_argument
@records_options
def learn(
    folder: Path,
    folders: tuple[Path, ...],
    records: int | None,
    log_every: int,
    checkpoint: float,
    quiet: bool,
    **given: Any,
) -> None:
    """Train on SHARDS, 90 % of the games, in FOLDER, or resume it; the log has the loss on the others."""
    how = settings_of(USUAL, **given)
    try:
        with console.status("reading shards"):
            samples = load_samples(folders)
        console.print(samples.summary())
        samples.keep(records)
        learner = McmLearner(samples, how, log_every)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    run(Training(folder, learner), Marks(learner.batches), Marks(), checkpoint, quiet)


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("folder", type=EXISTING_FOLDER)
@shards_argument
@click.option("--batch", type=click.IntRange(1), default=1024, help="Records at once.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="Where to compute.")
@click.option("--threads", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads of torch.")
@click.option("--out", "file", type=FILE, help="Write the numbers here too.")
def score(folder: Path, folders: tuple[Path, ...], batch: int, device: str, threads: int, file: Path | None) -> None:
    """
    Score the network in FOLDER on the test games of SHARDS: loss beside baselines, and agreement.

    The baselines learn from the training games of the same shards.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise click.UsageError("device cuda: torch finds no such device here")
    torch.set_num_threads(threads)
    output = Console()
    state = read_checkpoint(folder / CHECKPOINT)
    try:
        model = McmModel()
        model.load_state_dict(state["learner"]["net"])
        with output.status("reading shards"):
            samples = load_samples(folders)
        if not len(samples.test) or not len(samples.training):
            raise ValueError(f"{', '.join(map(str, folders))}: too few games for a test; {samples.summary()}")
    except (KeyError, ValueError, RuntimeError, OSError) as error:
        raise click.UsageError(str(error)) from None
    with output.status("valuing"):
        payoffs = values(model.to(device), samples, samples.test, batch, torch.device(device))
    about = {key: setting for key, setting in state.items() if key not in ("learner", "rows")}
    scores = {"weights": weights_hash(model), "about": about, **scores_of(payoffs, samples)}
    output.print(samples.summary())
    show(scores, output)
    if file:
        file.write_text(json_text(scores) + "\n", encoding="utf-8")


def scores_of(payoffs: Array, samples: McmSamples) -> dict[str, Any]:
    """Scores predictions of all test records, on all of them and by side."""
    baselines = {"mean": by_mean(samples, samples.test), "side and hand sizes": by_hand_sizes(samples, samples.test)}
    ways = {"network": payoffs, **baselines}
    sides = {
        "all": samples.test,
        "landlord": of_side(samples, samples.test, landlord=True),
        "peasants": of_side(samples, samples.test, landlord=False),
    }
    by_side = {}
    for side, numbers in sides.items():
        places = _places(numbers, samples.test)
        by_side[side] = {
            "records": len(numbers),
            "loss": {way: loss(guesses[places], samples, numbers) for way, guesses in ways.items()},
            "noise": noise(samples, numbers),
            "choices": choices(payoffs[places], samples, numbers)._asdict(),
        }
    return {"sides": by_side}


def _places(some: Array, numbers: Array) -> Array:
    places: Array = numbers.searchsorted(some)
    return places


def show(scores: dict[str, Any], console: Console) -> None:
    """Prints both tables."""
    losses = Table(title="Mean L1 loss on the test games, in points")
    agreements = Table(title="The highest prediction and the search's choice")
    for heading in ("side", "records", "network", "mean", "side and hand sizes", "noise of the payoffs"):
        losses.add_column(heading, justify="left" if heading == "side" else "right")
    for heading in ("side", "decisions", "agree %", "by chance %", "points lost", "lost by chance"):
        agreements.add_column(heading, justify="left" if heading == "side" else "right")
    for side, scored in scores["sides"].items():
        figures = (*scored["loss"].values(), scored["noise"])
        losses.add_row(side, f"{scored['records']:,}", *(f"{figure:.4f}" for figure in figures))
        chosen = Choices(**scored["choices"])
        shares = (f"{100 * share:.1f}" for share in (chosen.agreement, chosen.by_chance))
        points = (f"{each:.3f}" for each in (chosen.lost, chosen.lost_by_chance))
        agreements.add_row(side, f"{chosen.decisions:,}", *shares, *points)
    console.print(losses)
    console.print(agreements)
