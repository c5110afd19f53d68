"""
Checks a bot against everything that Botzone asks of it, in numbered steps. Run it before you upload a bot.

    python -m tools check "python3 bot.py" --keep-running "python3 bot.py --keep-running"
"""

import json
import sys

import click
from rich.text import Text

from ...judge.match_command import bot_words, make_limits
from ...opponents.sandbox import warn_of_open_programs
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.options import FiniteRange, sandbox_option
from ...shared.terminal import Console
from .bench import Bench
from .run import Finding, choose, run_steps
from .scenes import GAMES
from .steps import STEPS
from .watched import Terms

STYLES = {"pass": "green", "fail": "bold red", "not run": "yellow", "not asked for": "dim"}
NAME_WIDTH = max(len(step.name) for step in STEPS)
STATUS_WIDTH = max(map(len, STYLES))
POSITIVE = FiniteRange(min=0, min_open=True)

EPILOG = """
\b
Exit status:
  0    every step passed
  1    a step failed
  2    bad usage, or a program that does not exist
"""


@click.command(epilog=EPILOG, context_settings={"show_default": True}, cls=Command)
@click.argument("bot")
@click.option("--keep-running", "kept", metavar="COMMAND", help="The bot's command line for keep-running.")
@click.option("--game", type=click.Choice([*GAMES, "both"]), default="both", help="The game to check.")
@click.option("--steps", default="", metavar="LIST", help="Run only these, by number or name: 3,lead.")
@click.option("--rounds", type=click.IntRange(1), default=3, help="Whole games of each kind.")
@click.option("--time", "seconds", type=POSITIVE, metavar="S", help="Seconds a turn.  [default: 6; 4 when kept]")
@click.option(
    "--first-time", "first_seconds", type=POSITIVE, metavar="S", help="Seconds for a first turn, if different."
)
@click.option("--memory", "mib", type=POSITIVE, default=256, metavar="MIB", help="Memory of the bot.")
@sandbox_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def main(
    bot: str,
    kept: str | None,
    game: str,
    steps: str,
    rounds: int,
    seconds: float | None,
    first_seconds: float | None,
    mib: float,
    as_json: bool,
) -> None:
    """
    Checks BOT, a command line or a player of this project such as mcm:setting=thesis, step by step.

    A first word python is the interpreter of this command. Keep-running is checked with the command line of
    --keep-running, or with BOT itself if it prints the marker line.
    """
    games = GAMES if game == "both" else (game,)
    terms = Terms(make_limits(seconds, first_seconds, mib))
    try:
        numbers = choose(steps)
        bench = Bench(_command(bot), _command(kept) if kept else None, games, terms, rounds)
    except ValueError as error:
        raise InputError(str(error)) from None
    warn_of_open_programs([bench.command])
    findings = _run(bench, numbers, show=not as_json)
    complies = all(finding.complies for finding in findings)
    if as_json:
        click.echo(json.dumps({"bot": bot, "complies": complies, "steps": [each.as_json() for each in findings]}))
    sys.exit(0 if complies else 1)


def _run(bench: Bench, numbers: set[int], show: bool) -> list[Finding]:
    findings = []
    try:
        for finding in run_steps(bench, numbers):
            findings.append(finding)
            if show:
                _show(finding)
    except OSError as error:
        raise InputError(f"the check cannot go on: {error}") from None
    return findings


def _command(text: str) -> list[str]:
    return bot_words(text)


def _show(finding: Finding) -> None:
    line = Text.assemble(
        f"{finding.number:2} {finding.name:<{NAME_WIDTH}}  ",
        (f"{finding.status:<{STATUS_WIDTH}}", STYLES[finding.status]),
        f"  {finding.sentence}",
    )
    Console().print(line, soft_wrap=True, highlight=False)


if __name__ == "__main__":
    main()
