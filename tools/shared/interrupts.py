"""Ctrl-C ends every command with one word and exit code 130, as shells have it; click alone would make it 1."""

from typing import Any

import click

__all__ = ["INTERRUPTED", "Command", "Group"]

INTERRUPTED = 130


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


def _stopped() -> click.exceptions.Exit:
    click.echo("Interrupted.", err=True)
    return click.exceptions.Exit(INTERRUPTED)
