"""
Reviews decisions in processes of their own or on a cluster, for folders of games.

Processes get texts and numbers: a rule set that came out of a pickle would be another object than the one that the
kernel has prepared its tables for.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from ddzbot.search.limit import Limit

from ...cluster.command import Workers, do_all
from ...records.files import records_of, text_of
from ...records.record import GameRecord
from .decisions import Reviewed, review_of

_MOST = 64
"""Decisions that a worker of a cluster is given at once."""


class Task(NamedTuple):
    """One decision to review."""

    record: GameRecord
    number: int
    """Of the game."""
    ply: int


def reviewed(
    tasks: Sequence[Task], limit: Limit | None, seed: int, workers: Workers, done: Callable[[], None]
) -> list[Reviewed | None]:
    """
    Gets the result of :func:`tools.look.review.decisions.review_of` for each task, in order, from several processes.

    Without a *limit* the network alone judges.

    After each one it calls *done*.
    """
    found: dict[int, Reviewed | None] = {}

    def add(number: int, what: Reviewed | None) -> None:
        found[number] = what
        done()

    if workers == Workers(1):
        for number, task in enumerate(tasks):
            add(number, review_of(task.record, task.number, task.ply, limit, seed))
        return list(found.values())
    texts: dict[int, str] = {}
    for task in tasks:
        if task.number not in texts:
            texts[task.number] = text_of([task.record], "json")
    asked = ((number, texts[task.number], task.number, task.ply) for number, task in enumerate(tasks))
    do_all(
        workers,
        partial(_review, limit, seed),
        asked,
        lambda one, what: add(one[0], what),
        name=lambda one: f"move {one[3] + 1} of game {one[2]}",
        most=_MOST,
    )
    return [found[number] for number in range(len(tasks))]


def _review(limit: Limit | None, seed: int, one: tuple[int, str, int, int]) -> Reviewed | None:
    _, text, number, ply = one
    return review_of(_record(text), number, ply, limit, seed)


@lru_cache(maxsize=4)
def _record(text: str) -> GameRecord:
    (record,) = records_of(text, "json")
    return record
