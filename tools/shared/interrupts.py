"""Ctrl-C ends every command with one word and exit code 130, as shells have it; click alone would make it 1."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

__all__ = ["INTERRUPTED", "Command", "Group", "stop_on_signals"]

INTERRUPTED = 130
"""The exit status of a command that was stopped."""


class Command(click.Command):
    """A command that Ctrl-C ends with exit code 130, unless it makes something else of it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _stopped() from None


class Group(click.Group):
    """Several commands, each of which Ctrl-C ends like :class:`Command`."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that was named."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _stopped() from None


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """
    Lets a command end with everything saved: for the block, Ctrl-C and a polite kill are only a wish.

    They make the function that it gets say True, however often they come. After the block they mean what they did, or
    nothing if one has come: the command is ending.
    """
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if stop.is_set() else handler)


def _stopped() -> click.exceptions.Exit:
    click.echo("Interrupted.", err=True)
    return click.exceptions.Exit(INTERRUPTED)
