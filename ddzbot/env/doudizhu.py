"""Dou Dizhu for three agents, as PettingZoo's AEC interface has games (J. Terry et al., NeurIPS 2021)."""

from typing import Any, Dict, List, Optional

from ddzbot.env.packages import AECEnv, ResetNeeded
from ddzbot.env.playing import Playing
from ddzbot.game import SEATS

_AFTER_RESET = ("agent_selection", "rewards", "terminations", "truncations", "infos")


class DouDizhu(Playing, AECEnv):  # type: ignore[misc]  # pettingzoo may be missing
    """
    Three agents, ``player_0`` to ``player_2`` in the order of the auction; without one ``player_0`` is the landlord.

    An observation has ``observation``, the row of :mod:`ddzbot.env.layout`, and ``action_mask``, a byte for each
    action: 1 if it is legal now, and all 0 for the agents that are not to move. ``infos[agent]["legal_actions"]`` has
    the list of the numbers that are 1, from low to high. :meth:`move_of` says which move a number is, and
    :meth:`action_of` which number a move has (:class:`ddzbot.env.Actions`). Rewards are the points of the rule set, at
    the end. An action that is not legal ends it too, with the points of a fault. Copies share nothing and play alike.

    It checks itself what PettingZoo's wrappers would: calls before ``reset`` and after the end raise Gymnasium's
    ``ResetNeeded``. :mod:`ddzbot.env.doudizhu_v1` has it under the names of PettingZoo's own modules.

    :raises RulesError: for a rule set that is unknown.
    :raises ValueError: for a *render_mode* other than ``"ansi"`` and None.
    """

    metadata: Dict[str, Any] = {**Playing.metadata, "name": "doudizhu_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, rules: str = "botzone", render_mode: Optional[str] = None) -> None:
        super().__init__()
        self._set_up(rules, render_mode)
        self.possible_agents = [f"player_{position}" for position in range(SEATS)]
        self.agents: List[str] = []
        self._spaces_of = {name: self._spaces() for name in self.possible_agents}
        self._positions = {name: position for position, name in enumerate(self.possible_agents)}

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name}: there is none before reset(), which deals the game")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Any:
        """Gets the space of what an agent observes."""
        return self._spaces_of[self.possible_agents[self._position(agent)]][0]

    def action_space(self, agent: str) -> Any:
        """Gets the space of its actions."""
        return self._spaces_of[self.possible_agents[self._position(agent)]][1]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """
        Deals the next game; with a *seed* the first one of that seed. Until a seed is given, the games are random.

        :raises TypeError: for a seed that is no whole number.
        :raises ValueError: for one below 0.
        """
        self._deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self.table.position]
        self._tell()

    def observe(self, agent: str) -> Dict[str, Any]:
        """
        Gets what an agent sees, and what it may do now.

        :raises ResetNeeded: before the first deal.
        :raises ValueError: for an agent that there is not.
        """
        self._demand_deal("observe")
        return self._seen_at(self._position(agent))

    def last(self, observe: bool = True) -> Any:
        """
        Gets observation, reward, whether it has ended twice, and info of the agent to move, as PettingZoo says it.

        :raises ResetNeeded: before the first deal, and after the last step of the last agent.
        """
        self._demand_agents("last")
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """
        Yields the agent to move, again and again; there must be a :meth:`step` between two.

        :raises ResetNeeded: before the first deal.
        """
        self._demand_deal("agent_iter")
        return super().agent_iter(max_iter)

    def step(self, action: Optional[int]) -> None:
        """
        Makes the choice of the player to move; after the end each agent takes a last step, None.

        :raises TypeError: for an action that is no whole number; nothing has happened then, nor
        :raises IndexError: for a number that no action has, nor
        :raises ResetNeeded: before the first deal, and after the last step of the last agent, nor
        :raises ValueError: for a last step that is not None.
        """
        self._demand_agents("step")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"the game is over: the last step of {agent} is None, not {action!r:.60}")
            self._was_dead_step(action)
            return
        self._play(action)
        if self.table.points is not None:  # before, all rewards are 0
            self.rewards = dict(zip(self.possible_agents, map(float, self.table.points)))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self.agent_selection = self.possible_agents[self.table.position]
        self._tell()

    def _tell(self) -> None:
        self._take_turn()
        self.infos: Dict[str, Dict[str, Any]] = {name: {"legal_actions": []} for name in self.possible_agents}
        self.infos[self.agent_selection] = self._info(self.table.position)

    def _position(self, agent: Any) -> int:
        position = self._positions.get(agent)
        if position is None:
            raise ValueError(f"an agent is one of {', '.join(self.possible_agents)}, not {agent!r:.60}")
        return position

    def _demand_agents(self, call: str) -> None:
        self._demand_deal(call)
        if not self.agents:
            raise ResetNeeded(f"{call}() after the last step of the last agent: reset() deals the next game")
