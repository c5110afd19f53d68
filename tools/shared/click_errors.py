"""
The error messages of commands in the language of the terminal: what click prints of an error, as a whole.

An error is Chinese with all its lines, the usage too, or it is English with all of them, as click has it.
"""

from typing import IO, Any

import click

from .language import chinese, is_chinese, tr
from .message import Message, prose
from .plain import plain_lines


class _ChineseError(click.ClickException):
    """Prints *text* as click would print *error*."""

    def __init__(self, error: click.ClickException, text: str) -> None:
        super().__init__(text)
        self.exit_code = error.exit_code  # type: ignore[misc]  # one class for errors of every exit code
        self._usage = error.ctx if isinstance(error, click.UsageError) else None

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the error, for one in the command line under its usage."""
        lines = [] if self._usage is None else _usage_lines(self._usage)
        text = "\n".join([*lines, tr("Error: {message}", message=self.message)])
        click.echo(plain_lines(text), file=file, err=file is None)


def in_language(error: click.ClickException) -> click.ClickException:
    """Gets the error that is to be raised in place of another: in the language of the terminal, without controls."""
    if isinstance(error, _ChineseError):
        return error
    message = _message_of(error)
    if is_chinese() and isinstance(message, Message) and (text := chinese(message)):
        return _ChineseError(error, text)
    error.message = plain_lines(error.message)  # type: ignore[misc]  # click prints no other
    return error


def _message_of(error: click.ClickException) -> str:
    """Gets the message of an error; click's text on a value has only English."""
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
    return (hint if isinstance(hint, str) else " / ".join(hint or ())).replace("'", "")


def _usage_lines(context: click.Context) -> list[str]:
    pieces = " ".join(context.command.collect_usage_pieces(context))
    usage = tr("Usage: {command} {pieces}", command=context.command_path, pieces=pieces)
    names = context.command.get_help_option_names(context)
    if not names or context.command.get_help_option(context) is None:
        return [usage, ""]
    return [usage, tr("Try {command} {option} for help.", command=context.command_path, option=max(names, key=len)), ""]
