"""The plan of games for training samples: all that a shard depends on."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeVar

import click

from ddzbot import __version__
from ddzbot.rules import rule_set

from ..shared.default_rules import DEFAULT_RULES
from ..shared.options import RULES, FiniteRange
from ..shared.seeds import TRAIN, deal_seed

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class SelfPlay(ABC):
    """Games of a player against itself."""

    rules: str = DEFAULT_RULES
    seed: int = 1
    """The root from which every deal and every choice follows."""
    playouts: int = 1
    """Of a decision."""
    explore: float = 0.0
    """The share of the decisions in which another move may be played than the best."""
    games: int = 1
    """Games in a shard."""

    file_format: ClassVar[str]
    features: ClassVar[str]
    least_playouts: ClassVar[int]

    def deal_seed(self, index: int) -> str:
        """Names the deal of a game: ``train/1/000123``."""
        return deal_seed(self.seed, TRAIN, index)

    def check(self) -> None:
        """
        Refuses what cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        rule_set(self.rules)
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore {self.explore} must be a share, from 0 to 1")
        for setting, least in (("seed", 0), ("playouts", self.least_playouts), ("games", 1)):
            if getattr(self, setting) < least:
                raise ValueError(f"{setting} {getattr(self, setting)} must be at least {least}")

    def about(self) -> dict[str, Any]:
        """Gets the head of every shard: two shards with the same head and the same games are the same."""
        fields = {**asdict(self), **self.signature()}
        kind = {"format": self.file_format, "features": self.features}
        return {**kind, **fields, "namespace": TRAIN, "version": __version__}

    @abstractmethod
    def signature(self) -> dict[str, str]:
        """Hashes what the player does once, under a name, so that records of another are not taken for the same."""


def selfplay_options(explore: float, shard: int) -> Callable[[_Command], _Command]:
    """Gives a command ``games`` in all, and what any :class:`SelfPlay` has; *explore* and *shard* are usual ones."""

    options = {
        ("--count", "games"): (click.IntRange(1), 1000, "Games in all, rounded up to whole shards."),
        ("--rules",): (RULES, DEFAULT_RULES, "Rule set of all games."),
        ("--explore",): (FiniteRange(0, 1), explore, "Share of decisions in which another good move may be played."),
        ("--shard",): (click.IntRange(1), shard, "Games in a shard: what an interrupt can lose."),
    }

    def with_options(command: _Command) -> _Command:
        for names, (kind, usual, sentence) in reversed(options.items()):
            command = click.option(*names, type=kind, default=usual, help=sentence)(command)
        return command

    return with_options
