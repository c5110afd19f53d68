"""Records hold what the teacher saw and chose, are the same whenever they are made, and resume where they stopped."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import Hand
from ddzbot.game import shuffled, start
from ddzbot.net.rocket_features import planes, state_arrays, state_of
from ddzbot.net.rocket_kickers import kicker_columns, kicker_planes
from ddzbot.net.rocket_moves import by_output, output_of
from ddzbot.rules import FOUR_TWO_PAIR, FOUR_TWO_SOLO, MINI, PLANE_PAIR, PLANE_SOLO, TRIO_PAIR, TRIO_SOLO
from ddzbot.view import View
from tests.net.oracles import kicker_of
from tests.training.rocket.some_games import GAMES, PLAN, games
from tools.training.command import main
from tools.training.rocket.dataset import ALLOWED, CHOSEN, RocketSamples, load_samples
from tools.training.rocket.games import taught_game
from tools.training.shards import shard_paths

pytestmark = pytest.mark.whole

KICKERS_OF = {TRIO_SOLO: 1, TRIO_PAIR: 1, PLANE_SOLO: 1, PLANE_PAIR: 1, FOUR_TWO_SOLO: 2, FOUR_TWO_PAIR: 2}
QUICK = ["--rules", "mini", "--simulations", "0", "--shard", "4", "--jobs", "1", "--quiet"]


@pytest.fixture(scope="module")
def records(shards: Path) -> RocketSamples:
    return load_samples([shards])


@pytest.mark.usefixtures("kernel")
def test_without_straying_the_labels_are_the_moves_of_the_teacher() -> None:
    plan = replace(PLAN, explore=0.0)
    player = plan.player()
    for index in range(3):
        played = taught_game(plan, player, index)
        game, decisions, settled = start(shuffled(MINI, plan.deal_seed(index))), list(played.decisions), 0
        kickers = 0
        while not game.finished:
            view = View.of(game, game.seat)
            move = player.choose(view, plan.limit).move
            if decisions and decisions[0].ply == len(game.plays):
                chosen = decisions.pop(0)
                assert chosen.state == state_of(view)
                assert chosen.label == output_of(move)
                asked = [kicker_of(question.label) for question in chosen.questions]
                assert not asked or sum(asked) <= move.cards
            else:
                settled += 1
                assert move.cards == view.hand or len(by_output(state_of(view).legal)) == 1
            kickers += KICKERS_OF.get(move.kind, 0) * move.length
            game = game.play(move)
        assert (decisions, settled, played.landlord_won) == ([], played.settled, game.winner == 0)
        assert kickers == played.forced + sum(len(one.questions) for one in played.decisions)


def test_a_decision_has_its_planes_and_what_was_legal(records: RocketSamples) -> None:
    decisions = [one for game in games() for one in game.decisions]
    numbers = np.array([11, 0, 5])
    batch = records.policy.batch(numbers)
    states = [decisions[number].state for number in numbers]
    assert (batch.planes == planes(state_arrays(states))).all()
    for number, target in zip(numbers, batch.targets, strict=True):
        legal = set(by_output(decisions[number].state.legal))
        assert set(np.flatnonzero(target)) == legal
        assert np.flatnonzero(target == CHOSEN).tolist() == [decisions[number].label]
        assert (target == ALLOWED).sum() == len(legal) - 1


def test_a_question_has_its_planes_and_what_could_be_chosen(records: RocketSamples) -> None:
    questions = [question for game in games() for one in game.decisions for question in one.questions]
    assert len(questions) == len(records.kicker.label) > 20
    batch = records.kicker.batch(np.arange(len(questions)))
    assert (batch.planes == kicker_planes(kicker_columns([question.row for question in questions]))).all()
    for question, target in zip(questions, batch.targets, strict=True):
        assert np.flatnonzero(target == CHOSEN).tolist() == [question.label]
        allowed: list[Hand] = [kicker_of(int(output)) for output in np.flatnonzero(target)]
        assert len({kicker.bit_count() for kicker in allowed}) == 1 and len(allowed) > 1


def test_kickers_of_a_move_are_asked_from_the_lowest_on(records: RocketSamples) -> None:
    for game in games():
        for one in game.decisions:
            labels = [question.label for question in one.questions]
            assert all(first <= second for first, second in pairwise(labels))


def test_games_are_in_the_test_or_in_the_training(records: RocketSamples) -> None:
    for table in (records.policy, records.kicker):
        assert set(table.game[table.training]).isdisjoint(table.game[table.test])
        assert len(table.training) + len(table.test) == len(table.label)
    assert set(records.policy.game) == set(range(GAMES))
    assert 0 < len(set(records.policy.game[records.policy.test])) < GAMES // 3
    assert records.settled > 0


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["make", "rocket", str(folder), *QUICK, *options])


@pytest.mark.usefixtures("kernel")
def test_the_same_command_makes_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "again"):
        done = run(tmp_path / folder, "--count", "4")
        assert done.exit_code == 0 and "decisions" in done.output, done.output
    (one,), (again,) = (shard_paths(tmp_path / folder) for folder in ("one", "again"))
    assert one.read_bytes() == again.read_bytes()


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--seed", "2"], "seed is 1 there and 2 here"),
        (["--teacher", "rule"], "teacher rule is not the champion"),
        (["--explore", "2"], "'--explore': 2.0 is not in the range 0<=x<=1"),
    ],
)
def test_another_plan_and_a_wrong_one_are_refused(tmp_path: Path, options: list[str], fault: str, shards: Path) -> None:
    folder = shards if options[0] == "--seed" else tmp_path
    arguments = ["--shard", "10", "--explore", "0.3", *options]
    result = run(folder, "--count", "10", *arguments)
    assert result.exit_code == 2
    assert fault in " ".join(result.output.split())
