"""Work in processes: how much of it is begun, what ends it, and what becomes of it when a process is killed."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from tests.support import eventually
from tests.tools.in_workers import FATAL, begun, hang, leave, square, start_and_wait, times
from tools.shared.work import pool
from tools.shared.work.pool import LOSSES, WorkersLostError, run_in_pool

THINGS = range(8)


def test_processes_do_everything_once_and_begin_in_the_same_way(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    begin = partial(begun, tmp_path)
    run_in_pool(2, partial(square, tmp_path, 0), THINGS, found.__setitem__, begin=begin)
    assert found == {thing: thing * thing for thing in THINGS}
    assert [times(tmp_path, thing) for thing in THINGS] == [1] * len(THINGS)
    assert times(tmp_path, -1) == 2


def test_no_more_is_begun_than_there_are_processes() -> None:
    done: list[int] = []

    def things() -> Iterator[int]:
        for thing in THINGS:
            # Before one is done, another may be given to its process.
            assert thing - len(done) <= 2
            yield thing

    run_in_pool(2, abs, things(), lambda thing, _: done.append(thing))
    assert sorted(done) == list(THINGS)


def test_a_wish_to_stop_begins_nothing_new(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    run_in_pool(1, partial(square, tmp_path, 0), THINGS, found.__setitem__, lambda: bool(found))
    # The second one is given out before the first one is done here, and may have come in by then.
    assert found in ({0: 0}, {0: 0, 1: 1})
    assert [times(tmp_path, thing) for thing in THINGS][2:] == [0] * (len(THINGS) - 2)


def both_run(folder: Path) -> list[int]:
    """Gets the processes of two things, once there are all of them."""
    files = [folder / "1", folder / "2"]
    numbers = [int(word) for file in files if file.exists() for word in file.read_text().split()]
    return numbers if len(numbers) == 4 else []


def test_a_wish_to_stop_ends_what_runs_with_its_programs_and_keeps_what_has_come_in(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    run_in_pool(2, partial(start_and_wait, tmp_path), THINGS, found.__setitem__, lambda: bool(both_run(tmp_path)))
    assert found == {0: 0}
    assert eventually(lambda: not any(map(psutil.pid_exists, both_run(tmp_path))))


def test_an_interrupt_ends_what_runs(tmp_path: Path) -> None:
    def interrupted() -> bool:
        if both_run(tmp_path):
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run_in_pool(2, partial(start_and_wait, tmp_path), THINGS, lambda _thing, _found: None, interrupted)
    assert eventually(lambda: not any(map(psutil.pid_exists, both_run(tmp_path))))


def test_what_cannot_hear_that_it_is_to_end_is_killed(tmp_path: Path) -> None:
    begun_at = time.monotonic()
    run_in_pool(1, hang, [0], lambda _thing, _found: None, lambda: time.monotonic() - begun_at > 1)


def test_what_is_raised_there_is_raised_here_and_says_where() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        run_in_pool(2, partial(divmod, 1), THINGS, lambda _thing, _found: None)
    assert "in _found" in str(raised.value.__cause__)


class Unreadable:
    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return int, ("x",)


def test_what_cannot_be_read_there_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_pool(1, id, [Unreadable()], lambda _thing, _found: None)


def test_what_a_killed_process_had_is_done_by_another(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    run_in_pool(2, partial(square, tmp_path, LOSSES - 1), THINGS, found.__setitem__)
    assert found == {thing: thing * thing for thing in THINGS}
    # No other thing is done twice.
    assert {thing: times(tmp_path, thing) for thing in THINGS} == {**dict.fromkeys(THINGS, 1), FATAL: LOSSES}


def test_a_thing_that_ends_every_process_is_named(tmp_path: Path) -> None:
    found: dict[int, int] = {}
    with pytest.raises(WorkersLostError) as lost:
        run_in_pool(2, partial(square, tmp_path, 99), THINGS, found.__setitem__, name=lambda thing: f"number {thing}")
    assert str(lost.value) == (
        "number 3 ends every worker that plays it, the last one killed by SIGKILL; "
        "the worker's own output may have the reason"
    )
    assert times(tmp_path, FATAL) == LOSSES
    assert FATAL not in found


def test_a_thing_that_ends_every_process_may_come_to_something(tmp_path: Path) -> None:
    found: dict[int, int | str] = {}
    run_in_pool(
        2, partial(square, tmp_path, 99), THINGS, found.__setitem__, lost=lambda thing, how: f"{thing} was {how}"
    )
    squares: dict[int, int | str] = {thing: thing * thing for thing in THINGS}
    assert found == squares | {FATAL: "3 was killed by SIGKILL"}


def test_a_process_that_ends_itself_is_no_better() -> None:
    with pytest.raises(WorkersLostError, match=r"^0 ends every worker that plays it, the last one with exit code 7;"):
        run_in_pool(1, partial(leave, 7), [0], lambda _thing, _found: None)


def test_what_ends_the_whole_group_begins_nothing_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal to all processes may end one before its parent hears of it, which waits a moment for that."""
    heard: list[float] = []
    monkeypatch.setattr(pool, "time", SimpleNamespace(sleep=heard.append, monotonic=time.monotonic))
    run_in_pool(1, partial(square, tmp_path, 99), [FATAL], lambda _thing, _found: None, lambda: bool(heard))
    assert len(heard) == 1
    assert times(tmp_path, FATAL) == 1
