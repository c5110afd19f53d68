"""The base class of players: a player chooses a move, and a bid, from the view of one seat."""

import random
from typing import Any, Dict, NamedTuple, Optional, Tuple, Type

from ddzbot.bidding import bid_by_hand
from ddzbot.readable import described
from ddzbot.rules import Move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

GOES_OUT, ONE_CANDIDATE = "goes out", "one candidate"
"""The values of ``search`` in ``debug`` where players with a network did not need it."""
OUT_OF_TIME = "out of time"
"""The same where there was no time to search, or to end the search: the answer is the best move so far."""
MOST_DEBUG_MOVES = 4
"""The number of best moves that a player lists in ``debug``: a judge keeps what is short."""


class CannotPlay(Exception):  # noqa: N818 - nothing went wrong in the player
    """Raised by a player that lacks what it needs, such as its network; the message is one sentence that says what."""


@described(
    player="The player, with its options.",
    reason="Why it did not choose, in one sentence.",
)
class Failure(NamedTuple):
    """A player that was asked and did not choose, and why."""

    player: str
    reason: str


@described(
    move="The chosen move.",
    debug="Small JSON values for the match log.",
    player="The player that chose, with its options; ``forced`` or ``none`` where no player did.",
    failures="The players that failed before it, in this order; with any, the move is a fallback.",
)
class Decision(NamedTuple):
    """A chosen move, and what the player wants to say about it."""

    move: Move
    debug: Dict[str, Any]
    player: str = ""
    failures: Tuple[Failure, ...] = ()


class Player:
    """
    The base of all players.

    A player keeps no memory between decisions that could change one: the same seed, view and playouts give the
    same decision, whether the process is fresh or has run all game.
    """

    name = ""
    options_type: Optional[Type[Any]] = None
    """The NamedTuple of its options; None where the constructor names them."""
    features = ""
    """The features of the networks that it plays with, by :mod:`ddzbot.net.current`; empty without a network."""
    bid_features = ""
    """The same of the networks that it bids with."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.label = self.name
        """The name of this player with its options, such as ``mcm:setting=thesis``."""
        self.best_so_far: Optional[Move] = None
        """The best move of the decision under way, for a watchdog that cannot wait."""

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses one of the legal moves of *view* within *limit*.

        :raises CannotPlay: if something is missing without which this would be another player.
        """
        raise AssertionError(f"{type(self).__name__} does not choose moves")

    def bid(self, view: BidView) -> int:
        """Chooses one of the legal bids of *view*."""
        return bid_by_hand(view)

    def without_search(self) -> Optional["Player"]:
        """Gets the same player without its search, which needs less of a machine; None if there is no such player."""
        return None

    def report(self, move: Move) -> None:
        """Notes the best move so far; searches call this after every slice."""
        self.best_so_far = move

    def random_for(self, view: View) -> random.Random:
        """Makes the random generator of one decision: a function of the seed, the hand and the number of moves."""
        return random.Random(f"{self.seed}/{view.seat}/{view.hand}/{len(view.plays)}")
