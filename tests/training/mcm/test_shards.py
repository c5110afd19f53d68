"""A shard holds what the network is shown, is the same whenever it is made, and is whole or not there."""

from pathlib import Path

import numpy as np
import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.net.mcm_features import layers
from tests.net.oracles import planes_of
from tests.training.mcm.some_records import PLAN, decisions, some_records, write_games
from tests.training.some_shards import write_columns
from tools.training.mcm.plan import FORMAT
from tools.training.mcm.shards import Shard, shard_of
from tools.training.shards import read_columns, remove_parts, shard_paths

pytestmark = pytest.mark.whole


def test_a_record_shows_the_view_and_the_move(kernel: Kernel, tmp_path: Path) -> None:
    records = some_records(tmp_path, kernel, games=4)
    pairs = [(one.view, arm.move) for one in decisions(kernel) for arm in one.arms]
    inputs = records.inputs(np.arange(len(pairs)))
    for (view, move), words, kinds, landlord in zip(pairs, *inputs, strict=True):
        assert (words.tolist(), kinds.tolist(), landlord.tolist()) == tuple(map(list, layers(view, move)))


def test_a_batch_has_the_cells_of_its_records(kernel: Kernel, tmp_path: Path) -> None:
    records = some_records(tmp_path, kernel, games=4)
    pairs = [(one.view, arm.move) for one in decisions(kernel) for arm in one.arms]
    numbers = np.array([5, 0, 17])
    batch = records.batch(numbers)
    assert [cells.tobytes() for cells in batch.planes] == [planes_of(layers(*pairs[number])) for number in numbers]


def test_a_shard_can_be_read_back(kernel: Kernel, tmp_path: Path) -> None:
    shard = shard_of(decisions(kernel))
    write_columns(tmp_path / "games.npz", {"format": FORMAT, "rules": "mini"}, shard._asdict())
    about, read = read_columns(tmp_path / "games.npz", Shard._fields, FORMAT)
    assert about["rules"] == "mini"
    for name, mine, theirs in zip(Shard._fields, shard, read, strict=True):
        assert np.array_equal(mine, theirs), name


def test_a_shard_keeps_the_numbers_of_the_search(kernel: Kernel) -> None:
    found = decisions(kernel)
    shard = shard_of(found)
    arms = [arm for one in found for arm in one.arms]
    assert shard.visits.tolist() == [arm.visits for arm in arms]
    assert shard.wins.tolist() == [arm.wins for arm in arms]
    assert shard.choice.tolist() == [one.choice for one in found]
    assert shard.cards_left.tolist() == [one.cards_left for one in found]


def test_shards_are_listed_in_the_order_of_their_games_and_nothing_else_is(tmp_path: Path) -> None:
    names = ["games-0000050-0000099.npz", "games-10000000-10000049.npz", "games-0000000-0000049.npz"]
    for name in (*names, "games-0000100-0000149.npz.77.part", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in shard_paths(tmp_path)] == [names[2], names[0], names[1]]
    remove_parts(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_damaged_shard_is_refused_by_name(kernel: Kernel, tmp_path: Path) -> None:
    path = shard_paths(write_games(tmp_path, kernel, 4))[0]
    whole = path.read_bytes()
    for damaged in (b"", b"PK", whole[: len(whole) // 2], b"\x93NUMPY"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"games-0000000-0000003\.npz: it cannot be read"):
            read_columns(path, Shard._fields, FORMAT)


def test_a_file_of_another_format_is_refused(kernel: Kernel, tmp_path: Path) -> None:
    shard = shard_of(decisions(kernel, PLAN, 1))
    write_columns(tmp_path / "x.npz", {"format": "records/0"}, shard._asdict())
    with pytest.raises(ValueError, match=r"x\.npz: it is not a ddzbot-mcm-records/1 file"):
        read_columns(tmp_path / "x.npz", Shard._fields, FORMAT)
