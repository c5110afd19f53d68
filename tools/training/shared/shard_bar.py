"""The progress bar of a command that makes shards."""

import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from rich.progress import TextColumn

from ...shared.bars import progress_bar
from ...shared.terminal import Console


class MadeShard(Protocol):
    """What is known of a shard that was made."""

    @property
    def records(self) -> int:
        """How many records it has."""


Made = TypeVar("Made", bound=MadeShard)


class ShardBar(Generic[Made]):
    """Shows how many of *shards* are there, with *left* still to make, and keeps what was ``made``."""

    def __init__(self, shards: int, left: int, console: Console, quiet: bool) -> None:
        self.made: list[Made] = []
        self._began = time.monotonic()
        self._left = left
        self._bar = progress_bar(TextColumn("{task.fields[who]}", markup=False), console=console, disable=quiet)
        self._task = self._bar.add_task("shards", total=shards, completed=shards - left, who="")

    def __enter__(self) -> "ShardBar[Made]":
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def done(self, made: Made) -> None:
        """Shows a shard that is there now."""
        self.made.append(made)
        self._bar.advance(self._task)
        self._bar.update(self._task, description=f"shards, {sum(one.records for one in self.made):,} records")

    def found(self, _first: int, made: Made | None) -> None:
        """Shows a shard that came out of a pool; None is one that was given up."""
        if made is not None:
            self.done(made)

    def show(self, text: str) -> None:
        """Shows who plays."""
        self._bar.update(self._task, who=text)

    def summary(self, told: Callable[[list[Made], float], str]) -> str:
        """Says what this run made; *told* says it of what was made and of the seconds that it took."""
        if not self.made:
            return "No shard was made." if self._left else "Nothing was missing."
        return told(self.made, time.monotonic() - self._began)
