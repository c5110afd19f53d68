"""The commands of DeepRocket's networks."""

from pathlib import Path
from typing import Any

import click
import torch
from rich.table import Table

from ...cluster.needs import needs_of
from ...shared.contestants import parse_contestant
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.options import EXISTING_FOLDER, FILE
from ...shared.terminal import Console
from ..checkpoints import CHECKPOINT, read_checkpoint, weights_hash
from ..kernel import needed_kernel
from ..learning import records_options, settings_of, shards_argument
from ..loop import Marks, Training, loop_options, run
from ..making import Work, making_options
from ..making import make as make_shards
from ..selfplay import selfplay_options
from .dataset import Choices, load_samples
from .hands import Hands, hands_of
from .learner import USUAL, RocketLearner
from .models import BIDDER, NETWORKS
from .plan import TeacherSelfPlay
from .scores import answers_of, scored
from .shards import play_shard

TABLES = ("policy", "kicker")
"""The networks that learn from shards; the bidder learns from deals."""
console = Console(stderr=True)


@click.command(cls=Command, context_settings={"show_default": True})
@making_options
@selfplay_options(explore=0.1, shard=250)
@click.option("--teacher", default="champion", help="The player of the games: the champion, with any of its options.")
@click.option(
    "--simulations",
    "playouts",
    type=click.IntRange(0),
    default=20,
    help="Simulations of a decision; 0: its network alone.",
)
def make(folder: Path, games: int, shard: int, **options: Any) -> None:
    """
    Let the champion play against itself, and write what it chose into shards in FOLDER.

    The same command resumes where an earlier one was stopped, in whatever way; more --count adds to what is there.
    """
    names = ("rules", "seed", "teacher", "playouts", "explore")
    plan = TeacherSelfPlay(games=shard, **{option: options.pop(option) for option in names})
    make_shards(
        folder, Work(plan, play_shard), games, needs=lambda: needs_of([parse_contestant(plan.teacher)]), **options
    )


@click.command(cls=Command, context_settings={"show_default": True})
@loop_options
@shards_argument
@click.option("--network", type=click.Choice(list(NETWORKS)), default="policy", help="Which network learns.")
@click.option("--test", type=click.IntRange(1), default=20_000, help="Records of the test after each epoch, at most.")
@records_options
def learn(
    folder: Path,
    folders: tuple[Path, ...],
    network: str,
    test: int,
    records: int | None,
    log_every: int,
    checkpoint: float,
    quiet: bool,
    **given: Any,
) -> None:
    """
    Train a network on SHARDS, 90 % of the games, in FOLDER/NETWORK, or resume it; the log has the loss on others.

    The bidder learns from one folder of deals that `make auction` has played, instead of shards.
    """
    how = settings_of(USUAL[network], **given)
    try:
        with console.status("reading"):
            samples = _samples(folders, network)
        console.print(samples.summary())
        samples.keep(records, test)
        learner = RocketLearner(network, samples, how, log_every)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    run(Training(folder / network, learner), Marks(learner.batches), Marks(), checkpoint, quiet)


def _samples(folders: tuple[Path, ...], network: str) -> Choices | Hands:
    if network != BIDDER:
        choices: Choices = getattr(load_samples(folders), network)
        return choices
    if len(folders) > 1:
        raise ValueError(f"the bidder learns from one folder of deals, not from {len(folders)}")
    return hands_of(needed_kernel(), folders[0])


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("folder", type=EXISTING_FOLDER)
@shards_argument
@click.option("--auction-deals", "deals", type=EXISTING_FOLDER, help="Deals to score the bidder on too.")
@click.option("--first", "most", type=click.IntRange(1), help="Take only the first so many test records.")
@click.option("--batch", type=click.IntRange(1), default=512, help="Records at once.")
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads of torch.")
@click.option("--out", "file", type=FILE, help="Write the numbers here too.")
def score(
    folder: Path,
    folders: tuple[Path, ...],
    deals: Path | None,
    most: int | None,
    batch: int,
    threads: int,
    file: Path | None,
) -> None:
    """Score the networks in FOLDER on the test games of SHARDS, and the bidder on the test deals of --deals."""
    torch.set_num_threads(threads)
    scores: dict[str, Any] = {}
    try:
        samples = load_samples(folders)
        for network in TABLES:
            model, source = _model(folder, network)
            scores[network] = {**source, **scored(model, getattr(samples, network), most, batch)._asdict()}
        # Where one main move is legal, or one goes out, or one kicker can be played, the player is right without them.
        for network, settled in (("policy", samples.settled), ("kicker", samples.forced)):
            asked = len(getattr(samples, network).test)
            accuracy = scores[network]["accuracy"]
            scores[network]["accuracy_of_all"] = accuracy + settled / (asked + settled) * (1 - accuracy)
        if deals:
            model, source = _model(folder, BIDDER)
            scores[BIDDER] = {**source, **answers_of(model, hands_of(needed_kernel(), deals), batch)._asdict()}
    except (ValueError, RuntimeError, OSError) as error:
        raise click.UsageError(str(error)) from None
    _show(scores, Console())
    if file:
        file.write_text(json_text(scores) + "\n", encoding="utf-8")


def _model(folder: Path, network: str) -> tuple[torch.nn.Module, dict[str, Any]]:
    """Reads a network that was trained into *folder*, and what its scores say of it."""
    state = read_checkpoint(folder / network / CHECKPOINT)
    model = NETWORKS[network]()
    model.load_state_dict(state["learner"]["net"])
    return model, {"weights": weights_hash(model), "learned_from": state["records"]}


def _show(scores: dict[str, Any], console: Console) -> None:
    table = Table(title="The likeliest answer and what the teacher chose, or what came true")
    for heading in ("network", "records", "accuracy %", "by chance %", "in the first three %", "loss"):
        table.add_column(heading, justify="left" if heading == "network" else "right")
    for network in TABLES:
        figures = scores[network]
        shares = (f"{100 * figures[figure]:.2f}" for figure in ("accuracy", "by_chance", "first_three"))
        table.add_row(network, f"{figures['records']:,}", *shares, f"{figures['loss']:.4f}")
    if BIDDER in scores:
        figures = scores[BIDDER]
        shares = (f"{100 * figures[figure]:.2f}" for figure in ("accuracy", "by_majority"))
        table.add_row(BIDDER, f"{figures['hands']:,}", *shares, "", f"{figures['loss']:.4f}")
    console.print(table)
    for network, records in (("policy", "settled decisions"), ("kicker", "forced kickers")):
        console.print(f"{network} with the {records}: {100 * scores[network]['accuracy_of_all']:.2f} %")
