"""What is called too early, too late or wrongly is a sentence; pictures, names for others, and numbers of moves."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ddzbot.env import DouDizhu, Seat
from ddzbot.rules import RULE_SETS
from tests.env.needs import need_packages
from tests.support import ROOT

pytestmark = pytest.mark.whole


@pytest.fixture(autouse=True)
def _packages() -> None:
    need_packages()


def legal(environment: Any) -> Iterator[int]:
    """Yields the last legal action of each agent until the game is over."""
    while environment.table.points is None:
        yield environment.infos[environment.agent_selection]["legal_actions"][-1]


def test_agents_say_what_is_too_early_and_too_late() -> None:
    from gymnasium.error import ResetNeeded

    environment = DouDizhu("botzone2", render_mode="ansi")
    calls: dict[str, Callable[[], object]] = {
        "step": lambda: environment.step(1),
        "last": lambda: environment.last(),
        "agent_iter": lambda: environment.agent_iter(),
        "observe": lambda: environment.observe("player_0"),
        "render": lambda: environment.render(),
    }
    for name, call in calls.items():
        with pytest.raises(ResetNeeded, match=rf"^{name}\(\) before reset\(\), which deals the game$"):
            call()
    for name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match=rf"^{name}: there is none before reset\(\), which deals the game$"):
            getattr(environment, name)
    with pytest.raises(AttributeError, match="'DouDizhu' object has no attribute 'reward'"):
        _ = environment.reward
    environment.reset(seed=1)
    for action in legal(environment):
        environment.step(action)
    with pytest.raises(ValueError, match=r"^the game is over: the last step of player_[012] is None, not 7$"):
        environment.step(7)
    for _ in range(3):
        assert environment.last()[2]
        environment.step(None)
    for name in ("step", "last"):
        with pytest.raises(ResetNeeded, match=rf"^{name}\(\) after the last step of the last agent: reset\(\) deals"):
            calls[name]()
    assert [*environment.agent_iter()] == []
    environment.reset()
    assert environment.last()[2] is False


def test_a_seat_says_what_is_too_early_and_too_late() -> None:
    from gymnasium.error import ResetNeeded

    seat = Seat("mini", "random", render_mode="ansi")
    for name, call in (("step", lambda: seat.step(0)), ("render", seat.render)):
        with pytest.raises(ResetNeeded, match=rf"^{name}\(\) before reset\(\), which deals the game$"):
            call()
    seat.reset(seed=1)
    *_, over, _, info = seat.step(0)
    points = seat.table.points
    assert over and points == [-1, 2.5, 2.5] and info == {"legal_actions": []}
    with pytest.raises(ResetNeeded, match=r"^step\(\) after the game has ended: reset\(\) deals the next one$"):
        seat.step(1)
    assert seat.table.points is points


def test_an_agent_that_there_is_not_is_a_sentence() -> None:
    environment = DouDizhu("mini")
    environment.reset()
    for call in (environment.observe, environment.observation_space, environment.action_space):
        with pytest.raises(ValueError, match=r"^an agent is one of player_0, player_1, player_2, not 'landlord'$"):
            call("landlord")


@pytest.mark.parametrize("make", [DouDizhu, Seat])
def test_the_picture_has_all_hands_and_the_turn(make: Any) -> None:
    for mode in ("bad", "rgb_array", "human", 1):
        with pytest.raises(ValueError, match=f"^render_mode must be 'ansi' or None, not {mode!r}$"):
            make("mini", render_mode=mode)
    blind = make("mini")
    blind.reset(seed=1)
    with pytest.warns(UserWarning, match="made without render_mode"):
        assert blind.render() is None
    environment = make("mini", render_mode="ansi")
    environment.reset(seed=1)
    hands = [" ".join(line.split()[:2]) for line in environment.render().splitlines()[:3]]
    assert [len(hand.split()[1]) for hand in hands] == [12, 9, 9] and environment.render().endswith("\nplayer_0 leads")
    assert environment.render().splitlines()[0].endswith(" (landlord)")
    environment.step(0)
    assert environment.render().endswith("\nover: -1, 2.5, 2.5")


def test_the_picture_of_an_auction_and_of_a_follow() -> None:
    environment = DouDizhu("botzone2", render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render().endswith("\nplayer_0 bids first") and "landlord" not in environment.render()
    environment.step(environment.action_of("bid 1"))
    assert environment.render().endswith("\nplayer_1 bids after 1")
    environment.step(environment.action_of("bid 3"))
    assert environment.render().splitlines()[1].endswith(" (landlord)")
    lead = environment.move_of(environment.infos["player_1"]["legal_actions"][-1])
    environment.step(environment.action_of(lead))
    assert environment.render().endswith(f"\nplayer_2 has to beat {lead}")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_number_is_a_move_and_back_and_info_lists_the_legal_ones(rules: str) -> None:
    environment, seat = DouDizhu(rules), Seat(rules, "random", None)
    for number in (0, 1, environment.actions.bids - 1, environment.actions.count - 1):
        assert environment.action_of(environment.move_of(number)) == number
    assert environment.move_of(0) == "pass" and environment.action_of("KJQTA") == environment.action_of("TJQKA")
    for text, said in (("34", "is no action"), ("bid 4", "is not a rank"), ("", "is no action"), ("3x", "not a rank")):
        with pytest.raises(ValueError, match=said):
            seat.action_of(text)
    with pytest.raises(IndexError, match="an action must be a number from 0 to "):
        seat.move_of(environment.actions.count)
    environment.reset(seed=2)
    for action in legal(environment):
        for name in environment.agents:
            numbers, mask = environment.infos[name]["legal_actions"], environment.observe(name)["action_mask"]
            assert numbers == np.flatnonzero(mask).tolist()
            assert (len(numbers) > 0) == (name == environment.agent_selection)
        named = {environment.move_of(number) for number in environment.last()[4]["legal_actions"]}
        assert named == {f"bid {one}" if isinstance(one, int) else str(one) for one in environment.table.choices()}
        environment.step(action)
    observation, info = seat.reset(seed=2)
    over = False
    while not over:
        assert info["legal_actions"] == np.flatnonzero(observation["action_mask"]).tolist() != []
        observation, _, over, _, info = seat.step(info["legal_actions"][-1])


def test_gymnasium_and_pettingzoo_find_them_by_their_names() -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from ddzbot.env import doudizhu_v1

    made = gymnasium.make("ddzbot/Seat-v0", rules="mini", others="random", render_mode="ansi")
    assert isinstance(made.unwrapped, Seat) and made.unwrapped.rules.name == "mini"
    check_env(made.unwrapped)
    many = gymnasium.make_vec("ddzbot/Seat-v0", num_envs=2, rules="mini", others="random")
    _, infos = many.reset(seed=1)
    for _ in range(9):
        *_, infos = many.step(np.array([numbers[-1] if numbers else 0 for numbers in infos["legal_actions"]]))
    assert doudizhu_v1.env(rules="mini").unwrapped.rules.name == "mini" and doudizhu_v1.raw_env is DouDizhu
    code = "import gymnasium; print(gymnasium.make('ddzbot.env:ddzbot/Seat-v0').unwrapped.rules.name)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("botzone\n", "")
    code = "import sys, ddzbot.api; print({'gymnasium', 'pettingzoo', 'ddzbot.env'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "set()\n"
