"""The player that draws uniformly from its legal moves, the pass included; a yardstick, and a fuzzer of rules."""

import random

from ddzbot.players.base import Decision, Player
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View


class RandomPlayer(Player):
    """Plays any legal set of ranks with the same probability."""

    name = "random"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(self.random_for(view).choice(view.legal_moves()), {})

    def bid(self, view: BidView) -> int:
        """Draws uniformly from the legal bids."""
        return random.Random(f"{self.seed}/{view.hand}/{len(view.bids)}").choice(view.legal_bids)
