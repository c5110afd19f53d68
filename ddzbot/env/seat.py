"""One seat at a table of named players, as Gymnasium has environments (M. Towers et al., 2024)."""

from typing import Any, Dict, Optional, Sequence, Tuple, Union

from ddzbot.engine import Engine
from ddzbot.env.actions import Actions
from ddzbot.env.given import Copied, checked_action, checked_seed
from ddzbot.env.layout import SEEN, Choice
from ddzbot.env.packages import Env, np, spaces
from ddzbot.env.table import Dealer, Table
from ddzbot.game import SEATS
from ddzbot.players.registry import checked_player
from ddzbot.rules import rule_set
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.stack import with_large_stack
from ddzbot.view import BidView


class Seat(Copied, Env):  # type: ignore[misc]  # gymnasium may be missing
    """
    The seat at a *position*, which is the landlord's at 0 where there is no auction, or each time another one (None).

    *others* play next to it, written as everywhere, for example ``"rule"`` or ``("rhcp", "champion:search=none")``, the
    next one first; *limit* is theirs. Observations, actions, rewards and faults are those of
    :class:`ddzbot.env.DouDizhu`. Copies share nothing and play alike, also those that pickle makes.

    :raises RulesError: for a rule set that is unknown.
    :raises PlayerError: for an unknown player, option or value.
    """

    metadata: Dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        rules: str = "botzone",
        others: Union[str, Sequence[str]] = "rule",
        position: Optional[int] = 0,
        limit: Limit = NO_LIMIT,
    ) -> None:
        self.rules, self.limit = rule_set(rules), limit
        names = [others] * (SEATS - 1) if isinstance(others, str) else list(others)
        if len(names) != SEATS - 1 or position not in (None, *range(SEATS)):
            raise ValueError(f"a seat has a position of 0 to 2 or None, not {position!r}, and two others, not {names}")
        self.actions, self._dealer = Actions(self.rules), Dealer(self.rules)
        self._others = [checked_player(name).text for name in names]
        self._engines = [Engine(name) for name in self._others]
        self._wanted, self.position = position, position or 0
        """The one that is asked for, and the one of this game."""
        self.table: Table = self._dealer.table()
        """The game, all hands open."""
        row = spaces.Box(0, 255, (SEEN,), np.uint8)
        mask = spaces.Box(0, 1, (self.actions.count,), np.int8)
        self.observation_space = spaces.Dict({"observation": row, "action_mask": mask})
        self.action_space = spaces.Discrete(self.actions.count)

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_engines"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._engines = [Engine(name) for name in self._others]  # players keep nothing from one decision to the next

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """
        Deals the next game, with a *seed* as :meth:`ddzbot.env.DouDizhu.reset`, and plays until it is one's turn.

        :raises TypeError: for a seed that is no whole number.
        :raises ValueError: for one below 0.
        """
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        self.table = self._dealer.table(seed)
        self.position = int(self.np_random.integers(SEATS)) if self._wanted is None else self._wanted
        self._others_play()
        return self._seen(), {}

    def step(self, action: int) -> Tuple[Dict[str, Any], float, bool, bool, Dict[str, Any]]:
        """
        Makes a choice, and plays until it is one's turn again.

        :raises TypeError: for an action that is no whole number; nothing has happened then, nor
        :raises IndexError: for a number that no action has.
        """
        number = checked_action(action, self.actions.count)
        self.table.choose(self.actions.choice(number, self.table.choices()))
        self._others_play()
        points = self.table.points
        return self._seen(), 0.0 if points is None else float(points[self.position]), points is not None, False, {}

    def _others_play(self) -> None:
        while self.table.points is None and self.table.position != self.position:
            self.table.choose(self._chosen())

    def _chosen(self) -> Choice:
        view = self.table.view
        engine = self._engines[(self.table.position - self.position) % SEATS - 1]
        if isinstance(view, BidView):
            return engine.bid(view).bid
        cards = with_large_stack(lambda: engine.choose(view, self.limit)).move.cards
        return next(move for move in self.table.choices() if not isinstance(move, int) and move.cards == cards)

    def _seen(self) -> Dict[str, Any]:
        choices = self.table.choices() if self.table.position == self.position else []
        return {
            "observation": np.array(self.table.seen(self.position), np.uint8),
            "action_mask": self.actions.mask(choices),
        }
