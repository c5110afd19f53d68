"""The progress bar of a command."""

import time
from datetime import timedelta
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from .terminal import Console

LINE_SECONDS = 10.0
"""How long a log waits for its next line at least."""


_BEGUN = "begun"
"""The field of a task: how much of it was done before it went on here."""


class _TimeLeft(ProgressColumn):
    """The time left, from the first unit on; rich's own column forgets what took half a minute."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """Writes hours, minutes and seconds."""
        done = task.completed - task.fields.get(_BEGUN, 0)
        if task.finished or not done or task.remaining is None:
            return Text("0:00:00" if task.finished else "-:--:--", style="progress.remaining")
        seconds = (task.elapsed or 0.0) * task.remaining / done
        return Text(str(timedelta(seconds=round(seconds))), style="progress.remaining")


class _Bar(Progress):
    """A bar in a terminal; elsewhere, as in a log, a line now and then: task, how many are done, and the time left."""

    _said = 0.0

    def start(self) -> None:
        """Starts it."""
        self._said = time.monotonic()
        super().start()

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Changes a task; the first that says how much of it is done says what was done before."""
        if "completed" in fields:
            self._tasks[task_id].fields.setdefault(_BEGUN, fields["completed"])
        super().update(task_id, **fields)
        self._say(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Counts what is done of a task."""
        self._tasks[task_id].fields.setdefault(_BEGUN, self._tasks[task_id].completed)
        super().advance(task_id, advance)
        self._say(task_id)

    def _say(self, task_id: TaskID) -> None:
        now = time.monotonic()
        if self.disable or self.console.is_terminal or now - self._said < LINE_SECONDS:
            return
        self._said = now
        task = self._tasks[task_id]
        parts = (MofNCompleteColumn().render(task), _TimeLeft().render(task))
        self.console.print(task.description, *(part.plain.strip() for part in parts), soft_wrap=True)


def progress_bar(
    *more: ProgressColumn, console: Console | None = None, disable: bool = False, transient: bool = False
) -> Progress:
    """Makes a bar with the task, how many of how many are done and how long it takes, and *more* columns behind."""
    return _Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _TimeLeft(),
        *more,
        console=console or Console(),
        disable=disable,
        transient=transient,
    )
