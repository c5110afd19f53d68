"""Types of options that several commands have."""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import NO_LIMIT, Limit

from .bounds import text_file
from .limits import typed_limit
from .message import Message, prose
from .named_files import note_files

SEED_VARIABLE = "DDZ_SEED"
"""Environment variable with the seed of the deals, which programs at the table do not inherit."""

SANDBOX_VARIABLE = "DDZ_SANDBOX"
"""Environment variable that is 0 where programs run outside the sandbox, in every process of the command."""

_LONGEST_SEED = 1000

RULES = click.Choice([*RULE_SETS])
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

Command = TypeVar("Command", bound=Callable[..., Any])


def number_option(command: Command) -> Command:
    """Gives a command that opens one game of a file ``--number``."""
    option = click.option(
        "--number",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of the game in the file.",
    )
    return option(command)


def numbers_option(what: str) -> Callable[[Command], Command]:
    """Makes ``--number`` of a command that takes several games: it gets a list of ranges, of numbers from 1."""
    return click.option("--number", "numbers", multiple=True, type=_Numbers(), metavar="N", help=what)


class _Numbers(click.ParamType[range]):
    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        begin, dash, end = str(value).partition("-")
        ends = (begin, end if dash else begin)
        games = range(int(ends[0]), int(ends[1]) + 1) if all(map(_is_whole, ends)) else range(0)
        if not games or games[0] < 1:
            self.fail(f"{value!r:.40} must be a game from 1, as 3, or some, as 2-8", param, ctx)
        return games


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def sandbox_option(command: Command) -> Command:
    """Gives a command that starts programs ``--no-sandbox``."""

    def read(_context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            os.environ[SANDBOX_VARIABLE] = "0"

    meaning = "Let programs do everything that you may do."
    return click.option("--no-sandbox", is_flag=True, expose_value=False, callback=read, help=meaning)(command)


def turn_options(command: Command) -> Command:
    """Gives a command that runs bots as the platform does ``--turn-time``, in seconds or None, and ``--memory``."""
    memory = click.option(
        "--memory", type=POSITIVE, default=256, show_default=True, metavar="MIB", help="MiB for each bot."
    )
    seconds = click.option(
        "--turn-time",
        type=POSITIVE,
        metavar="S",
        help="Seconds per turn, and twice that for the first turn.  [default: 6; 4 for a bot kept running]",
    )
    return seconds(memory(command))


class FiniteRange(click.FloatRange):
    """A number between bounds. click's own range lets NaN pass, and infinities where an end is open."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads the number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


POSITIVE = FiniteRange(min=0, min_open=True)


def read_limit(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Limit:
    """Reads an option that is a limit, and may be none only without the option; a callback of click."""
    if value is None:
        return NO_LIMIT
    try:
        limit = typed_limit(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if limit == NO_LIMIT:
        raise click.BadParameter(Message("a decision needs a limit, such as 1s or 5000p"))
    return limit


def seed_option(kind: "click.ParamType[Any]", default: Any, what: str) -> Callable[[Any], Any]:
    """
    Makes ``--seed`` of a command that deals to programs: the seed itself, the variable's, or ``@FILE``.

    All users of the machine can read a command line.
    """

    def read(ctx: click.Context, param: click.Parameter, value: str) -> Any:
        if value.startswith("@"):
            note_files([Path(value[1:])])
            try:
                content = text_file(Path(value[1:]), _LONGEST_SEED).strip()
            except ValueError as error:
                raise click.BadParameter(
                    Message("{value}: {why}", value=value[1:], why=prose(error)), ctx, param
                ) from None
            if not content:
                raise click.BadParameter(Message("{value}: it is empty", value=value[1:]), ctx, param)
            value = content
        return kind.convert(value, param, ctx)

    return click.option(
        "--seed",
        type=str,
        default=default,
        callback=read,
        metavar="SEED",
        envvar=SEED_VARIABLE,
        show_envvar=True,
        help=f"{what} Or @FILE, which has it.",
    )
