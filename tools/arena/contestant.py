"""
Who plays a match: a registered player with options, or any program that speaks the judge's protocol.

A contestant is written as ``rhcp``, as ``mctshs:setting=thesis,worlds=8``, as ``my_module:MyPlayer``, or as a
command line such as ``python bot.py --player rule``. What has a blank in it is a command line, and what has a slash
before the value of an option.
"""

import json
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.engine import Engine
from ddzbot.players.registry import player_class
from tools.judge.match_command import split_command


class Contestant(NamedTuple):
    """One contestant, as it was written and as it is understood."""

    spec: str
    player: str
    """The registered name or ``MODULE:CLASS``; empty for a program."""
    options: dict[str, Any]
    command: tuple[str, ...]
    """The words of the command line; empty for a player."""

    @property
    def is_program(self) -> bool:
        """Tells a program, which gets messages, from a player, which gets views."""
        return bool(self.command)

    def engine(self) -> Engine:
        """Makes the engine that plays for this contestant in this process."""
        return Engine(self.player, 0, **self.options)

    def as_json(self) -> dict[str, Any]:
        """Gets what a results file says about the contestant."""
        return {"name": self.spec, "kind": "program" if self.is_program else "player", "version": __version__}


def parse_contestant(spec: str) -> Contestant:
    """
    Reads a contestant, for example ``rhcp`` or ``"./mybot --fast"``.

    :raises ValueError: for an unknown player, an option that it does not take, or an empty text.
    """
    if not spec.strip():
        raise ValueError("a contestant must be a player's name or a command line, not an empty text")
    if " " in spec or "/" in spec.partition("=")[0]:
        return Contestant(spec, "", {}, _command(spec))
    player, tail = spec, ""
    if "=" in spec:
        colon = spec.rfind(":", 0, spec.index("="))
        player, tail = spec[: max(colon, 0)], spec[colon + 1 :]
    options = dict(_option(spec, word) for word in tail.split(",")) if tail else {}
    try:
        player_class(player)(0, **options)
    except TypeError as error:
        raise ValueError(f"contestant {spec!r}: {error}") from error
    return Contestant(spec, player, options, ())


def _command(spec: str) -> tuple[str, ...]:
    try:
        return tuple(split_command(spec))
    except ValueError as error:
        raise ValueError(f"contestant {spec!r}: {error}") from None


def _option(spec: str, word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"contestant {spec!r}: the option {word!r} needs a value, as in {word}=1")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value
