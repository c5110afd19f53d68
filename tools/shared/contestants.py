"""
Who plays a match: a registered player with options, or any program that speaks the judge's protocol.

A contestant is written as ``rhcp``, as ``mctshs:setting=thesis,worlds=8``, as ``my_module:MyPlayer``, or as a
command line such as ``python bot.py --player rule``. What has a blank in it is a command line, and what has a slash
before the value of an option.
"""

from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.engine import Engine
from ddzbot.players.registry import PlayerError, PlayerSpec, checked_player

from .commands import program_words
from .player_help import refuse_help


class Contestant(NamedTuple):
    """One contestant, as it was written and as it is understood."""

    spec: str
    player: PlayerSpec | None
    """None for a program."""
    command: tuple[str, ...] = ()
    """The words of the command line; empty for a player."""

    @property
    def is_program(self) -> bool:
        """Tells a program, which gets messages, from a player, which gets views."""
        return self.player is None

    def engine(self) -> Engine:
        """Makes the engine that plays for this contestant in this process."""
        return Engine(self.spec)

    def as_json(self) -> dict[str, Any]:
        """Gets what a results file says about the contestant."""
        return {"name": self.spec, "kind": "program" if self.is_program else "player", "version": __version__}


def parse_contestant(spec: str) -> Contestant:
    """
    Reads a contestant, for example ``rhcp`` or ``"./mybot --fast"``.

    :raises ValueError: for an unknown player, an option or a value that it does not take, or an empty text.
    :raises PlayerHelp: for a player with ``:help`` behind it, such as ``mcm:help``; click prints its options.
    """
    if not spec.strip():
        raise ValueError("a contestant must be a player's name or a command line, not an empty text")
    refuse_help(spec)
    if " " in spec or "/" in spec.partition("=")[0]:
        return Contestant(spec, None, _command(spec))
    try:
        return Contestant(spec, checked_player(spec))
    except PlayerError as error:
        raise ValueError(f"contestant: {error}") from error


def _command(spec: str) -> tuple[str, ...]:
    try:
        return tuple(program_words(spec))
    except ValueError as error:
        raise ValueError(f"contestant {spec!r}: {error}") from None
