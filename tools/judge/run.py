"""
Play one game of three bots, and show hands and thoughts.

    python -m tools run
    python -m tools run "python mybot.py" --game FightTheLandlord2 --seed demo/2
"""

import os
import sys
from pathlib import Path

import click

from ddzbot.players.registry import DEFAULT_PLAYER

from ..programs import program_of
from ..referee.games import GAMES
from ..shared.bounds import unwritable
from ..shared.compiling import kernel_at_start
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.language import translate
from ..shared.message import Message
from ..shared.options import FILE
from ..shared.paths import INSTALLED, call_of
from ..shared.shell import joined_words
from ..shared.terminal import say
from .__main__ import judged


@click.command(cls=Command, in_chinese=True)
@click.argument("bot", required=False)
@click.option(
    "--game", type=click.Choice(list(GAMES)), default="FightTheLandlord", show_default=True, help="What is played."
)
@click.option("--seed", help="Seed of the deal; random without it, and named at the end.")
@click.option(
    "--save-games", "record", type=FILE, default=Path("records/last.jsonl"), show_default=True, help="The record."
)
def main(bot: str | None, game: str, seed: str | None, record: Path) -> None:
    """
    Play one game of three bots, and show hands and thoughts.

        python -m tools run "python mybot.py" --game FightTheLandlord2 --seed demo/2

    BOT is one argument, as in judge, and sits in all three seats; by default it is the champion with 1 s a turn.
    """
    try:
        record.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(unwritable(record, error)) from None
    kernel_at_start()
    seeded = () if seed is None else ("--seed", seed)
    options = ("--game", game, *seeded, "--save-games", str(record), "--show", "--thoughts")
    status = judged([*[bot or _champion()] * 3, *options])
    if status == 0 and INSTALLED:
        _offer(record)
    sys.exit(status)


def _champion() -> str:
    program = (os.path.relpath(word) if os.path.isabs(word) else word for word in program_of(DEFAULT_PLAYER))
    return joined_words(["python", *program, "--limit", "1s"])


def _offer(record: Path) -> None:
    """Says what to do next; in a checkout make does."""
    say("")
    for advice, command in (
        (Message("Play against two of them:"), ("play",)),
        (Message("The same in the browser:"), ("serve",)),
        (Message("This game as a page:"), ("view", str(record), "--open")),
    ):
        say(f"{translate(advice)} {call_of(*command)}")
