"""What plays before the match does, in a process of its own."""

from collections.abc import Callable
from functools import partial
from multiprocessing import current_process
from typing import ParamSpec, TypeVar

from ...shared.work.pool import run_in_pool

P = ParamSpec("P")
R = TypeVar("R")


def run_in_subprocess(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """
    Calls a function in another process, and raises here what it raises there.

    The modules that players load, torch above all, are gone with that process. In a worker the call stays where it is.
    """
    if current_process().daemon:
        return function(*arguments, **options)
    results: list[R] = []
    call = partial(function, *arguments, **options)
    run_in_pool(1, _call, [call], lambda _, result: results.append(result), name=lambda _: "looking at the players")
    return results[0]


def _call(call: Callable[[], R]) -> R:
    return call()
