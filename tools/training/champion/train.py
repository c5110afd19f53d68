"""
Trains the champion's network by self-play: ``python -m tools.training.champion.train FOLDER --games 20000000``.

The same command goes on where it was stopped; whatever happens, at most the games since the last checkpoint are lost.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import click
import torch

from ddzbot.kernel import native
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.bid_net import reigning_bid_net
from ddzbot.net.fast_net import ARCHITECTURES, architecture_of
from ddzbot.rules import RuleSet, rule_set

from ...shared.bars import progress_bar
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ...shared.kept.whole_file import put_table
from ..shared.checkpoints import save_in_one_step
from .export import read_net, write_net
from .games import Exploration, Totals, play_units, unit_seed
from .learner import Learner, Schedule

UNITS = 256
"""Units of the first layer, where nobody says how many."""
UNIT_GAMES = 1024
"""Games of one unit of work."""
ROUND_UNITS = 16
"""Units that are played with one state of the network, and learned from after."""
_LOG_FIELDS = (
    "games",
    "seconds",
    "playing",
    "learning",
    "rate",
    "landlord_wins",
    "plies",
    "loss_0",
    "loss_1",
    "loss_2",
)


AIMS = ("win", "score")
"""What can decide a move: the probability of winning, or the expected score."""


def settings_for(aim: str) -> tuple[Exploration, Schedule]:
    """Says how games are played and learned from."""
    if aim == "score":
        # Bombs double again and again: a mean that cuts off what is rare and large would be no mean.
        return Exploration(near=0.3, by_score=True), Schedule(score_share=12.0, score_reach=100.0)
    return Exploration(), Schedule()


class Training:
    """A training in a folder: its checkpoint, its log, and the rounds that move it on."""

    def __init__(
        self,
        folder: Path,
        rules: RuleSet,
        kernel: Kernel,
        seed: int,
        workers: int,
        aim: str = "win",
        bids: KernelBidNet | None = None,
        units: int = UNITS,
    ) -> None:
        self.folder, self.rules, self.kernel, self.seed, self.workers = folder, rules, kernel, seed, workers
        self.aim, self.bids = aim, bids
        self.exploration, self.schedule = settings_for(aim)
        self.learner = Learner(kernel.library, self.schedule, seed, units)
        self.games = 0
        self.rate_games = 0
        """Games that count for the learning rate beside those of this training: its first network's own."""
        self.origin: dict[str, Any] | None = None
        """The rules and games of the network that this training began with; None for one from the beginning."""
        self.seconds = 0.0
        self._rows: list[dict[str, Any]] = []
        if self.checkpoint.exists():
            self._load()

    @property
    def checkpoint(self) -> Path:
        """The file that holds everything."""
        return self.folder / "checkpoint.pt"

    def begin_with(self, source: Path, keep_rate: bool = False) -> None:
        """
        Takes the weights of another training's network, before the first round.

        The learning rate begins anew, or with *keep_rate* goes on from where that training's had come to.

        :raises click.ClickException: if there was one already, or the file has no network.
        """
        if self.games:
            raise click.ClickException(f"{self.checkpoint} has begun already: --begin-with is for a new folder")
        net, state = read_net(source)
        if net.units != self.learner.net.units:
            raise click.ClickException(
                f"{source} has {net.units} units in its first layer: give --units {net.units}, or another network"
            )
        self.rate_games = state["games"] if keep_rate else 0
        self.origin = {"rules": state["rules"], "games": state["games"]}
        self.learner.net.load_state_dict(net.state_dict())
        self.learner.averaged.load_state_dict(net.state_dict())

    def round(self) -> None:
        """Plays a round of games and learns from it."""
        started = time.monotonic()
        first = self.games // UNIT_GAMES
        seeds = [unit_seed(self.seed, first + unit) for unit in range(ROUND_UNITS)]
        net = FastNet(self.kernel, self.learner.net.parameters_for_kernel())
        samples, totals = play_units(net, self.rules, self.exploration, UNIT_GAMES, seeds, self.workers, self.bids)
        played = time.monotonic()
        losses = self.learner.learn(samples, self.rate_games + self.games, self.seed + first)
        ended = time.monotonic()
        self.games += totals.games
        self.seconds += ended - started
        self._rows.append(self._row(totals, played - started, ended - played, losses))

    def _row(self, totals: Totals, playing: float, learning: float, losses: list[float]) -> dict[str, Any]:
        numbers = (
            *(self.games, round(self.seconds, 1), round(playing, 3), round(learning, 3)),
            *(
                f"{self.schedule.rate_after(self.rate_games + self.games):.3g}",
                round(totals.landlord_wins / totals.games, 4),
            ),
            *(round(totals.plies / totals.games, 2), *(round(loss, 5) for loss in losses)),
        )
        return dict(zip(_LOG_FIELDS, numbers, strict=True))

    def save(self) -> None:
        """Writes the checkpoint and then the log; a reader sees either the old or the new one."""
        state = {
            **self._about(),
            "seconds": self.seconds,
            "architecture": architecture_of(self.learner.net.units),
            "rows": self._rows,
            "learner": self.learner.state(),
        }
        save_in_one_step(self.checkpoint, state)
        put_table(self.folder / "log.csv", _LOG_FIELDS, ([row.get(name) for name in _LOG_FIELDS] for row in self._rows))

    def keep_snapshot(self) -> None:
        """Keeps the averaged network of this moment, named by the games in millions."""
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"net-{self.games / 1e6:07.1f}.pt"
        write_net(self.folder / name, self.learner.averaged, self._about())

    def _about(self) -> dict[str, Any]:
        """Says what makes this training again, as far as it has come."""
        return {
            "games": self.games,
            "seed": self.seed,
            "rules": self.rules.name,
            "aim": self.aim,
            "auction": self.bids is not None,
            "origin": self.origin,
            "rate_games": self.rate_games,
        }

    def _load(self) -> None:
        try:
            state = torch.load(self.checkpoint, weights_only=True)
            state["architecture"], state["seed"], state["rules"], state["aim"], state["learner"]
        except Exception:  # torch raises whatever the bytes lead it to
            raise click.ClickException(f"{self.checkpoint} cannot be read: give another folder") from None
        units = ARCHITECTURES.get(state["architecture"])
        if units is None:
            raise click.ClickException(f"{self.checkpoint} has a network of another architecture: give another folder")
        if units != self.learner.net.units:
            raise click.ClickException(
                f"{self.checkpoint} was begun with --units {units}: give the same, or another folder"
            )
        begun = (state["seed"], state["rules"], state["aim"])
        if begun != (self.seed, self.rules.name, self.aim):
            raise click.ClickException(
                f"{self.checkpoint} was begun with --seed {begun[0]} --rules {begun[1]} --aim {begun[2]}: "
                "give the same, or another folder"
            )
        if state.get("auction", False) != (self.bids is not None):
            begun_with = "with" if state.get("auction") else "without"
            raise click.ClickException(f"{self.checkpoint} was begun {begun_with} --auction: give the same")
        self.games, self.seconds, self._rows = state["games"], state["seconds"], state["rows"]
        # States of before there was a choice lack these.
        self.rate_games, self.origin = state.get("rate_games", 0), state.get("origin")
        self.learner.load_state(state["learner"])


def _bid_net(kernel: Kernel, rules: str) -> KernelBidNet:
    """Gets the network for bids that reigns."""
    loaded = reigning_bid_net(kernel, rules)
    if not isinstance(loaded.net, KernelBidNet):
        raise click.ClickException(f"--auction: {loaded.description}")
    return loaded.net


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", default=20_000_000, show_default=True, help="Games to learn from in all.")
@click.option("--rules", "rules_name", default=DEFAULT_RULES, show_default=True, help="Rule set.")
@click.option(
    "--aim", type=click.Choice(AIMS), default="win", show_default=True, help="What decides a move in the games."
)
@click.option(
    "--begin-with",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A network of another training to begin a new one with: a snapshot or a checkpoint.",
)
@click.option("--keep-rate", is_flag=True, help="With --begin-with: go on with that network's learning rate.")
@click.option("--auction", is_flag=True, help="Begin games with an auction by the reigning network for bids.")
@click.option(
    "--units",
    type=click.Choice([str(units) for units in ARCHITECTURES.values()]),
    default=str(UNITS),
    show_default=True,
    help="Units of the first layer.",
)
@click.option("--seed", default=1, show_default=True, help="Root of all randomness.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, help="Threads; they change no result.")
@click.option("--checkpoint", "interval", default=60.0, show_default=True, help="Seconds between two checkpoints.")
@click.option("--snapshot", default=1_000_000, show_default=True, help="Games between two networks that are kept.")
def main(
    folder: Path,
    games: int,
    rules_name: str,
    aim: str,
    begin_with: Path | None,
    keep_rate: bool,
    auction: bool,
    units: str,
    seed: int,
    workers: int,
    interval: float,
    snapshot: int,
) -> None:
    """Train the champion's network in FOLDER, or go on with it."""
    kernel = native()
    if kernel is None:
        raise click.ClickException("Self-play needs the kernel: run make kernel.")
    bids = _bid_net(kernel, rules_name) if auction else None
    training = Training(folder, rule_set(rules_name), kernel, seed, workers, aim, bids, int(units))
    if begin_with:
        training.begin_with(begin_with, keep_rate)
    elif keep_rate:
        raise click.UsageError("--keep-rate goes with --begin-with")
    with stop_on_signals() as stopped, progress_bar() as progress:
        bar = progress.add_task("games", total=games, completed=training.games)
        saved = time.monotonic()
        while training.games < games and not stopped():
            before = training.games
            training.round()
            progress.update(bar, completed=training.games)
            if training.games // snapshot > before // snapshot:
                training.keep_snapshot()
            if time.monotonic() - saved > interval:
                training.save()
                saved = time.monotonic()
        training.save()
    if stopped():
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
