"""
One game between three players of this process: where each sits, and what it decides.

As soon as a program sits at the table, :mod:`tools.arena.matches.programs` plays instead, through the judge's messages.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ddzbot.engine import FORCED, Engine
from ddzbot.game import SEATS, Deal, Game, auction, start
from ddzbot.players.base import Decision
from ddzbot.rules import RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from .outcome import Asked, GameOutcome


class PlayerTable:
    """The contestants of a match, each an engine in this process."""

    def __init__(self, rules: RuleSet, limit: Limit, engines: Mapping[str, Engine]) -> None:
        self._rules = rules
        self._limit = limit
        self._engines = engines

    def play(self, deal: Deal, seating: str, seeds: Sequence[int]) -> GameOutcome:
        """Plays one game; *seating* gives the contestant's letter by position, *seeds* the seed by position."""
        asked: list[Asked] = []
        bids: list[int] = []
        while self._rules.bidding and auction(bids) is None:
            position = len(bids)
            engine = self._engine(seating[position], seeds[position])
            bids.append(engine.bid(BidView(self._rules, deal.hands[position], tuple(bids))).bid)
        landlord = auction(bids) or (0, 1)
        game = start(deal, bids, landlord[0])
        while not game.finished:
            position = (game.landlord_position + game.seat) % SEATS
            engine = self._engine(seating[position], seeds[position])
            show_hands(engine, game)
            decision = timed(engine, View.of(game, game.seat), self._limit, position, asked)
            game = game.played(decision.move)
        return GameOutcome(game, game.landlord_position, game.winner == 0, game.scores(), asked, [], game.bids)

    def _engine(self, letter: str, seed: int) -> Engine:
        engine = self._engines[letter]
        engine.reseed(seed)
        return engine


def show_hands(engine: Engine, game: Game) -> None:
    """
    Shows all hands to a player whose class has a method ``sees_hands`` for them, as one of the laboratory does.

    Every other player learns of a game what its view has, and nothing else.
    """
    player: Any = engine.player
    if sees_hands(type(player)):
        player.sees_hands(game.hands)


def sees_hands(player: type) -> bool:
    """Tells whether players of a class are shown all hands."""
    return hasattr(player, "sees_hands")


def timed(engine: Engine, view: View, limit: Limit, position: int, asked: list[Asked]) -> Decision:
    """Asks an engine, and notes the decision in *asked* if there was a choice."""
    began = time.perf_counter()
    decision = engine.choose(view, limit)
    milliseconds = 1000 * (time.perf_counter() - began)
    if decision.player != FORCED:
        asked.append(Asked.of_decision(position, len(view.plays), milliseconds, decision))
    return decision
