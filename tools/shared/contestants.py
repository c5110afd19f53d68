"""
The contestants of a match: a registered player with options, or any program that speaks the judge's protocol.

A contestant is written as ``rhcp``, as ``mctshs:setting=thesis,worlds=8``, as ``my_module:MyPlayer``, or as a
command line such as ``python bot.py --player rule``. A text with a blank is a command line, as is one with a slash
before the value of an option. A player may have a limit of its own: ``champion@2s`` has two seconds for a decision,
whatever the others have. With a name, ``anna=./anna/bot``, that is what tables, results and records call it.
"""

import os
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.engine import Engine
from ddzbot.players.base import Decision
from ddzbot.players.registry import PlayerError, PlayerSpec, checked_player, is_player, player_names
from ddzbot.search.limit import Limit
from ddzbot.view import View

from .commands import program_words
from .foreign_bots import PREFIX, foreign_words
from .limits import typed_limit
from .message import Message, prose
from .names import named
from .player_help import refuse_help


class Contestant(NamedTuple):
    """One contestant."""

    spec: str
    """What it is called: its name if it has one, and else as it was written."""
    player: PlayerSpec | None
    """None for a program."""
    command: tuple[str, ...] = ()
    """The words of the command line; empty for a player."""
    limit: Limit | None = None
    """The limit of a player that has one of its own."""
    home: str = ""
    """The folder that a program of a field is started in; empty for this one."""
    digest: str = ""
    """The hash of what a program of a field was made of; empty for all others."""
    named: bool = False
    """Whether it has a name, and so may move."""

    @property
    def is_program(self) -> bool:
        """Whether it is a program, which gets messages, and not a player, which gets views."""
        return self.player is None

    def without_limit(self) -> "Contestant":
        """
        Gets itself, for a place where all have the same limit.

        :raises ValueError: for a contestant with a limit of its own.
        """
        if self.limit is not None:
            raise ValueError(
                Message("contestant {spec}: a limit of its own counts in matches alone", spec=repr(self.spec))
            )
        return self

    def engine(self) -> Engine:
        """Makes the engine that plays for this contestant in this process."""
        player = self.player.text if self.player else self.spec
        return Engine(player) if self.limit is None else _LimitedEngine(player, self.limit)

    def as_json(self) -> dict[str, Any]:
        """Gets the contestant's name in a results file."""
        return {"name": self.spec, "kind": "program" if self.is_program else "player", "version": __version__}


class _LimitedEngine(Engine):
    """An engine with a limit of its own, which it keeps in place of the table's."""

    def __init__(self, player: str, limit: Limit) -> None:
        super().__init__(player)
        self._limit = limit

    def choose(self, view: View, limit: Limit) -> Decision:
        """Chooses within its own limit."""
        return super().choose(view, self._limit)


def parse_contestant(spec: str) -> Contestant:
    """
    Reads a contestant, for example ``rhcp``, ``champion@2s``, ``"./mybot --fast"`` or ``anna=./anna/bot``.

    :raises ValueError: for an unknown player, an option or a value that it does not take, a limit that is none, a name
        that is a player's, or an empty text.
    :raises PlayerHelp: for a player with ``:help`` behind it, such as ``mcm:help``; click prints its options.
    """
    if not spec.strip():
        raise ValueError(Message("a contestant must be a player's name or a command line, not an empty text"))
    name, text = named(spec)
    if name:
        if is_player(name):
            raise ValueError(
                Message(
                    "contestant {spec}: {name} is a player of this project; give it another name",
                    spec=repr(spec),
                    name=name,
                )
            )
        return parse_contestant(text)._replace(spec=name, named=True)
    refuse_help(spec)
    if spec.startswith(PREFIX):
        return Contestant(spec, None, tuple(foreign_words(spec)))
    if " " in spec or "/" in spec.partition("=")[0]:
        return Contestant(spec, None, _command(spec))
    player, limit = _limit_apart(spec)
    try:
        return Contestant(spec, checked_player(player), limit=limit)
    except PlayerError as error:
        why = problem_of_player(player, error)
        if os.path.exists(player):
            sentence = "contestant: {why}; the program of that name is ./{player}"
            raise ValueError(Message(sentence, why=why, player=player)) from error
        raise ValueError(Message("contestant: {why}", why=why)) from error


def problem_of_player(player: str, error: PlayerError) -> str:
    """Gets the error of a player as a value of a message: an unknown name as a message, any other in English."""
    sentence = "player {player} is unknown; there are {names}, or MODULE:CLASS of your own"
    unknown = Message(sentence, player=f"{player!r:.200}", names=", ".join(player_names()))
    return unknown if unknown == str(error) else prose(error)


def _limit_apart(spec: str) -> tuple[str, Limit | None]:
    """
    Divides a text into the player and the limit behind the last ``@``.

    :raises ValueError: for a limit that is none; the name of a file, the value of an option, may have an ``@`` too.
    """
    player, sign, limit_text = spec.rpartition("@")
    if not sign:
        return spec, None
    try:
        limit = typed_limit(limit_text)
    except ValueError as error:
        if "=" in player:
            return spec, None
        raise ValueError(Message("contestant {spec}: {why}", spec=repr(spec), why=prose(error))) from None
    if limit == Limit():
        raise ValueError(Message("contestant {spec}: a limit such as 2s or 400p must follow the @", spec=repr(spec)))
    return player, limit


def _command(spec: str) -> tuple[str, ...]:
    try:
        return tuple(program_words(spec))
    except ValueError as error:
        raise ValueError(Message("contestant {spec}: {why}", spec=repr(spec), why=prose(error))) from None
