"""The baselines and the measures, against the same numbers found the slow way."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from ddzbot.kernel.binding import Kernel
from tests.training.mcm.some_records import some_records
from tools.training.mcm.dataset import McmSamples
from tools.training.mcm.scores import by_hand_sizes, by_mean, choices, loss, noise

pytestmark = pytest.mark.whole


def key(records: McmSamples, number: int) -> tuple[bool, tuple[int, ...]]:
    decision = records.decision[number]
    return bool(records.shard.seat[decision] == 0), tuple(records.shard.cards_left[decision].tolist())


def test_the_mean_is_that_of_the_training_records(records: McmSamples) -> None:
    expected = sum(records.payoff[records.training].tolist()) / len(records.training)
    assert by_mean(records, records.test) == pytest.approx([expected] * len(records.test))


def test_hand_sizes_predict_the_mean_of_the_same_side_and_sizes(records: McmSamples) -> None:
    groups: dict[object, list[float]] = {}
    for number in records.training:
        for name in (key(records, number), key(records, number)[0]):
            groups.setdefault(name, []).append(float(records.payoff[number]))
    wanted = [key(records, number) for number in records.test]
    assert any(name not in groups for name in wanted)
    expected = [np.mean(groups.get(name, groups[name[0]])) for name in wanted]
    assert by_hand_sizes(records, records.test) == pytest.approx(expected, abs=1e-6)


def test_the_loss_is_the_mean_distance(records: McmSamples) -> None:
    numbers = records.test[:2]
    found = records.payoff[numbers] + np.array([0.5, -0.25])
    assert loss(found, records, numbers) == pytest.approx(0.375)


def test_noise_is_what_knowing_every_chance_would_leave(kernel: Kernel, tmp_path: Path) -> None:
    records = some_records(tmp_path, kernel, games=4)
    visits, chance = 400, 0.3
    shard = records.shard._replace(
        visits=np.full_like(records.shard.visits, visits),
        wins=np.full_like(records.shard.wins, round(visits * chance)),
        seat=np.ones_like(records.shard.seat),
    )
    wins = np.arange(visits + 1)
    expected = (binom.pmf(wins, visits, chance) * np.abs(2 * wins / visits - 2 * chance)).sum()
    assert noise(McmSamples(shard, np.ones(len(shard.seat), bool)), np.arange(50)) == pytest.approx(expected, rel=0.02)


def test_the_search_agrees_with_itself(records: McmSamples) -> None:
    found = np.zeros(len(records.decision))
    first = np.cumsum(records.shard.candidates) - records.shard.candidates
    found[first + records.shard.choice] = 1.0
    chosen = choices(found[records.test], records, records.test)
    assert chosen.agreement == 1.0
    assert chosen.decisions == len({*records.decision[records.test].tolist()})


def test_the_highest_payoff_loses_nothing_and_the_lowest_most(records: McmSamples) -> None:
    payoff = records.payoff[records.test]
    assert choices(payoff, records, records.test).lost == 0.0
    worst = choices(-payoff, records, records.test)
    assert worst.lost > worst.lost_by_chance > 0.0


def test_a_decision_that_lacks_a_candidate_is_left_out(records: McmSamples) -> None:
    payoff = records.payoff[records.test]
    whole = choices(payoff, records, records.test)
    assert choices(payoff[1:], records, records.test[1:]).decisions == whole.decisions - 1
