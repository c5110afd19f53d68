"""Work in a pool: how much of it is begun, and what ends it."""

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, cast

import pytest

from tools.shared.processes import process_pool, run_in_pool


class HandPool:
    """A pool whose work ends when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Future[int]]] = []

    def submit(self, _function: Callable[[int], int], thing: int) -> Future[int]:
        future: Future[int] = Future()
        self.asked.append((thing, future))
        return future


def run(pool: HandPool, count: int, ahead: int, done: Callable[[int, int], None], stopped: Callable[[], bool]) -> None:
    run_in_pool(cast(ProcessPoolExecutor, pool), ahead, abs, iter(range(count)), done, stopped)


def test_never_more_is_begun_than_was_said_and_all_is_done() -> None:
    pool, found = HandPool(), dict[int, int]()

    def stopped() -> bool:
        open_ones = [(thing, future) for thing, future in pool.asked if not future.done()]
        assert len(open_ones) <= 3
        for thing, future in open_ones[-1:]:
            future.set_result(-thing)
        return False

    run(pool, 10, 3, found.__setitem__, stopped)
    assert found == {thing: -thing for thing in range(10)}


def test_a_wish_to_stop_begins_nothing_new() -> None:
    pool = HandPool()
    wishes = iter([False, True])
    run(pool, 10, 2, lambda _thing, _found: None, lambda: next(wishes))
    assert [thing for thing, _ in pool.asked] == [0, 1]


class BrokenPool(HandPool):
    """A pool whose processes were killed."""

    def submit(self, function: Callable[[int], int], thing: int) -> Future[int]:
        future = super().submit(function, thing)
        future.set_exception(BrokenProcessPool())
        return future


def test_a_process_that_dies_is_a_failure_unless_somebody_wants_to_stop() -> None:
    def nothing(_thing: Any, _found: Any) -> None:
        raise AssertionError

    with pytest.raises(BrokenProcessPool):
        run(BrokenPool(), 10, 2, nothing, lambda: False)
    wishes = iter([False, True])
    run(BrokenPool(), 10, 2, nothing, lambda: next(wishes))
    assert list(wishes) == []


def test_processes_do_the_work() -> None:
    found: dict[int, int] = {}
    with process_pool(2) as pool:
        run_in_pool(pool, 4, abs, iter(range(-5, 0)), found.__setitem__, lambda: False)
    assert found == {thing: -thing for thing in range(-5, 0)}
