"""
The engine: a decision for a view, whatever happens.

It asks the chosen player first. If that player fails, or names a move that is not legal, it asks the simplest
good player, and in the end lays the smallest card or passes, which no rule set refuses.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Union

from ddzbot.cards import UNIT, Hand, size
from ddzbot.players.base import Decision, Player
from ddzbot.players.registry import DEFAULT_PLAYER, make_player
from ddzbot.rules import PASS, SOLO, Move, RuleSet, explain
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

SIMPLEST_GOOD_PLAYER = "rule"


class Bid(NamedTuple):
    """A chosen bid, and what there is to say about it."""

    bid: int
    debug: Dict[str, Any]


class Engine:
    """Players in the order in which they are asked, and what to do when all of them fail."""

    def __init__(self, player: Union[str, Player] = DEFAULT_PLAYER, seed: int = 0, **options: object) -> None:
        """
        Makes the engine for a player, or for a player's name, seed and options. A player that cannot be made (a
        library is missing, a file is broken) is passed over, and reported in the ``debug`` of each decision.
        """
        self._players: List[Player] = []
        self._not_made: Dict[str, Any] = {}
        if isinstance(player, Player):
            self._players.append(player)
            seed = player.seed
            player = SIMPLEST_GOOD_PLAYER
        for name in (player, SIMPLEST_GOOD_PLAYER) if player != SIMPLEST_GOOD_PLAYER else (player,):
            try:
                self._players.append(make_player(name, seed, **(options if name == player else {})))
            except (Exception, SystemExit) as error:  # whatever is broken there, the next player may work
                self._not_made["failed_" + name] = _sentence(error)

    def reseed(self, seed: int) -> None:
        """Sets the seed of all random choices from now on: as good as a new engine, but caches stay warm."""
        for player in self._players:
            player.seed = seed

    @property
    def best_so_far(self) -> Optional[Move]:
        """The best move of the decision under way, for whoever cannot wait."""
        for player in self._players:
            if player.best_so_far is not None:
                return player.best_so_far
        return None

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a legal move; ``debug`` names the player, and the failures of those before it.

        Where there is only one legal move no player is asked; ``debug`` then names the player ``forced``.
        """
        forced = forced_move(view)
        if forced is not None:
            return Decision(forced, {"player": "forced"})
        failures = dict(self._not_made)
        for player in self._players:
            player.best_so_far = None
            try:
                decision = player.choose(view, limit)
                refusal = explain(view.rules, view.hand, decision.move.cards, view.to_beat)
                if refusal is None:
                    return Decision(decision.move, {"player": player.name, **failures, **decision.debug})
            except (Exception, SystemExit) as error:  # a bug in a player must not lose the game
                refusal = _sentence(error)
            failures["failed_" + player.name] = refusal
        return Decision(safe_move(view.rules, view.hand, view.to_beat), {"player": "none", **failures})

    def bid(self, view: BidView) -> Bid:
        """Chooses a legal bid, 0 if every player fails; ``debug`` is that of :meth:`choose`."""
        failures = dict(self._not_made)
        for player in self._players:
            try:
                bid = int(player.bid(view))
                if bid in view.legal_bids:
                    return Bid(bid, {"player": player.name, **failures})
                refusal = f"bid {bid} is not one of {view.legal_bids}"
            except (Exception, SystemExit) as error:  # as above
                refusal = _sentence(error)
            failures["failed_" + player.name] = refusal
        return Bid(0, {"player": "none", **failures})


def forced_move(view: View) -> Optional[Move]:
    """Gets the only legal move, or None where there is a choice: on a lead, always unless one card is left."""
    if view.to_beat is None and size(view.hand) > 1:
        return None
    moves = view.legal_moves()
    return moves[0] if len(moves) == 1 else None


def safe_move(rules: RuleSet, hand: Hand, to_beat: Optional[Move]) -> Move:
    """
    Gets a move that is legal whatever the table: the pass, or on a lead the smallest card.

    :raises ValueError: on a lead without cards.
    """
    if to_beat is not None:
        return PASS
    for rank, unit in enumerate(UNIT):
        if hand // unit % 16:
            return Move(unit, SOLO, rank, 1)
    raise ValueError(f"an empty hand cannot lead (rules {rules.name})")


def _sentence(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:120]
