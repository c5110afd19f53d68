"""
The player ``cql``: combinational Q-learning (You et al. 2019), a division of the hand first, then a move of it.

docs/lab/learners.md explains it. It cannot play without its network; :mod:`ddzbot.engine` has its fallback.
"""

from typing import Any, NamedTuple, Optional, Type

from ddzbot.cards import hand_text
from ddzbot.kernel import native
from ddzbot.net.cql_divisions import Offer, offer
from ddzbot.net.cql_features import NAME, facts_of
from ddzbot.net.cql_net import LOADER
from ddzbot.players.base import MOST_DEBUG_MOVES, CannotPlay, Decision, Player
from ddzbot.players.options import read_options
from ddzbot.search.limit import Limit
from ddzbot.view import View


class CqlOptions(NamedTuple):
    """The options of ``cql``."""

    weights: Optional[str] = None
    """A file to play with instead of the current network."""


class CqlPlayer(Player):
    """
    Plays the best move of the division that its network likes best; the seed changes nothing, and no search follows.

    :raises ValueError: for an unknown option.
    """

    name = "cql"
    features = NAME
    options_type: Optional[Type[Any]] = CqlOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: CqlOptions = read_options(self.name, CqlOptions, options)

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move; *limit* is not needed, since a decision takes milliseconds with kernel and numpy.

        ``debug`` has the network's file, the chosen division, and the best of its moves with their values.
        """
        kernel = native()
        loaded = LOADER.load(kernel, view.rules.name, self.options.weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        legal = view.legal_moves() if kernel is None else kernel.legal_moves(view.rules, view.hand, view.to_beat)
        offered = offer(view.rules, view.hand, view.to_beat, legal)
        judged = loaded.net.judge(facts_of(view), offered)
        ranked = sorted(zip(judged.moves, judged.choices), key=lambda pair: (-pair[0], pair[1]))
        values = {str(offered.moves[index]): [round(worth, 3)] for worth, index in ranked[:MOST_DEBUG_MOVES]}
        division = _text(offered, judged.division)
        return Decision(
            offered.moves[judged.best], {"weights": loaded.description, "division": division, "moves": values}
        )


def _text(offered: Offer, division: int) -> str:
    return " ".join(hand_text(offered.moves[index].cards) for index in offered.divisions[division])
