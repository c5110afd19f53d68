"""
The player ``deeprocket``: a policy network chooses the main move, and a kicker network its kickers; it does not search.

docs/lab/learners.md says what is the source's and what is ours. It cannot play without its networks, nor without
numpy; :mod:`ddzbot.engine` has the fallback. Its bidder is a third network, in a file of its own.
"""

from math import exp
from typing import Any, Dict, List, NamedTuple, Optional, Type

from ddzbot.bidding import bid_by_answer
from ddzbot.cards import Hand, hand_text
from ddzbot.net import rocket_bidder
from ddzbot.net.rocket_cnn import LOADER, RocketNetworks
from ddzbot.net.rocket_features import NAME, State, state_of
from ddzbot.net.rocket_moves import MainMove, by_output, completed, going_out
from ddzbot.players.base import GOES_OUT, MOST_DEBUG_MOVES, CannotPlay, Decision, Player
from ddzbot.players.options import read_options
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View


class DeepRocketOptions(NamedTuple):
    """The options of ``deeprocket``."""

    weights: Optional[str] = None
    """A file to play with instead of the current networks."""
    bid_weights: Optional[str] = None
    """A file to bid with instead of the current bidder."""


class DeepRocketPlayer(Player):
    """
    Plays the likeliest legal main move with the likeliest kickers; where it can go out, it does. Its options are
    :class:`DeepRocketOptions`.

    :raises ValueError: for an unknown option.
    """

    name = "deeprocket"
    features = NAME
    bid_features = rocket_bidder.NAME
    options_type: Optional[Type[Any]] = DeepRocketOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: DeepRocketOptions = read_options(self.name, DeepRocketOptions, options)

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move; it takes the same time within any *limit*.

        ``debug`` has the likeliest main moves, kickers as ``+`` and their number: ``{"policy": {"333444+2": 0.61,
        ...}}``.
        """
        networks = self._networks(view.rules.name)
        state = state_of(view)
        out = going_out(state.legal, view.hand)
        if out is not None:
            return self._decision_of(view, out, out.choice(view.hand), {"search": GOES_OUT})
        mains = by_output(state.legal)
        logits = networks.policy(state)
        ranked = sorted(mains.values(), key=lambda main: logits[main.output], reverse=True)
        kickers = _kickers(networks, state, ranked[0])
        return self._decision_of(view, ranked[0], kickers, {"policy": _debug_logits(ranked, logits)})

    def bid(self, view: BidView) -> int:
        """
        Chooses a bid by the chance of winning as the landlord.

        :raises CannotPlay: without a bidder.
        """
        loaded = rocket_bidder.LOADER.load(None, view.rules.name, self.options.bid_weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        return bid_by_answer(view, loaded.net)

    def _networks(self, rules: str) -> RocketNetworks:
        loaded = LOADER.load(None, rules, self.options.weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        networks: RocketNetworks = loaded.net
        return networks

    def _decision_of(self, view: View, main: MainMove, kickers: List[Hand], debug: Dict[str, Any]) -> Decision:
        move = completed(view.rules, main, kickers, view.to_beat)
        self.report(move)
        return Decision(move, debug)


def _kickers(networks: RocketNetworks, state: State, main: MainMove) -> List[Hand]:
    """Asks for the kickers one at a time. Any of those that are left leaves enough for the rest."""
    left = main.choice(state.hand)
    chosen: List[Hand] = []
    while len(chosen) < main.kickers:
        kicker = left[0] if len(set(left)) == 1 else networks.kicker(state, main, left, chosen)
        left.remove(kicker)
        chosen.append(kicker)
    return chosen


def _debug_logits(ranked: List[MainMove], logits: List[float]) -> Dict[str, float]:
    """Gets the probabilities of the first few main moves, among all that are legal."""
    most = logits[ranked[0].output]
    weights = [exp(logits[main.output] - most) for main in ranked]
    return {_text(main): round(weight / sum(weights), 3) for main, weight in zip(ranked[:MOST_DEBUG_MOVES], weights)}


def _text(main: MainMove) -> str:
    return (hand_text(main.body) or "pass") + (f"+{main.kickers}" if main.kickers else "")
