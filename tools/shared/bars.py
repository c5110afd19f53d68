"""The progress bar of a command."""

import time
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from .terminal import Console

LINE_SECONDS = 10.0
"""How long a log waits for its next line at least."""


class _Bar(Progress):
    """A bar in a terminal; elsewhere, as in a log, a line now and then: task, how many are done, and the time left."""

    _said = 0.0

    def start(self) -> None:
        """Starts it."""
        self._said = time.monotonic()
        super().start()

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Changes a task."""
        super().update(task_id, **fields)
        self._say(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Counts what is done of a task."""
        super().advance(task_id, advance)
        self._say(task_id)

    def _say(self, task_id: TaskID) -> None:
        now = time.monotonic()
        if self.disable or self.console.is_terminal or now - self._said < LINE_SECONDS:
            return
        self._said = now
        task = self._tasks[task_id]
        parts = (MofNCompleteColumn().render(task), TimeRemainingColumn().render(task))
        self.console.print(task.description, *(part.plain.strip() for part in parts), soft_wrap=True)


def progress_bar(
    *more: ProgressColumn, console: Console | None = None, disable: bool = False, transient: bool = False
) -> Progress:
    """Makes a bar with the task, how many of how many are done and how long it takes, and *more* columns behind."""
    return _Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        *more,
        console=console or Console(),
        disable=disable,
        transient=transient,
    )
