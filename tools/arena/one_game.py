"""Plays one game of a match again, and prints its record."""

from collections.abc import Mapping
from dataclasses import replace

import click

from ..records.text import record_text
from ..shared.message import Message
from ..shared.plain import plain_lines
from .matches.plan import Plan
from .matches.sets import SetPlayer


def print_game(plan: Plan, number: str, tags: Mapping[str, str]) -> None:
    """
    Plays one game again, as SET.GAME or PAIRING.SET.GAME, and prints its record; *tags* name the programs that played.

    :raises click.UsageError: if there is no such game.
    """
    pairing, index, game = _game_number(plan, number)
    player = SetPlayer(plan)
    try:
        record = player.record(pairing, index, game)
    finally:
        player.close()
    record = replace(record, tags={**record.tags, **tags})
    click.echo(plain_lines(record_text(record)), nl=False)


def _game_number(plan: Plan, text: str) -> tuple[int, int, int]:
    parts = text.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(parts) not in (2, 3):
        raise click.UsageError(
            Message("game {text} must be SET.GAME or PAIRING.SET.GAME, all counted from 0", text=repr(text))
        )
    pairing, index, game = [0, *map(int, parts)][-3:]
    if pairing >= len(plan.tables) or index >= plan.most or game >= len(plan.seatings()):
        raise click.UsageError(
            Message(
                "game {text}: there are {most} sets of {count} games",
                text=repr(text),
                most=plan.most,
                count=len(plan.seatings()),
            )
        )
    return pairing, index, game
