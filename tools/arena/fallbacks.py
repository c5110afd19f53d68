"""
Whether a player plays itself here, or its fallback would: for want of its network, or of the kernel.

It is asked for one lead, and in a game with an auction for one bid. A network that is missing there is missing in
every game.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import click

from ddzbot.engine import Engine
from ddzbot.game import Game, shuffled, start
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ..shared.contestants import Contestant
from ..shared.message import English, Message
from .matches.table import show_hands

Command = TypeVar("Command", bound=Callable[..., Any])

_DEAL = "doctor"
_FEW = Limit(playouts=20)
"""Enough to see which player chooses."""


class Fallback(NamedTuple):
    """The fallback that plays in the place of a player, and why."""

    chose: str
    because: str


def fallback_option(command: Command) -> Command:
    """Gives a command ``--allow-fallback``: without it, :func:`refuse_fallbacks` runs before the first game."""
    meaning = "Play even if a contestant lacks its network or the kernel, and another player chooses for it."
    return click.option("--allow-fallback", is_flag=True, help=meaning)(command)


def refuse_fallbacks(rules: str, contestants: Iterable[Contestant]) -> None:
    """
    Makes sure that every contestant that is a built-in player plays itself under *rules*.

    :raises ValueError: for one that does not, with a message that names the reason and the fallback.
    """
    for contestant in contestants:
        fallback = would_fall_back(rules, contestant.player.text) if contestant.player else None
        if fallback:
            template = "contestant {spec} cannot play here (rules {rules}): {because}; {chose} would play in its place"
            because = English(fallback.because)
            problem = Message(template, spec=repr(contestant.spec), rules=rules, because=because, chose=fallback.chose)
            raise ValueError(Message("{problem}, which --allow-fallback accepts", problem=problem))


def would_fall_back(rules: str, player: str) -> Fallback | None:
    """Asks a player under *rules*, and gets the fallback that chose in its place, or None."""
    engine = Engine(player)
    game = first_lead(rules)
    show_hands(engine, game)
    decision = engine.choose(View.of(game, game.seat), _FEW)
    if decision.failures:
        return Fallback(decision.player, decision.failures[0].reason)
    if not rule_set(rules).bidding:
        return None
    bid = engine.bid(BidView(rule_set(rules), shuffled(rule_set(rules), _DEAL).hands[0], ()))
    return Fallback(bid.player, bid.failures[0].reason) if bid.failures else None


def first_lead(rules: str) -> Game:
    """Gets the game that a player is asked in: nothing has been played."""
    chosen = rule_set(rules)
    return start(shuffled(chosen, _DEAL), (3,) if chosen.bidding else (), 0)
