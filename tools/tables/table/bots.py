"""The players of a table, from their names."""

from collections.abc import Iterable

from ddzbot.players.base import Player
from ddzbot.players.registry import is_player, player_names

from ...programs.sandbox import warn_of_open_programs
from ...shared.contestants import Contestant, parse_contestant
from ...shared.foreign_bots import PREFIX
from ...shared.message import Message, prose
from ...shared.seeds import deal_seed, player_seed
from .levels import NAMES, player_text

NAMESPACE = "play"
"""The namespace of the deals that people play; no network is trained or measured on them."""


def deal_name(seed: int) -> str:
    """
    Names the deal of a table: ``deal_name(7)`` is ``"play/7/000000"``.

    :raises ValueError: for a negative seed.
    """
    return deal_seed(seed, NAMESPACE, 0)


def bot(spec: str, seed: int, position: int) -> Player:
    """
    Makes the player *spec*, a level or such as ``champion:search=none``, for a position of the table with that *seed*.

    :raises ValueError: as :func:`checked_bot`.
    """
    return player_of(checked_bot(spec), player_seed(deal_name(seed), 0, position))


def player_of(contestant: Contestant, seed: int = 0) -> Player:
    """Makes the player of a contestant without a limit of its own."""
    if contestant.player:
        return contestant.player.make(seed)
    # Not at the top: a browser has no programs.
    from .program import ProgramPlayer

    return ProgramPlayer(contestant.spec, contestant.command, seed)


def warn_of_open_bots(specs: Iterable[str]) -> None:
    """
    Warns once, on standard error, if one of these is a program, and there is no sandbox.

    :raises ValueError: as :func:`checked_bot`.
    """
    warn_of_open_programs(contestant.command for contestant in map(checked_bot, specs) if contestant.is_program)


def checked_bot(spec: str) -> Contestant:
    """
    Checks that *spec* names a bot that may sit at a table.

    :raises ValueError: for what :func:`tools.shared.contestants.parse_contestant` refuses, a limit, a command line.
    """
    try:
        contestant = parse_contestant(player_text(spec)).without_limit()
    except ValueError as error:
        if is_player(spec):
            raise
        levels = ", ".join(NAMES)
        raise ValueError(Message("{why}; the levels are {levels}", why=prose(error), levels=levels)) from None
    if contestant.is_program and not spec.startswith(PREFIX):
        names = ", ".join(player_names())
        raise ValueError(
            Message(
                "bot {spec} is a command line: only players by name sit at a table; there are {names}",
                spec=repr(spec),
                names=names,
            )
        )
    return contestant
