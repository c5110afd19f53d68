"""
The player ``rhcp``: a restatement of a public greedy program, kept as the project's outside yardstick.

It is never improved and never tuned: its strength is that of the program (docs/lab/sources.md), and what it is worth
against other players has to stay comparable. It values hands by splitting them
(:mod:`ddzbot.players.rhcp_value`) and follows by the value of what is left (:mod:`ddzbot.players.rhcp_follow`).
It knows neither roles nor partners, and looks at no card but its own and those to beat.

Its moves and the rule sets. Every lead it chooses is legal under every rule set, because its groups have kickers of
different ranks outside the body, which all accept. Following, it chooses one thing that only ``standard``
accepts: a whole hand of four with one pair, such as ``444433``, on four with two solos. Under the other rule
sets it passes then, and says so with ``"refused": 1`` in the decision's debug. The same holds for an answer
to cards that the rule set does not recognise, such as four with one pair played under ``botzone``. Moves that the
program does not recognise itself, such as shuttles and planes with two equal kickers, it passes on, but for the
rocket that it plays on anything when one group remains.
"""

from ddzbot.players.base import Decision, Player
from ddzbot.players.rhcp_follow import follow
from ddzbot.players.rhcp_value import GROUPS, hand_value, lead
from ddzbot.rules import PASS, beats
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

# Points of a hand below which it bids 1, and below which it bids 2.
_BID_POINTS = (15, 20)


class RhcpPlayer(Player):
    """Plays RHCP: greedy by the value of the rest of the hand; seed and limit change nothing."""

    name = "rhcp"

    def choose(self, view: View, limit: Limit) -> Decision:
        """Chooses as the original does. For example, leading ``333445`` it plays ``33344``."""
        to_beat = view.to_beat
        if to_beat is None:
            return Decision(GROUPS[lead(view.hand)], {})
        cards = follow(view.hand, to_beat.cards)
        if not cards:
            return Decision(PASS, {})
        if not beats(view.rules, cards, to_beat.cards):
            return Decision(PASS, {"refused": 1})
        return Decision(GROUPS[cards], {})

    def bid(self, view: BidView) -> int:
        """Bids 1 with fewer than 15 points, 2 with fewer than 20, else 3; and 0 if that is not above the others."""
        points = hand_value(view.hand).points
        bid = 1 + sum(points >= needed for needed in _BID_POINTS)
        return bid if bid in view.legal_bids else 0
