"""
The error messages of commands in the language of the terminal: what click prints of an error, as a whole.

An error is Chinese with all its lines, the usage too, or it is English with all of them, as click has it. click makes
its own messages by gettext, from a key and values; here these become a :class:`Message`, which keeps both.
"""

from typing import IO, Any

import click
import click.core
import click.parser
import click.types

from .language import chinese, has_chinese_locale, tr
from .message import Message, prose
from .plain import plain_lines


class _Key(str):
    """A key of click's with values in it."""

    __slots__ = ()

    def format(self, *_: object, **values: object) -> str:
        """Makes the message."""
        return Message(str(self), **values)


def _gettext(key: str) -> str:
    return _Key(key) if "{" in key else Message(key)


def _ngettext(one: str, several: str, number: int) -> str:
    return _gettext(one if number == 1 else several)


for _module in (click.core, click.parser, click.types):
    vars(_module).update({"_": _gettext, "ngettext": _ngettext})


class _ChineseError(click.ClickException):
    """Prints *text* as click would print *error*."""

    def __init__(self, error: click.ClickException, text: str) -> None:
        super().__init__(text)
        self.exit_code = error.exit_code  # type: ignore[misc]  # one class for errors of every exit code
        self._usage = error.ctx if isinstance(error, click.UsageError) else None

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the error, for one in the command line under its usage."""
        lines = [] if self._usage is None else _usage_lines(self._usage)
        report = "\n".join([*lines, tr("Error: {message}", message=self.message)])
        click.echo(plain_lines(report), file=file, err=file is None)


def in_language(error: click.ClickException, spoken: bool) -> click.ClickException:
    """
    Gets the error that is to be raised in place of another: in the language of the terminal, without controls.

    It is English unless the command speaks Chinese (*spoken*).
    """
    if isinstance(error, _ChineseError):
        return error
    message = _message_of(error)
    spoken_message = spoken_text(message, spoken)
    if spoken_message != message:
        return _ChineseError(error, spoken_message)
    error.message = plain_lines(error.message)  # type: ignore[misc]  # click prints no other
    return error


def spoken_text(message: str, spoken: bool) -> str:
    """Translates a message where a command speaks Chinese (*spoken*), also outside of the command."""
    if spoken and has_chinese_locale() and isinstance(message, Message):
        return chinese(message) or message
    return message


def _message_of(error: click.ClickException) -> str:
    """Gets the message of an error, with its key and values if it has one."""
    if isinstance(error, click.NoSuchOption):
        option = error.option_name
        if not error.possibilities:
            return Message("No such option {option}.", option=option)
        others = ", ".join(sorted(error.possibilities))
        return Message("No such option {option}; did you mean {others}?", option=option, others=others)
    if isinstance(error, click.MissingParameter):
        return _missing(error)
    if isinstance(error, click.BadParameter):
        return Message("Invalid value for {option}: {why}", option=_hint(error), why=prose(error.message))
    return prose(error.message)


def _missing(error: click.MissingParameter) -> str:
    kind = error.param_type or (error.param and error.param.param_type_name)
    if kind == "argument":
        return Message("Missing argument {argument}.", argument=_hint(error))
    return Message("Missing option {option}.", option=_hint(error))


def _hint(error: click.BadParameter) -> str:
    """Names an option or argument as it is typed."""
    hint = error.param_hint
    if hint is None:
        hint = error.param.get_error_hint(error.ctx) if error.param else ""
    names = hint if isinstance(hint, str) else " / ".join(hint or ())
    return names.partition(" (env var")[0].replace("'", "")


def _usage_lines(context: click.Context) -> list[str]:
    pieces = " ".join(context.command.collect_usage_pieces(context))
    usage = tr("Usage: {command} {pieces}", command=context.command_path, pieces=pieces)
    names = context.command.get_help_option_names(context)
    if not names or context.command.get_help_option(context) is None:
        return [usage, ""]
    return [usage, tr("Try {command} {option} for help.", command=context.command_path, option=max(names, key=len)), ""]
