"""The environments pass the checks of PettingZoo and Gymnasium, pay what the rules pay, and end with a fault."""

from typing import Any

import numpy as np
import pytest

from ddzbot.env import Actions, DouDizhu, Seat, Tables
from ddzbot.env.layout import IN_AUCTION, SEEN_CARDS, SEEN_REST
from ddzbot.players.registry import PlayerError
from ddzbot.rules import RULE_SETS, RulesError
from tests.env.needs import need_packages

pytestmark = [
    pytest.mark.whole,
    # Agents that are not to move have nothing to choose, and masks make an observation of two parts.
    *(
        pytest.mark.filterwarnings(f"ignore:{what}")
        for what in ("Action mask numpy array is all", "Observation space for each agent", "Observation is not a NumPy")
    ),
]
ROLE = 15 * len(SEEN_CARDS) + SEEN_REST.index("role")


@pytest.fixture(autouse=True)
def _packages() -> None:
    need_packages()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_pettingzoo_finds_nothing(rules: str) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(DouDizhu(rules), num_cycles=60)
    seed_test(lambda: DouDizhu(rules), num_cycles=10)


@pytest.mark.parametrize(("rules", "position"), [("botzone", 0), ("botzone2", None), ("mini", 2)])
def test_gymnasium_finds_nothing(rules: str, position: int | None) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(Seat(rules, "random", position), skip_render_check=True)


def test_many_seats_at_once_play_games_of_their_own() -> None:
    from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

    for many in (SyncVectorEnv, AsyncVectorEnv):
        environments = many([lambda: Seat("mini", "random")] * 4)
        seen, _ = environments.reset()
        assert len({bytes(row) for row in seen["observation"]}) == 4
        for _ in range(30):
            seen, *_ = environments.step(seen["action_mask"].argmax(axis=1))
        again = [bytes(environments.reset(seed=7)[0]["observation"]) for _ in range(2)]
        assert again[0] == again[1]
        environments.close()


def played(environment: Any, seed: int) -> dict[str, float]:
    """Plays a game at random, and gets the sums of the rewards."""
    environment.reset(seed=seed)
    chance, sums = np.random.default_rng(seed), dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, _, _ = environment.last()
        sums[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        assert over or 0 < len(legal) == len(environment.table.choices())
        environment.step(None if over else int(chance.choice(legal)))
    return sums


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_game_pays_each_agent_once_what_the_rules_pay(rules: str) -> None:
    environment = DouDizhu(rules)
    for seed in range(5):
        sums = played(environment, seed)
        game = environment.table.game
        assert game is not None
        order = [(position - game.landlord_position) % 3 for position in range(3)]
        assert list(sums.values()) == pytest.approx([game.scores()[seat] for seat in order])


def test_a_seed_deals_the_same_games_in_the_same_order() -> None:
    one, other = DouDizhu("mini"), DouDizhu("mini")
    deals = []
    for environment in (one, other):
        environment.reset(seed=4)
        deals.append([environment.table.deal, *(environment.reset() or environment.table.deal for _ in range(2))])
    assert deals[0] == deals[1] and len({*map(str, deals[0])}) == 3


@pytest.mark.parametrize(("rules", "paid"), [("botzone", [-1, 2.5, 2.5]), ("botzone2", [-2, 1, 1])])
def test_an_illegal_action_ends_the_game_as_a_judge_does(rules: str, paid: list[float]) -> None:
    environment = DouDizhu(rules, render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render().splitlines()[0].startswith("player_0 ")
    environment.step(0)  # a lead cannot be a pass, and a pass is no bid
    assert [environment.rewards[name] for name in environment.agents] == paid
    assert all(environment.terminations.values())


def test_a_bidder_sees_the_earlier_bids() -> None:
    environment = DouDizhu("icga")
    environment.reset(seed=1)
    environment.step(environment.actions.number(2))
    row = environment.observe("player_1")["observation"]
    first = 15 * len(SEEN_CARDS) + SEEN_REST.index("first_bid")
    assert (row[ROLE], row[first], row[first + 1]) == (IN_AUCTION, 3, 0)
    assert environment.observe("player_1")["action_mask"].nonzero()[0].tolist() == [
        environment.actions.number(bid) for bid in (0, 3)
    ]
    environment.step(environment.actions.number(3))
    assert environment.agent_selection == "player_1" and environment.observe("player_2")["observation"][ROLE] == 1


def test_a_seat_meets_named_players_where_it_wants_to_sit() -> None:
    seats = [Seat("mini", ("rhcp", "rule"), position) for position in (0, 1, 2)]
    for position, seat in enumerate(seats):
        observation, _ = seat.reset(seed=9)
        over = False
        while not over:
            assert observation["observation"][ROLE] == seat.position == position
            choice = int(np.flatnonzero(observation["action_mask"])[-1])
            observation, reward, over, _, _ = seat.step(choice)
        assert seat.table.points is not None and reward == seat.table.points[position]
    anywhere, found = Seat("mini", "rule", None), set()
    for seed in range(20):
        anywhere.reset(seed=seed)
        found.add(anywhere.position)
    assert found == {0, 1, 2}


def test_numbers_of_rows_are_those_of_choices() -> None:
    for rules in RULE_SETS.values():
        actions, tables = Actions(rules), Tables(50, rules.name)
        generator = np.random.default_rng(1)
        for _ in range(30):
            numbers = actions.numbers(tables.choices)
            assert numbers.min() >= 0 and numbers.max() < actions.count
            mask = np.zeros((tables.count, actions.count), np.int8)
            mask[np.repeat(np.arange(tables.count), tables.sizes), numbers] = 1
            assert np.array_equal(mask.sum(1), tables.sizes)
            tables.step(tables.drawn(generator))


def test_what_there_is_not_is_a_sentence() -> None:
    with pytest.raises(RulesError, match="rule set 'bridge' is unknown"):
        DouDizhu("bridge")
    with pytest.raises(PlayerError, match="nobody"):
        Seat("mini", "nobody")
    with pytest.raises(ValueError, match="a position of 0 to 2 or None, not 3, and two others"):
        Seat("mini", "rule", 3)
