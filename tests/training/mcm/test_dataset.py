"""Records in memory: duplicates, the split by game, and payoffs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ddzbot.kernel.binding import Kernel
from tests.training.mcm.some_records import PLAN, decisions, some_records, write_games
from tools.training.mcm import dataset
from tools.training.mcm.dataset import McmSamples, load_samples, of_side, payoffs
from tools.training.mcm.shards import Shard, shard_of
from tools.training.shards import is_test_deal

pytestmark = pytest.mark.whole


def twice(shard: Shard) -> Shard:
    return Shard(*(np.concatenate([column, column]) for column in shard))


def in_training(shard: Shard) -> McmSamples:
    return McmSamples(shard, np.zeros(len(shard.seat), dtype=bool))


def inputs_of(records: McmSamples) -> set[bytes]:
    parts = zip(*records.inputs(records.training), strict=True)
    return {b"".join(part.tobytes() for part in record) for record in parts}


def test_the_first_of_two_equal_records_is_kept(kernel: Kernel) -> None:
    shard = shard_of(decisions(kernel))
    once = in_training(shard)
    both = in_training(twice(shard))
    assert both.duplicates == len(shard.move) + 2 * once.duplicates
    assert both.training.tolist() == once.training.tolist()


@pytest.mark.parametrize("column", ["words", "kinds", "landlord", "move", "kind"])
def test_records_that_differ_in_anything_shown_are_no_duplicates(kernel: Kernel, column: str) -> None:
    shard = twice(shard_of(decisions(kernel)))
    changed = getattr(shard, column).copy()
    changed[len(changed) // 2 :].reshape(-1)[::29] ^= 1
    records = in_training(shard._replace(**{column: changed}))
    assert records.duplicates < len(shard.move) // 2
    assert len(inputs_of(records)) == len(records.training)


def test_a_hash_alone_throws_no_record_away(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    shard = twice(shard_of(decisions(kernel)))
    expected = inputs_of(in_training(shard))
    monkeypatch.setattr(dataset, "_hashes", lambda shard, decisions: np.zeros(len(decisions), np.uint64))
    assert inputs_of(in_training(shard)) == expected


def test_a_game_is_in_the_test_or_in_the_training(records: McmSamples) -> None:
    training, test = (records.shard.game[records.decision[part]] for part in (records.training, records.test))
    assert {*training.tolist()} & {*test.tolist()} == set()
    assert {*training.tolist(), *test.tolist()} == {*range(40)}


def test_more_games_move_none_between_training_and_test(kernel: Kernel, tmp_path: Path, records: McmSamples) -> None:
    few = some_records(tmp_path, kernel, games=20)
    assert records.test[: len(few.test)].tolist() == few.test.tolist()
    assert len(records.test) > len(few.test) > 0


def test_about_a_tenth_of_the_deals_is_in_the_test() -> None:
    assert 900 < sum(is_test_deal(PLAN.deal_seed(index), "mcm") for index in range(10000)) < 1100


def test_payoffs_are_two_points_for_the_landlord_and_one_for_a_peasant() -> None:
    found = payoffs(np.array([3, 3, 0, 4]), np.array([4, 4, 4, 4]), np.array([0, 1, 0, 2]))
    assert found.tolist() == [1.0, 0.5, -2.0, 1.0]


def test_sides_part_the_records(records: McmSamples) -> None:
    landlord, peasants = (of_side(records, records.training, landlord=side) for side in (True, False))
    assert sorted([*landlord, *peasants]) == records.training.tolist()
    assert {*records.shard.seat[records.decision[landlord]].tolist()} == {0}


def test_the_digest_names_the_records(kernel: Kernel, tmp_path: Path) -> None:
    one, same = some_records(tmp_path, kernel, games=8), some_records(tmp_path, kernel, games=8)
    assert one.digest() == same.digest()
    same.keep(100)
    assert len(same.training) == 100
    assert one.digest() != same.digest()


def test_folders_are_put_together(kernel: Kernel, tmp_path: Path) -> None:
    one = write_games(tmp_path / "one", kernel, 4)
    other = write_games(tmp_path / "other", kernel, 4, replace(PLAN, seed=2))
    both = load_samples([one, other])
    assert len(both.decision) == sum(len(load_samples([folder]).decision) for folder in (one, other))


def test_games_of_two_rule_sets_are_not_put_together(kernel: Kernel, tmp_path: Path) -> None:
    one = write_games(tmp_path / "one", kernel, 1, replace(PLAN, games=1))
    other = write_games(tmp_path / "other", kernel, 1, replace(PLAN, games=1, rules="botzone"))
    with pytest.raises(ValueError, match="its rules are botzone, those of others mini"):
        load_samples([one, other])
