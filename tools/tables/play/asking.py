"""Gets a person's lines: from the terminal with its line editing, or from a pipe or a file."""

import io
import sys
from contextlib import suppress

from ...shared.terminal import say


def is_interactive() -> bool:
    """Tests whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def prepare() -> None:
    """Makes sure that no character that is typed ends the game, and that lines can be edited."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if is_interactive():
        with suppress(ImportError):  # some systems have none; then lines are edited as the terminal does
            import readline  # noqa: F401


def ask(prompt: str) -> str:
    """
    Shows *prompt* and gets one line; a line that did not come from a terminal is shown behind it.

    :raises EOFError: when there are no more lines.
    """
    if is_interactive():
        return input(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline().removeprefix("\ufeff")  # of a file that was written on Windows
    say(line.rstrip("\r\n"))
    if not line:
        raise EOFError
    return line
