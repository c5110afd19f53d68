"""One seat at a table of named players, as Gymnasium has environments (M. Towers et al., 2024)."""

from typing import Any, Dict, Optional, Sequence, Tuple, Union

from ddzbot.engine import Engine
from ddzbot.env.given import checked_seed
from ddzbot.env.layout import Choice
from ddzbot.env.packages import Env
from ddzbot.env.playing import Playing
from ddzbot.game import SEATS
from ddzbot.players.registry import checked_player
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.stack import with_large_stack
from ddzbot.view import BidView


class Seat(Playing, Env):  # type: ignore[misc]  # gymnasium may be missing
    """
    The seat at a *position*, which is the landlord's at 0 where there is no auction, or each time another one (None).

    *others* play next to it, written as everywhere, for example ``"rule"`` or ``("rhcp", "champion:search=none")``, the
    next one first; *limit* is theirs. Observations, actions, rewards, faults and ``info["legal_actions"]`` are those of
    :class:`ddzbot.env.DouDizhu`. Copies share nothing and play alike, also those that pickle makes.

    Once :mod:`ddzbot.env` is imported, Gymnasium knows it: ``gymnasium.make("ddzbot/Seat-v0", rules="mini")``.

    :raises RulesError: for a rule set that is unknown.
    :raises PlayerError: for an unknown player, option or value.
    :raises ValueError: for another *position* than 0, 1, 2 and None, or another *render_mode* than ``"ansi"`` and None.
    """

    def __init__(
        self,
        rules: str = "botzone",
        others: Union[str, Sequence[str]] = "rule",
        position: Optional[int] = 0,
        limit: Limit = NO_LIMIT,
        render_mode: Optional[str] = None,
    ) -> None:
        self._set_up(rules, render_mode)
        self.limit = limit
        names = [others] * (SEATS - 1) if isinstance(others, str) else list(others)
        if len(names) != SEATS - 1 or position not in (None, *range(SEATS)):
            raise ValueError(f"a seat has a position of 0 to 2 or None, not {position!r}, and two others, not {names}")
        self._others = [checked_player(player).text for player in names]
        self._engines = [Engine(player) for player in self._others]
        self._wanted, self.position = position, position or 0
        """The one that is asked for, and the one of this game."""
        self.observation_space, self.action_space = self._spaces()

    def __getstate__(self) -> Dict[str, Any]:
        return {field: state for field, state in self.__dict__.items() if field != "_engines"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Players keep nothing from one decision to the next.
        self._engines = [Engine(player) for player in self._others]

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
        self._deal(seed)
        self.position = int(self.np_random.integers(SEATS)) if self._wanted is None else self._wanted
        self._others_play()
        return self._seen_at(self.position), self._info(self.position)

    def step(self, action: int) -> Tuple[Dict[str, Any], float, bool, bool, Dict[str, Any]]:
        """
        Makes a choice, and plays until it is one's turn again.

        :raises TypeError: for an action that is no whole number; nothing has happened then, nor
        :raises IndexError: for a number that no action has, nor
        :raises ResetNeeded: before the first deal, and after the game has ended.
        """
        self._demand_game("step")
        self._play(action)
        self._others_play()
        points = self.table.points
        reward = 0.0 if points is None else float(points[self.position])
        return self._seen_at(self.position), reward, points is not None, False, self._info(self.position)

    def _others_play(self) -> None:
        table = self.table
        while table.points is None and table.position != self.position:
            choices = table.choices()
            table.choose(self._chosen(choices) if len(choices) > 1 else choices[0])
        self._take_turn()

    def _chosen(self, choices: Sequence[Choice]) -> Choice:
        view = self.table.view
        engine = self._engines[(self.table.position - self.position) % SEATS - 1]
        if isinstance(view, BidView):
            return engine.bid(view).bid
        chosen = with_large_stack(lambda: engine.choose(view, self.limit)).move
        if chosen in choices:
            return chosen
        return next(move for move in choices if not isinstance(move, int) and move.cards == chosen.cards)
