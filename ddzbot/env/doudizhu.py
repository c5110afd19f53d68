"""Dou Dizhu for three agents, as PettingZoo's AEC interface has games (J. Terry et al., NeurIPS 2021)."""

from typing import Any, Dict, List, Optional

from ddzbot.cards import hand_text
from ddzbot.env.actions import Actions
from ddzbot.env.given import Copied, checked_action, checked_seed
from ddzbot.env.layout import SEEN
from ddzbot.env.packages import AECEnv, np, spaces
from ddzbot.env.table import Dealer, Table
from ddzbot.game import SEATS
from ddzbot.rules import rule_set


class DouDizhu(Copied, AECEnv):  # type: ignore[misc]  # pettingzoo may be missing
    """
    Three agents, ``player_0`` to ``player_2`` in the order of the auction; without one ``player_0`` is the landlord.

    An observation has ``observation``, the row of :mod:`ddzbot.env.layout`, and ``action_mask``, all 0 for the agents
    that are not to move. Actions are numbered by :class:`ddzbot.env.Actions`. Rewards are the points of the rule set,
    at the end. An action that is not legal ends it too, with the points of a fault. Copies share nothing and play
    alike.

    :raises RulesError: for a rule set that is unknown.
    """

    metadata: Dict[str, Any] = {"name": "doudizhu_v1", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, rules: str = "botzone", render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.rules, self.render_mode = rule_set(rules), render_mode
        self.actions = Actions(self.rules)
        self.possible_agents = [f"player_{position}" for position in range(SEATS)]
        self.agents: List[str] = []
        self._dealer = Dealer(self.rules)
        self.table: Table = self._dealer.table()
        """The game, all hands open."""
        row = spaces.Box(0, 255, (SEEN,), np.uint8)
        mask = spaces.Box(0, 1, (self.actions.count,), np.int8)
        self._observations = {
            name: spaces.Dict({"observation": row, "action_mask": mask}) for name in self.possible_agents
        }
        self._actions = {name: spaces.Discrete(self.actions.count) for name in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Gets the space of what an agent observes."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """Gets the space of its actions."""
        return self._actions[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """
        Deals the next game; with a *seed* the first one of that seed. Until a seed is given, the games are random.

        :raises TypeError: for a seed that is no whole number.
        :raises ValueError: for one below 0.
        """
        self.table = self._dealer.table(None if seed is None else checked_seed(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[self.table.position]

    def observe(self, agent: str) -> Dict[str, Any]:
        """Gets what an agent sees, and what it may do now."""
        position = self.possible_agents.index(agent)
        choices = self.table.choices() if position == self.table.position else []
        return {
            "observation": np.array(self.table.seen(position), np.uint8),
            "action_mask": self.actions.mask(choices),
        }

    def step(self, action: Optional[int]) -> None:
        """
        Makes the choice of the player to move.

        :raises TypeError: for an action that is no whole number; nothing has happened then, nor
        :raises IndexError: for a number that no action has.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        choice = self.actions.choice(checked_action(action, self.actions.count), self.table.choices())
        self._cumulative_rewards[agent] = 0.0
        self.table.choose(choice)
        self._clear_rewards()
        if self.table.points is not None:
            self.rewards = dict(zip(self.possible_agents, map(float, self.table.points)))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.table.position]
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        """Writes all hands, where the environment was made with ``render_mode="ansi"``."""
        if self.render_mode != "ansi":
            return None
        game, deal = self.table.game, self.table.deal
        at = game.landlord_position if game else 0
        hands = [(game.hands if game else deal.hands)[(position - at) % SEATS] for position in range(SEATS)]
        return "\n".join(f"player_{position} {hand_text(hand)}" for position, hand in enumerate(hands))

    def close(self) -> None:
        """Has nothing to end."""
