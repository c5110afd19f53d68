"""The progress bar of a command."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from .terminal import Console


def progress_bar(
    *more: ProgressColumn, console: Console | None = None, disable: bool = False, transient: bool = False
) -> Progress:
    """Makes a bar with the task, how many of how many are done and how long it takes, and *more* columns behind."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        *more,
        console=console or Console(),
        disable=disable,
        transient=transient,
    )
