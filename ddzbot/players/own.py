"""A player of your own that knows nothing of :class:`ddzbot.players.base.Player`: any class with ``choose``."""

from typing import Any, Type

from ddzbot.players.base import Decision, Player
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View


class _Own(Player):
    """Asks an object of :attr:`made_of`, which may bid, too, and may take the seed."""

    made_of: Type[Any] = object

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        code = getattr(self.made_of.__init__, "__code__", None)
        self._takes_seed = code is not None and "seed" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if self._takes_seed:
            options["seed"] = seed
        self._own = self.made_of(**options)

    def choose(self, view: View, limit: Limit) -> Decision:
        if self._takes_seed:
            self._own.seed = self.seed  # of this game
        chosen: Decision = self._own.choose(view, limit)
        return chosen

    def bid(self, view: BidView) -> int:
        bids = getattr(self._own, "bid", None)
        return super().bid(view) if bids is None else int(bids(view))


def as_player(own: Type[Any]) -> Type[Player]:
    """
    Makes a class of players of a class whose ``choose(view, limit)`` gets a legal move, or a decision.

    Its ``bid(view)`` bids, if there is one. A constructor that names ``seed`` gets it, and so does the attribute.
    """
    about = {"made_of": own, "name": own.__name__.lower(), "__module__": own.__module__, "__doc__": own.__doc__}
    return type(own.__name__, (_Own,), about)
