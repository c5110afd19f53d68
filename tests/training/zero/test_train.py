"""Learning: it resumes where it was stopped, finds what is to be found, and refuses another training's folder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel import native
from ddzbot.players.registry import make_player
from ddzbot.rules import MINI, rule_set
from tests.support import require
from tools.programs import douzero_weights
from tools.programs.douzero_features import States
from tools.programs.douzero_network import Networks
from tools.training.command import main
from tools.training.loop import Training
from tools.training.zero import learner
from tools.training.zero.games import Menu, Samples, deals
from tools.training.zero.learner import EpsilonGreedy, Schedule, ZeroLearner, highest

pytestmark = pytest.mark.whole


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "ROUND_GAMES", 32)


def training(folder: Path, **given: Any) -> Training:
    options = {"width": 8, "objective": "wp", "seed": 1, "schedule": Schedule(), **given}
    return Training(folder, ZeroLearner(require(native(), "the kernel"), MINI, **options))


def same(one: Any, other: Any) -> bool:
    states = [each.learner.nets.state_dict() for each in (one, other)]
    return all(torch.equal(states[0][name], states[1][name]) for name in states[0])


@pytest.mark.usefixtures("few")
def test_a_training_that_was_stopped_ends_like_one_that_ran_through(tmp_path: Path) -> None:
    through = training(tmp_path / "through")
    for _ in range(3):
        through.round()
    begun = training(tmp_path / "stopped")
    begun.round()
    begun.save()
    again = training(tmp_path / "stopped")
    assert again.learner.done == 32 and 0 < again.seconds == begun.seconds
    for _ in range(2):
        again.round()
    assert same(through, again)
    assert [row["games"] for row in again.rows] == [32, 64, 96]
    assert not same(through, training(tmp_path / "other", seed=2))


@pytest.mark.usefixtures("few")
def test_the_command_resumes_and_its_networks_play(tmp_path: Path) -> None:
    require(native(), "the kernel")
    words = ["learn", "zero", str(tmp_path), "--width", "8", "--rules", "mini", "--minutes"]
    for minutes in ("0.0006", "0.012"):
        done = CliRunner().invoke(main, [*words, minutes])
        assert done.exit_code == 0, done.output
    kept = sorted(tmp_path.glob("net-*.npz"))
    assert len(kept) == 2
    about = json.loads(douzero_weights.about(kept[-1]))
    assert about["rules"] == "mini" and about["width"] == 8 and f"net-{about['games']:09d}.npz" == kept[-1].name
    make_player(f"douzero:weights={kept[-1]}")


def test_a_width_that_cannot_be_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "zero", str(tmp_path), "--width", "6"])
    assert (done.exit_code, "--width 6 is not a multiple of 4" in done.output) == (2, True)


def states(count: int, random: np.random.Generator) -> States:
    hands = deals(rule_set("botzone"), count, random)
    cards = np.concatenate([hands, hands[:, :2]], 1)
    numbers = np.tile(np.array([17, 17, 0], np.uint8), (count, 1))
    return States(0, cards, numbers, np.zeros((count, 15), np.uint64))


def test_it_learns_which_moves_win() -> None:
    """A player that leads a 3 wins here, and one that leads a 4 loses."""
    random = np.random.default_rng(1)
    taught = ZeroLearner(require(native(), "the kernel"), MINI, 16, "wp", Schedule(rate=3e-3, batch=32), 1)
    shown = states(2000, random)
    moves = np.where(random.random(2000) < 0.5, 1, 16).astype(np.uint64)
    results = np.where(moves == 1, 1, -1).astype(np.float32)
    first = taught._learn_seat(Samples(shown, moves, results), random)
    for _ in range(5):
        last = taught._learn_seat(Samples(shown, moves, results), random)
    assert last < 0.2 < first
    menu = Menu(np.array([16, 1, 0] * 3, np.uint64), np.zeros(9, np.uint8), np.arange(0, 10, 3))
    greedy = EpsilonGreedy(taught.nets, 0.0, random)
    assert greedy(shown.taken(np.arange(3)), menu).tolist() == [1, 1, 1]
    curious = EpsilonGreedy(taught.nets, 1.0, random)
    drawn = [tuple(curious(shown.taken(np.arange(3)), menu)) for _ in range(30)]
    assert {place for places in drawn for place in places} == {0, 1, 2}


def test_the_first_of_the_highest_values_is_chosen_in_each_list() -> None:
    values = np.array([1, 3, 3, -2, -1, 7], np.float32)
    starts = np.array([0, 3, 5, 6])
    assert highest(values, starts, np.array([0, 0, 0, 1, 1, 2])).tolist() == [1, 1, 0]


def test_the_rate_falls_after_the_first_games() -> None:
    schedule = Schedule(rate=4e-4, constant_games=100)
    assert [schedule.rate_after(games) for games in (0, 100, 400)] == [4e-4, 4e-4, 2e-4]


def test_values_of_many_states_at_once_are_those_of_each_alone() -> None:
    torch.manual_seed(1)
    net, random = Networks(16).of(0), np.random.default_rng(2)
    shown = states(5, random)
    moves = deals(rule_set("mini"), 12, random)[:, 1]
    owners = np.sort(random.integers(5, size=12))
    together = net.values(shown, moves, owners)
    for at, owner in enumerate(owners):
        alone = net.values(shown.taken(np.array([owner])), moves[at : at + 1], np.zeros(1, np.intp))
        assert abs(float(alone[0] - together[at])) < 1e-6
