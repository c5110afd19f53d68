"""Reviews decisions in processes of their own or on a cluster, for folders of games."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ddzbot.search.limit import Limit

from ...cluster.dispatch import do_all
from ...records.record import GameRecord
from ...shared.work.workers import Workers
from .decisions import Reviewed, review_of

_MOST = 64
"""Decisions that a worker of a cluster is given at once."""


class Task(NamedTuple):
    """One decision to review."""

    record: GameRecord
    number: int
    """Of the game."""
    ply: int


def review_all(
    tasks: Sequence[Task],
    limit: Limit | None,
    seed: int,
    workers: Workers,
    done: Callable[[], None],
    numbers_only: bool = False,
) -> list[Reviewed | None]:
    """
    Gets the result of :func:`tools.study.review.decisions.review_of` for each task, in order, from several processes.

    Without a *limit* the network alone judges. *numbers_only* is as there.

    After each one it calls *done*.
    """
    results: dict[int, Reviewed | None] = {}

    def add(index: int, result: Reviewed | None) -> None:
        results[index] = result
        done()

    if workers == Workers(1):
        for index, task in enumerate(tasks):
            add(index, _review(limit, seed, numbers_only, (index, task)))
        return list(results.values())
    do_all(
        workers,
        partial(_review, limit, seed, numbers_only),
        enumerate(tasks),
        lambda numbered, result: add(numbered[0], result),
        name=lambda numbered: f"move {numbered[1].ply + 1} of game {numbered[1].number}",
        most=_MOST,
    )
    return [results[index] for index in range(len(tasks))]


def _review(limit: Limit | None, seed: int, numbers_only: bool, numbered: tuple[int, Task]) -> Reviewed | None:
    _, task = numbered
    return review_of(task.record, task.number, task.ply, limit, seed, numbers_only)
