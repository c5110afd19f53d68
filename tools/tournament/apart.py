"""What plays before the tournament does, in a process of its own."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..shared.processes import process_pool

__all__ = ["apart"]

P = ParamSpec("P")
R = TypeVar("R")


def apart(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """
    Calls a function in another process, and raises here what it raises there.

    What players load to be looked at, torch above all, is gone with that process.
    """
    with process_pool(1) as pool:
        return pool.submit(function, *arguments, **options).result()
