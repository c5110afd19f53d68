"""One command packs the network of any training. Every network here has random weights."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from ddzbot.kernel.binding import Kernel
from ddzbot.net.current import read_manifest
from ddzbot.net.mcm_cnn import ARCHITECTURE, SHAPES
from ddzbot.net.packed import read
from tests.net.models import random_tensors
from tests.training.mcm.some_records import write_games
from tools.training.command import main

pytestmark = pytest.mark.whole

HOW = {"epochs": 3, "batch": 512, "rate": 0.001, "seed": 1}
GAMES = [{"rules": "botzone", "features": "mcm-1", "setting": "default"}]


def checkpoint(folder: Path, **fields: Any) -> Path:
    """A checkpoint of the network MCM."""
    net = {name: torch.from_numpy(values) for name, values in random_tensors().items()}
    about = {"recipe": "mcm", **HOW, "records": 7, "data": "0123", "games": GAMES, "shapes": []}
    torch.save({**about, "learner": {"net": net}, "rows": [], **fields}, folder / "checkpoint.pt")
    return folder


def packed_by(folder: Path, *options: object, **fields: Any) -> tuple[Result, list[Path]]:
    words = ["pack", checkpoint(folder, **fields), "--folder", folder, *options]
    return CliRunner().invoke(main, list(map(str, words))), list(folder.glob("*.ddzw"))


@pytest.mark.parametrize(("dtype", "bytes_allowed"), [("float32", 580_000), ("float16", 290_000), ("int8", 150_000)])
def test_a_checkpoint_becomes_a_file_that_is_listed(tmp_path: Path, dtype: str, bytes_allowed: int) -> None:
    done, files = packed_by(tmp_path, "--dtype", dtype)
    assert done.exit_code == 0, done.output
    assert files[0].stat().st_size <= bytes_allowed
    network = read(str(files[0]), known=["mcm-1"])
    network.expect(ARCHITECTURE, SHAPES)
    assert network.tensors["conv1.weight"].dtype == dtype
    assert network.tensors["conv1.bias"].dtype == "float32"
    assert list(read_manifest(str(tmp_path))["files"]) == [files[0].name]


def test_a_file_says_how_the_network_was_made(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text('{"loss": 0.25}')
    _, files = packed_by(tmp_path, "--scores", tmp_path / "scores.json", "--promote")
    assert read(str(files[0])).description == {
        "data": {"records": 7, "digest": "0123"},
        "command": "python -m tools train learn mcm FOLDER SHARDS --epochs 3 --batch 512 --rate 0.001 --seed 1",
        "results": {"settings": {**HOW, "games": GAMES}, "scores": {"loss": 0.25}},
    }
    assert read_manifest(str(tmp_path))["current"] == {"mcm-1": {"botzone": files[0].name}}


def test_what_the_search_of_the_thesis_taught_is_current_for_that_setting_alone(tmp_path: Path) -> None:
    taught = [{**GAMES[0], "setting": "thesis", "seed": seed} for seed in (1, 2)]
    _, files = packed_by(tmp_path, "--promote", games=taught)
    assert read_manifest(str(tmp_path))["current"] == {"mcm-1/thesis": {"botzone": files[0].name}}
    _, files = packed_by(tmp_path, "--promote", games=[*taught, *GAMES], seed=2)
    assert sorted(read_manifest(str(tmp_path))["current"]) == ["mcm-1", "mcm-1/thesis"]


def test_without_a_gate_only_force_replaces_a_network(tmp_path: Path) -> None:
    done, (first,) = packed_by(tmp_path, "--promote")
    assert f"{first.name} is now current under botzone; none was before.\n" in done.output
    before = read_manifest(str(tmp_path))
    refused, files = packed_by(tmp_path, "--promote", "--dtype", "int8")
    assert (refused.exit_code, files) == (1, [first])
    assert (
        f"{tmp_path}: no gate judges networks of mcm-1 under botzone, where {first.name} is current" in refused.output
    )
    assert read_manifest(str(tmp_path)) == before
    forced, _ = packed_by(tmp_path, "--promote", "--force", "--dtype", "int8")
    assert f"is now current under botzone; it replaces {first.name}.\n" in forced.output
    alone, _ = packed_by(tmp_path, "--force")
    assert alone.exit_code == 2 and "--force goes with --promote" in alone.output


def test_the_error_of_packing_is_printed(tmp_path: Path, kernel: Kernel) -> None:
    done, files = packed_by(tmp_path, "--sample", write_games(tmp_path / "shards", kernel, 4))
    before, tensor = random_tensors()["full3.weight"], read(str(files[0])).tensors["full3.weight"]
    error = np.abs(before.astype("f8").ravel() - np.array(tensor.floats()))
    assert error.max() > 0
    assert f"{error.max():.3g}" in done.output
    assert f"{error.mean():.3g}" in done.output
    found = re.search(r"values of \d+ records: max error ([0-9.e-]+), mean error [0-9.e-]+\n", done.output)
    assert found and 0 < float(found[1]) < 0.01


OVERFLOWS = {name: torch.from_numpy(values.copy()) for name, values in random_tensors().items()}
OVERFLOWS["full1.weight"][0, 0] = 1e6


@pytest.mark.parametrize(
    ("fields", "options", "fault"),
    [
        ({"learner": {"net": {}}}, [], "tensor conv1.weight is missing"),
        (
            {"learner": {"net": OVERFLOWS}},
            [],
            "full1.weight: a tensor of shape (128, 256) has values that are not finite",
        ),
        ({"recipe": "ppo"}, [], "its recipe ppo is unknown"),
        ({"recipe": "zero"}, [], "its networks play as they are kept"),
        ({"recipe": "auction"}, [], "no round is over yet"),
        ({"games": [{"rules": "botzone", "features": "mcm-2"}]}, [], "it learned from mcm-2 under botzone"),
        ({"games": [*GAMES, {"rules": "mini", "features": "mcm-1"}]}, [], "mcm-1 under botzone and mcm-1 under mini"),
        ({}, ["--scores", "no.json"], "no.json is not JSON"),
        ({}, ["--scores", "empty.json"], "empty.json is not JSON"),
        ({}, ["--sample", "."], "there is no shard in"),
    ],
)
def test_what_cannot_be_packed_is_one_sentence(
    tmp_path: Path, fields: dict[str, Any], options: list[str], fault: str
) -> None:
    (tmp_path / "no.json").write_text("[")
    (tmp_path / "empty.json").touch()
    done, files = packed_by(tmp_path, *(tmp_path / one if one[0] != "-" else one for one in options), **fields)
    assert (done.exit_code, files) == (1, [])
    assert fault in done.output


def test_files_of_other_kinds_are_refused_by_name(tmp_path: Path) -> None:
    for content, said in ((None, "there is no checkpoint.pt of a training"), ("hello", "checkpoint.pt cannot be read")):
        if content is not None:
            (tmp_path / "checkpoint.pt").write_text(content)
        done = CliRunner().invoke(main, ["pack", str(tmp_path)])
        assert (done.exit_code, said in done.output) == (1, True)
