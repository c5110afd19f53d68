"""CQL, DQN and A3C: they learn, resume with the same bits, and show it when their values grow without bound."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from ddzbot.cards import parse_hand
from ddzbot.game import SEATS, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.net.current import read_manifest
from ddzbot.net.packed import read
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS, rule_set
from ddzbot.view import View
from tools.programs.move_lists import whole_places
from tools.release.weights import checked
from tools.shared.interrupts import stop_on_signals
from tools.training import loop
from tools.training.command import main
from tools.training.figures import read_log
from tools.training.learners import a3c, pack
from tools.training.learners import learner as learners
from tools.training.learners.command import LEARNERS, make_learner
from tools.training.learners.cql import CoversLearner, CqlLearner
from tools.training.learners.dqn import DqnLearner, NaiveDqnLearner
from tools.training.learners.games import Finished, Situation, play_games, policy_of
from tools.training.learners.learner import Figures, QSettings, RlLearner, row_of, targets
from tools.training.learners.replay import Batch, Replay
from tools.training.loop import Training

pytestmark = pytest.mark.whole

ALL = sorted(LEARNERS)
TINY = QSettings(round_games=4, room=300, begin=20, batch=16, repeats=2, target_steps=3, explored_games=20)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for kind in (CqlLearner, DqnLearner, NaiveDqnLearner):
        monkeypatch.setattr(kind, "how", TINY)
    monkeypatch.setattr(a3c.A3cLearner, "how", a3c.A3cSettings(unit_games=2))
    monkeypatch.setattr(a3c, "ROUND_UNITS", 2)
    monkeypatch.setattr(learners, "ROW_GAMES", 4)
    yield
    torch.set_num_threads(1)


def learner(name: str, kernel: Kernel, seed: int = 1, rules: str = "mini") -> RlLearner:
    return make_learner(name, kernel, rule_set(rules), seed, deals=2, every=2)


def numbers(state: Any) -> list[torch.Tensor]:
    """Lists all numbers of a state, however deep they lie."""
    if isinstance(state, dict):
        return [tensor for value in state.values() for tensor in numbers(value)]
    if isinstance(state, (list, tuple)):
        return [tensor for value in state for tensor in numbers(value)]
    return [torch.as_tensor(state)] if state is not None else []


def same(one: loop.Learner, other: loop.Learner) -> bool:
    pairs = zip(numbers(one.state()), numbers(other.state()), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


# The games.


def test_games_side_by_side_are_the_games_one_after_the_other(with_kernel: None, kernel: Kernel) -> None:
    rules, deals = rule_set("botzone"), [f"train/1/{index:06d}" for index in range(8)]
    players = [policy_of(make_player(name)) for name in ("rule", "rhcp", "rule")]
    together = [game.winner for game in play_games(kernel, rules, deals, players)]
    assert together == [play_games(kernel, rules, [deal], players)[0].winner for deal in deals]
    assert set(together) <= set(range(SEATS)) and len(set(together)) > 1


def test_both_peasants_are_paid_alike(kernel: Kernel) -> None:
    policy = policy_of(make_player("random", seed=1))
    for game in play_games(kernel, rule_set("mini"), ["a", "b", "c", "d", "e", "f"], [policy] * SEATS):
        rewards = [game.reward(seat) for seat in range(SEATS)]
        assert rewards[1] == rewards[2] == -rewards[0] and rewards[game.winner] == 1


# The replay.

KIND = np.dtype([("number", "u4")])


def rows(*values: int) -> Any:
    return np.array([(value,) for value in values], KIND)


def test_the_next_row_is_the_next_decision_until_the_game_ends() -> None:
    replay = Replay(KIND, 7)
    for first in range(0, 30, 3):
        replay.add(rows(first, first + 1, first + 2), 1.0 if first % 2 else -1.0)
        batch = replay.draw(200, np.random.default_rng(first))
        number = batch.decisions["number"].astype(int)
        assert set(number) == set(range(max(0, first + 3 - 7), first + 3))
        assert (batch.ended == (number % 3 == 2)).all()
        assert (batch.followers["number"][~batch.ended] == number[~batch.ended] + 1).all()
        assert (batch.rewards[~batch.ended] == 0).all() and (abs(batch.rewards[batch.ended]) == 1).all()
    assert len(replay) == 7


def test_a_target_is_the_reward_or_the_discounted_value_of_what_followed() -> None:
    ended = np.array([True, False])
    batch = Batch(rows(0, 1), rows(1, 2), np.array([-1, 0], "f4"), ended)
    assert targets(batch, torch.tensor([-torch.inf, 0.5]), 0.9).tolist() == pytest.approx([-1, 0.45])


def test_returns_of_a3c_stop_at_a_value_after_some_steps() -> None:
    settings = a3c.A3cSettings(steps=2, discount=0.5)
    kept = [(rows(number), 10.0 + number) for number in range(4)]
    game = Finished(0, (kept, [], kept[:1]))
    found, returns = a3c.returns_of([game], settings)
    assert found["number"].tolist() == [0, 1, 2, 3, 0]
    assert returns.tolist() == [12 / 4, 13 / 4, 0.5, 1.0, -1.0]


# Learning.


@pytest.mark.parametrize("name", ALL)
def test_a_training_that_was_stopped_ends_as_one_that_never_was(name: str, kernel: Kernel, tmp_path: Path) -> None:
    through, stopped = (Training(tmp_path / folder, learner(name, kernel)) for folder in ("through", "stopped"))
    for one, rounds in ((through, 3), (stopped, 2)):
        for _ in range(rounds):
            one.round()
        one.save()
    again = Training(tmp_path / "stopped", learner(name, kernel))
    again.round()
    assert again.learner.done == through.learner.done == 12
    assert same(again.learner, through.learner)
    assert [{**row, "seconds": 0} for row in again.rows] == [{**row, "seconds": 0} for row in through.rows]
    assert not same(learner(name, kernel), again.learner)
    again.save()
    states = [torch.load(one.checkpoint, weights_only=True) for one in (through, again)]
    (first,), (second,) = (list(pack.packed([state], "float16")) for state in states)
    assert first.packed.tensors == second.packed.tensors and first.packed.description == second.packed.description


@pytest.mark.parametrize("kind", [CqlLearner, DqnLearner, NaiveDqnLearner])
def test_q_learning_comes_close_to_what_it_is_taught(
    kind: type[CqlLearner | DqnLearner | NaiveDqnLearner], kernel: Kernel
) -> None:
    one = kind(kernel, rule_set("mini"), 1)
    one.played(0, 0)
    batch = one.replay.draw(16, np.random.default_rng(1))
    rewards = (batch.decisions["move"] % 2).astype("f4")  # the same decision may have been drawn twice
    taught = batch._replace(ended=np.ones(16, np.bool_), rewards=rewards)
    first = float(one.losses(taught)[0].detach())
    for step in range(150):
        if step % 10 == 0:
            one.target.load_state_dict(one.net.state_dict())
        one.optimizer.zero_grad()
        one.losses(taught)[0].backward()  # type: ignore[no-untyped-call]
        one.optimizer.step()
    loss, values = one.losses(taught)
    assert float(loss.detach()) < first / 5
    assert values.tolist() == pytest.approx(taught.rewards.tolist(), abs=0.3)


def test_without_a_mask_an_illegal_move_counts_for_what_comes_next(kernel: Kernel) -> None:
    one = learner("dqn-naive", kernel)
    assert isinstance(one, NaiveDqnLearner)
    one.played(0, 0)
    batch = one.replay.draw(16, np.random.default_rng(1))
    batch = batch._replace(ended=np.zeros(16, np.bool_))
    before = float(one.losses(batch)[0].detach())
    with torch.no_grad():
        one.target.moves.bias[whole_places()[parse_hand("333444555666789T")]] = 50  # not in the deck of mini
    assert float(one.losses(batch)[0].detach()) > before + 40


def test_covers_are_drawn_of_the_whole_hand(kernel: Kernel) -> None:
    one = learner("cql-covers", kernel)
    assert isinstance(one, CoversLearner)
    view = View.of(start(shuffled(one.rules, "covers")), 0)
    first, other = (one.offered(Situation(view, view.legal_moves()), np.random.default_rng(seed)) for seed in (1, 2))
    assert len(first.divisions) > 10 and first != other
    for division in first.divisions:
        assert sum(first.moves[place].cards for place in division) == view.hand
        assert first.choices(first.divisions.index(division))


def test_a3c_comes_to_like_what_pays(kernel: Kernel) -> None:
    one = a3c.A3cLearner(kernel, rule_set("mini"), 1)
    settings = a3c.A3cSettings(rate=1e-4, largest_slope=5.0)
    unit = a3c.Unit(kernel, rule_set("mini"), 1, a3c.Shared(one.net, one.squares), settings)
    policy = a3c.drawing(one.net, np.random.default_rng(1))
    played = play_games(kernel, one.rules, ["a", "b"], [policy] * SEATS)
    rows, _ = a3c.returns_of(played, one.how)
    returns = torch.from_numpy(np.where(np.arange(len(rows)) % 2, 1, -1).astype("f4"))
    before = likely(one.net, rows)
    for _ in range(100):
        unit.renew()
        unit.learn(rows, returns)
    gained = likely(one.net, rows) - before
    assert gained[1::2].mean() > 0.02 > -0.02 > gained[::2].mean()
    values = one.net.both(rows)[1].detach()
    assert float(((values - returns) ** 2).mean()) < 0.85


def likely(net: a3c.A3cModel, rows: Any) -> torch.Tensor:
    chances = torch.softmax(net.both(rows)[0].detach(), 1)
    return chances[torch.arange(len(rows)), torch.from_numpy(rows["move"].astype(np.int64))]


@pytest.mark.usefixtures("usual_handlers")
def test_two_workers_learn_into_one_network_until_a_signal_comes(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = make_learner("a3c", kernel, rule_set("mini"), 1, workers=2)
    before = [tensor.clone() for tensor in numbers(one.learned())]
    training = Training(tmp_path, one)
    assert isinstance(one, a3c.A3cLearner) and one._pool is not None
    submitted = one._pool.map

    def begun(*words: Any) -> None:
        submitted(*words)
        signal.raise_signal(signal.SIGINT)

    try:
        found = one.played(0, 0)
        after = [tensor.clone() for tensor in numbers(one.learned())]
        monkeypatch.setattr(one._pool, "map", begun)
        with stop_on_signals():
            training.round()
    finally:
        one.close()
    assert (found.games, found.decisions > 100, one.helped > 0) == (32, True, True)
    assert not any(torch.equal(a, b) for a, b in zip(before, after, strict=True))
    # A round that is stopped is as if it had not begun: no worker steps after it was taken back.
    assert one.done == 0
    assert all(torch.equal(a, b) for a, b in zip(after, numbers(one.learned()), strict=True))


# What the log shows.


def test_a_row_sums_up_and_shows_values_that_diverge() -> None:
    usual, nothing = Figures(4, 50, 2, 0.1, 0.5, 0.9), float("nan")
    quiet = usual._replace(loss=nothing, value=nothing, largest=nothing)
    assert row_of([quiet]) == {"decisions": 50, "loss": None, "value": None, "largest": None, "landlord_wins": 0.5}
    row = row_of([quiet, usual, usual._replace(value=3.5, largest=40.0, landlord_wins=0)])
    assert row == {"decisions": 150, "loss": 0.1, "value": 2.0, "largest": 40.0, "landlord_wins": 0.3333}


# The commands.


@pytest.mark.parametrize("name", ALL)
def test_a_trained_network_is_packed_and_plays(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["learn", name, str(tmp_path / "it"), "--count", "8", "--rules", "mini", "--test", "2"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert len(read_log(tmp_path / "it")) == 2
    done = CliRunner().invoke(main, ["pack", str(tmp_path / "it"), "--folder", str(tmp_path / "weights"), "--promote"])
    (file,) = (tmp_path / "weights").glob(f"{name}-*.ddzw")
    assert checked(file) is None
    assert read(str(file)).description["data"]["games"] == 8
    if name == "dqn-naive":
        assert done.exit_code == 1 and "a current network has at most 2,500,000 bytes" in done.output
        return
    assert done.exit_code == 0, done.output
    current = read_manifest(str(tmp_path / "weights"))["current"][f"{name.partition('-')[0]}-1"]
    assert current == dict.fromkeys(RULE_SETS, file.name)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["cql", "x"], "Say when to stop: --games, --minutes or both."),
        (["cql", "x", "--count", "1", "--rules", "chess"], "'chess' is not one of"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(main, ["learn", *arguments])
    assert done.exit_code == 2 and sentence in done.output
