"""
How every command ends early: Ctrl-C, or a polite kill, is one word and exit code 130, and a full disk is one sentence.

click alone would make the one 1, and the other a traceback; and a terminal would obey what its sentences quote. No
character ends a command either.
"""

import inspect
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from .bounds import unwritable
from .chinese_help import chinese_help
from .click_errors import in_language, spoken_text
from .compiling import BuildError
from .language import is_chinese
from .message import Message
from .plain import plain, write_any_character
from .storage.autosave import FULL
from .terminal import say

INTERRUPTED = 130
"""The exit status of a command that was stopped."""

ONE_PRESS = 0.5
"""Seconds in which signals are one: ``timeout`` and ``make`` send two, and a key bounces."""

_OF_CLUSTERS = "--cluster"


@contextmanager
def _ended_early(command: click.Command) -> Iterator[None]:
    spoken = getattr(command, "in_chinese", False)
    try:
        with _interrupted_by_signals():
            yield
    except KeyboardInterrupt:
        say(spoken_text(Message("Interrupted."), spoken), err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except OSError as error:
        if error.errno not in FULL:
            raise
        if not error.filename:
            _drop_output()
        unwritten = plain(str(error.filename)) if error.filename else Message("the output")
        raise in_language(click.ClickException(unwritable(unwritten, error)), spoken) from None
    except BuildError as error:
        raise in_language(click.ClickException(error.message), spoken) from None
    except click.ClickException as error:
        raise in_language(_explained(error), spoken) from None


def _drop_output() -> None:
    """Sends nowhere what is left of the output: Python would write it at its end, and fail in words of its own."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _explained(error: click.ClickException) -> click.ClickException:
    """Gets the error to raise in place of another: why ``--cluster`` is not an option of this command."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None or error.option_name != _OF_CLUSTERS:
        return error
    message = Message(
        "{option} is not for {command}: see docs/guide/cluster.md", option=_OF_CLUSTERS, command=error.ctx.info_name
    )
    return click.UsageError(message, error.ctx)


_EXAMPLES = re.compile(r"(?:^ {4,}\S.*\n?)+", re.MULTILINE)


def _with_whole_lines(text: str | None) -> str | None:
    """Marks the examples in a help, so that click leaves their lines as one types them."""
    return text and _EXAMPLES.sub(lambda found: f"\b\n{found[0]}", inspect.cleandoc(text))


class _Helping(click.Command):
    """A command with examples on lines of their own in its help; *in_chinese* if it speaks Chinese in that locale."""

    def __init__(self, *words: Any, in_chinese: bool = False, **options: Any) -> None:
        super().__init__(*words, **{**options, "help": _with_whole_lines(options.get("help"))})
        self.in_chinese = in_chinese

    def get_help(self, ctx: click.Context) -> str:
        """Writes the help."""
        return chinese_help(self, ctx) if is_chinese() else super().get_help(ctx)


class Command(_Helping):
    """A command that Ctrl-C ends with exit code 130, unless it makes something else of it, and a full disk with 1."""

    def make_context(self, *words: Any, **options: Any) -> click.Context:
        """Reads the command line."""
        write_any_character()
        with _ended_early(self):
            return super().make_context(*words, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command, or that of several which was named."""
        with _ended_early(self):
            return super().invoke(ctx)


class Group(Command, click.Group):
    """Several commands, each of which ends early like :class:`Command`."""

    command_class = _Helping


class StoppedError(KeyboardInterrupt):
    """Raised by Ctrl-C, and by a polite kill, in the middle of :func:`stopped_at_once`."""


class _Wish:
    """What the signals of a block have asked for."""

    def __init__(self) -> None:
        self.came: float | None = None
        """When the first one came."""
        self.at_once = False

    def hear(self, *_: object) -> None:
        """Notes a signal; the second one does not wait for what the command still does, nor does :attr:`at_once`."""
        now = time.monotonic()
        again = self.came is not None and now - self.came > ONE_PRESS
        if self.came is None:
            self.came = now
            if self.at_once:
                raise StoppedError
        if again:
            raise KeyboardInterrupt

    def is_there(self) -> bool:
        """Tells whether the command is to stop."""
        return self.came is not None


_wish: _Wish | None = None
"""That of the innermost block."""


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """
    Lets a command end with everything saved: for the block, Ctrl-C and a polite kill are only a wish.

    They make the function that it gets return True. A second one interrupts the command as if it were the first one
    outside of a block, also after the block if the wish came in it.
    """
    global _wish
    wish, outer = _Wish(), _wish
    before = {signum: signal.signal(signum, wish.hear) for signum in (signal.SIGINT, signal.SIGTERM)}
    _wish = wish
    try:
        yield wish.is_there
    finally:
        _wish = outer
        if not wish.is_there():
            for signum, handler in before.items():
                signal.signal(signum, handler)


@contextmanager
def stopped_at_once() -> Iterator[None]:
    """
    Lets the first signal raise :class:`StoppedError` in this block, which is inside of one of :func:`stop_on_signals`.

    It is for what may be lost, and would take long.
    """
    wish = _wish or _Wish()
    wish.at_once = True
    try:
        if wish.is_there():
            raise StoppedError
        yield
    finally:
        wish.at_once = False


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Makes of a polite kill what Ctrl-C is, so that what is open is closed; signals of one press interrupt once."""
    usual: dict[signal.Signals, Any] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    here = threading.current_thread() is threading.main_thread()
    ours = [signum for signum, handler in usual.items() if here and signal.getsignal(signum) == handler]
    came = -ONE_PRESS

    def interrupt(*_: object) -> None:
        nonlocal came
        now = time.monotonic()
        if now - came >= ONE_PRESS:
            came = now
            raise KeyboardInterrupt

    for signum in ours:
        signal.signal(signum, interrupt)
    try:
        yield
    finally:
        for signum in ours:
            signal.signal(signum, usual[signum])
