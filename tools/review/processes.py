"""
Reviews decisions in processes of their own, for folders of games.

Processes get texts and numbers: a rule set that came out of a pickle would be another object than the one that the
kernel has prepared its tables for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ddzbot.search.limit import Limit

from ..records.files import records_of, text_of
from ..records.record import GameRecord
from ..shared.processes import process_pool
from .decisions import Reviewed, review_of

__all__ = ["Task", "reviewed"]


class Task(NamedTuple):
    """One decision to review."""

    record: GameRecord
    number: int
    """Of the game."""
    ply: int


def reviewed(tasks: Sequence[Task], limit: Limit, seed: int, jobs: int) -> Iterator[Reviewed | None]:
    """Yields what :func:`tools.review.decisions.review_of` says of each task, in order, by so many processes."""
    if jobs == 1:
        yield from (review_of(task.record, task.number, task.ply, limit, seed) for task in tasks)
        return
    texts: dict[int, str] = {}
    for task in tasks:
        if task.number not in texts:
            texts[task.number] = text_of([task.record], "json")
    pool = process_pool(jobs)
    try:
        asked = [pool.submit(_review, texts[task.number], task.number, task.ply, limit, seed) for task in tasks]
        for future in asked:
            yield future.result()
    finally:
        # Said once, which a with block would take back: after Ctrl-C nobody waits for what was not begun.
        pool.shutdown(wait=False, cancel_futures=True)


def _review(text: str, number: int, ply: int, limit: Limit, seed: int) -> Reviewed | None:
    return review_of(_record(text), number, ply, limit, seed)


@lru_cache(maxsize=4)
def _record(text: str) -> GameRecord:
    (record,) = records_of(text, "json")
    return record
