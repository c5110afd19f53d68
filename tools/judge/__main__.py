"""Play one game between three bots as the platform does, or act as the platform's judge program over a pipe."""

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..referee.deal import fresh_seed
from ..referee.games import GAMES
from ..referee.referee import RefereeError
from ..referee.stdio import judge_line
from ..shared.bounds import LONGEST_LINE, UnreadableError, reason_of, text_file, text_line
from ..shared.errors import InputError
from ..shared.interrupts import INTERRUPTED, Command
from ..shared.json_text import parse_json
from ..shared.message import Message, prose
from ..shared.named_files import note_files
from ..shared.options import FILE, sandbox_option, seed_option, turn_options
from ..shared.storage.whole_file import check_target

BOT_AT_FAULT, BAD_INPUT, JUDGE_FAILED = 1, 2, 3

EPILOG = """
\b
Exit status:
  0    the game ended and no bot was at fault
  1    a bot was at fault; standard error names it and what it did:
       TLE time, MLE memory, OLE output, NJ not JSON, RE crash,
       or the platform's code for an answer that breaks the rules
  2    bad usage, or initdata that makes no game
  3    the judge itself failed
  130  interrupted
"""


class JudgeError(click.ClickException):
    """An error that stops the judge, and is no bot's fault."""

    exit_code = JUDGE_FAILED


class _Command(Command):
    """What goes wrong inside is never mistaken for a bot's fault."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception:
            traceback.print_exc()
            raise click.exceptions.Exit(JUDGE_FAILED) from None


def _read_initdata(_context: click.Context, _parameter: click.Parameter, value: str) -> Any:
    """Takes JSON itself, or the name of a file that holds it."""
    text = value.strip()
    if not text:
        return ""
    if text[0] not in '{["':
        note_files([Path(value)])
        try:
            text = text_file(Path(value))
        except ValueError as error:
            raise InputError(
                Message(
                    "--initdata {value} is neither a JSON object nor a file: {why}",
                    value=f"{value!r:.200}",
                    why=prose(error),
                )
            ) from None
    try:
        initdata = parse_json(text)
        if isinstance(initdata, str):
            initdata = parse_json(initdata)
    except ValueError as error:
        raise InputError(
            Message("--initdata {value} is not JSON: {why}", value=f"{value!r:.200}", why=prose(error))
        ) from None
    if not isinstance(initdata, dict):
        raise InputError(Message("--initdata {value} is not a JSON object", value=f"{value!r:.200}"))
    return initdata


@click.command(epilog=EPILOG, cls=_Command, in_chinese=True)
@click.argument("bots", metavar="[BOT BOT BOT]", nargs=-1)
@click.option("--game", type=click.Choice(list(GAMES)), default="FightTheLandlord", show_default=True, help="The game.")
@seed_option(
    click.STRING, fresh_seed, "Seed of the deal; random without it. In FightTheLandlord2 it is the platform's own seed."
)
@click.option(
    "--initdata",
    callback=_read_initdata,
    default="",
    metavar="JSON",
    help="The deal in the platform's form, or a file with it: an object with allocation, publiccard or seed.",
)
@click.option("--stdio", is_flag=True, help="Act as the platform's judge program.")
@click.option(
    "--mode",
    type=click.Choice(["auto", "one-shot", "keep-running"]),
    default="auto",
    show_default=True,
    help="auto: a bot keeps running if it asks to; one-shot: each turn starts it anew; keep-running: it must ask to.",
)
@turn_options
@sandbox_option
@click.option(
    "--save-games", "record", type=FILE, help="Write the complete log as one line of JSON, in place of what FILE held."
)
@click.option("--append", is_flag=True, help="With --save-games: keep what FILE held, and add the line.")
@click.option("--show", is_flag=True, help="Draw the game move by move.")
@click.option("--thoughts", is_flag=True, help="With --show: draw each bot's comments on its move, from debug.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; --show then draws on standard error.")
def command(bots: tuple[str, ...], stdio: bool, **options: Any) -> None:
    """
    Play one game between three bots as the platform does; name them in the order in which they sit.

        python -m tools judge champion rule "python mybot.py" --show

    Each BOT is one argument: a player such as champion or mcm:setting=thesis, or a command line such as
    "python mybot.py", where a first word python is the interpreter that runs the judge. Without an auction the first
    bot is the landlord.

    With --stdio there are no bots: one line with the platform's log is read from standard input, and the judge's answer
    to it is printed.
    """
    if len(bots) != (0 if stdio else 3):
        raise click.UsageError(Message("there are {count} bots: a game needs three, and --stdio none", count=len(bots)))
    if options["thoughts"] and not options["show"]:
        raise click.UsageError(Message("--thoughts goes with --show"))
    if options["append"] and (not options["record"] or options["record"].suffix == ".gz"):
        raise click.UsageError(Message("--append goes with --save-games FILE, and FILE is not compressed"))
    try:
        if stdio:
            click.echo(judge_line(options["game"], _log_line(), options["seed"]))
        elif not _match(bots, options):
            sys.exit(BOT_AT_FAULT)
    except RefereeError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise JudgeError(str(error)) from None


def _log_line() -> str:
    try:
        return text_line(sys.stdin.buffer, LONGEST_LINE)
    except UnreadableError as error:
        raise RefereeError(f"standard input: {error}") from None


def _match(bots: tuple[str, ...], options: dict[str, Any]) -> bool:
    # Not at the top: the platform starts its judge once a turn, and a turn should not wait for what only matches need.
    from .game_command import GameOptions, make_limits, run_game

    _try_record(options["record"])
    limits = make_limits(options.pop("turn_time"), options.pop("memory"))
    mode = options.pop("mode").replace("-", "_")
    return run_game(bots, GameOptions(limits=limits, mode=mode, **options))


def _try_record(record: Path | None) -> None:
    """Finds out before the match, and not after it, that its record cannot be written."""
    if record is not None:
        try:
            check_target(record)
        except OSError as error:
            raise InputError(
                Message("--save-games {value} cannot be written: {why}", value=repr(str(record)), why=reason_of(error))
            ) from None


def judged(words: Sequence[str] | None = None) -> int:
    """Runs the command with these words, by default those of the process; gets its exit status."""
    try:
        # Without standalone mode an exit code is what comes back; a match that went well brings none.
        return command(words, standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        return JUDGE_FAILED


def main() -> None:
    """Runs the command; a pipe that breaks is no bot's fault either."""
    sys.exit(judged())


if __name__ == "__main__":
    main()
