"""A training in a folder: its checkpoint, its log, the rounds that move it on, and what measures it."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import torch

from ddzbot.players.registry import make_player

from ...shared.kept.whole_file import put_table
from ...shared.seeds import GATE, deal_seed
from ..shared.checkpoints import save_in_one_step
from .games import play_games, policy_of
from .learner import Figures, Learner

ROW_GAMES = 1024
"""Games from one row of the log to the next."""


class Row(NamedTuple):
    """One row of log.csv: what happened since the row before. None was not measured then."""

    games: int
    """In all."""
    seconds: float
    """Of a processor, in all; without the measuring."""
    decisions: int
    loss: float | None
    value: float | None
    """The mean size of the values; a game pays 1, so that more than 1 shows that they diverge."""
    largest: float | None
    landlord_wins: float
    """The share in the games against itself."""
    wp_rule: float | None = None
    wp_rhcp: float | None = None


class Training:
    """
    Trains a learner in a folder.

    :raises click.ClickException: if the folder holds another training.
    """

    def __init__(self, folder: Path, learner: Learner, deals: int = 200, every: int = 4) -> None:
        self.folder, self.learner = folder, learner
        self.deals, self.every = deals, every
        """Games of one measurement, and rows of the log from one to the next."""
        self.rounds = self.games = 0
        self.seconds = 0.0
        self.rows: list[Row] = []
        self._since: list[Figures] = []
        if self.checkpoint.exists():
            self._load()

    @property
    def checkpoint(self) -> Path:
        """The file that holds everything."""
        return self.folder / "checkpoint.pt"

    def round(self) -> None:
        """Plays and learns one round, and perhaps measures."""
        figures = self.learner.round(self.rounds, self.games)
        self.rounds += 1
        self.games += figures.games
        self.seconds += figures.seconds
        self._since.append(figures)
        if sum(one.games for one in self._since) >= ROW_GAMES:
            row = row_of(self._since, self.games, self.seconds)
            if (len(self.rows) + 1) % self.every == 0:
                row = row._replace(wp_rule=self.measured("rule"), wp_rhcp=self.measured("rhcp"))
            self.rows.append(row)
            self._since = []

    def measured(self, peasants: str) -> float:
        """Gets the share of games that the landlord wins against two such *peasants*, on deals of ``gate/``."""
        policies = [self.learner.greedy(), *[policy_of(make_player(peasants))] * 2]
        deals = [deal_seed(1, GATE, index) for index in range(self.deals)]
        played = play_games(self.learner.kernel, self.learner.rules, deals, policies)
        return sum(game.winner == 0 for game in played) / len(played)

    def save(self) -> None:
        """Writes checkpoint and log, each in one step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {
            **self._about(),
            "games": self.games,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "rows": [tuple(row) for row in self.rows],
            "since": [tuple(one) for one in self._since],
            "learner": self.learner.state(),
        }
        save_in_one_step(self.checkpoint, state)
        write_log(self.folder / "log.csv", self.rows)

    def _about(self) -> dict[str, Any]:
        learner = self.learner
        return {
            "algorithm": learner.name,
            "architecture": learner.architecture,
            "rules": learner.rules.name,
            "seed": learner.seed,
        }

    def _load(self) -> None:
        state = read_state(self.checkpoint)
        for name, value in self._about().items():
            if state[name] != value:
                raise click.ClickException(
                    f"{self.checkpoint} was begun with {name} {state[name]}, not {value}: give the same, "
                    "or another folder"
                )
        self.games, self.rounds, self.seconds = state["games"], state["rounds"], state["seconds"]
        self.rows = [Row(*row) for row in state["rows"]]
        self._since = [Figures(*one) for one in state["since"]]
        self.learner.load_state(state["learner"])


def read_state(path: Path) -> dict[str, Any]:
    """
    Reads a checkpoint. No code in the file is run.

    :raises click.ClickException: if the file is none.
    """
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
        state["algorithm"], state["architecture"], state["rules"], state["seed"], state["learner"]["net"]
    except Exception:  # torch raises whatever the bytes lead it to
        raise click.ClickException(f"{path} is no checkpoint of a learner: give another folder") from None
    return state


def row_of(since: Sequence[Figures], games: int, seconds: float) -> Row:
    """Sums rounds up."""
    played = sum(one.games for one in since)
    return Row(
        games,
        round(seconds, 1),
        sum(one.decisions for one in since),
        _mean([one.loss for one in since]),
        _mean([one.value for one in since]),
        max((one.largest for one in since if not math.isnan(one.largest)), default=None),
        round(sum(one.landlord_wins for one in since) / played, 4),
    )


def _mean(values: Sequence[float]) -> float | None:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else None


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """Writes the whole log as CSV, in one step."""
    put_table(path, Row._fields, ([_cell(value) for value in row] for row in rows))


def _cell(value: float | None) -> str:
    return "" if value is None else str(value) if isinstance(value, int) else f"{value:.5g}"


def read_log(path: Path) -> list[Row]:
    """
    Reads a log.

    :raises click.ClickException: if the file is none.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return [Row(*(_number(row[name]) for name in Row._fields)) for row in csv.DictReader(file)]  # type: ignore[arg-type]
    except (OSError, KeyError, ValueError, TypeError):
        raise click.ClickException(f"{path} is no log of a learner") from None


def _number(text: str) -> float | None:
    return None if text == "" else int(text) if text.isdigit() else float(text)
