"""A bar in a terminal is a line now and then in a log."""

import io

import pytest
from rich.progress import Progress, ProgressColumn, TaskID

from tools.shared import bars
from tools.shared.bars import progress_bar
from tools.shared.terminal import Console


def printed(monkeypatch: pytest.MonkeyPatch, terminal: bool, disable: bool = False) -> str:
    """Gets what a task of three prints while it is done, and no more of it than that."""
    now = [100.0]
    monkeypatch.setattr(bars.time, "monotonic", lambda: now[0])
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=terminal)
    with progress_bar(console=console, disable=disable, transient=True) as bar:
        task = bar.add_task("playing", total=3)
        for seconds in (bars.LINE_SECONDS - 1, 2.0, 3.0):
            now[0] += seconds
            bar.advance(task)
        now[0] += bars.LINE_SECONDS
        bar.update(task, description="WP 50 ends")
        return file.getvalue()


def test_a_log_gets_a_line_every_ten_seconds_that_says_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = printed(monkeypatch, terminal=False).splitlines()
    assert first.startswith("playing 2/3 ") and last.startswith("WP 50 ends 3/3 ")
    assert printed(monkeypatch, terminal=False, disable=True) == ""
    assert "playing 2/3 " not in printed(monkeypatch, terminal=True)


def test_the_time_left_is_known_when_the_first_unit_is_done_and_counts_no_earlier_ones() -> None:
    now = [0.0]
    with progress_bar(console=Console(file=io.StringIO(), width=80)) as bar:
        bar.get_time = lambda: now[0]
        task = bar.add_task("playing", total=100)
        bar.update(task, completed=40)  # by a run before
        assert left(bar, task) == "-:--:--"
        now[0] = 100.0
        bar.advance(task, 10)
        assert left(bar, task) == "0:08:20"
        bar.advance(task, 50)
        assert left(bar, task) == "0:00:00"


def left(bar: Progress, task: TaskID) -> str:
    """What the column says that stands behind the numbers."""
    column = bar.columns[3]
    assert isinstance(column, ProgressColumn)
    return str(column.render(bar.tasks[task]))
