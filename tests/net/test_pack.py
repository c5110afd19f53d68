"""The command line of weights files. Every network here has random weights."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from ddzbot.kernel.binding import Kernel
from ddzbot.net.mcm_cnn import ARCHITECTURE, SHAPES
from ddzbot.net.mcm_features import layers
from ddzbot.net.packed import read
from ddzbot.net.reigning import read_manifest, reigning
from tests.net.models import random_tensors
from tests.net.networks import small_network, written
from tests.net.positions import random_views
from tests.support import ROOT
from tests.training.mcm.some_records import write_games
from tools.release import pack
from tools.release.weights_file import write

ABOUT = {"format": "a test", "records": 7, "data": "0123", "seed": 1, "shapes": [], "epochs": 3}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(pack.main, list(map(str, arguments)))


def checkpoint(folder: Path, **fields: Any) -> Path:
    tensors = {name: torch.from_numpy(values) for name, values in random_tensors().items()}
    torch.save({"model": tensors, "about": ABOUT, **fields}, folder / "model.pt")
    return folder / "model.pt"


def packed_by(folder: Path, *options: object) -> tuple[Result, list[Path]]:
    arguments = [checkpoint(folder), "--rules", "botzone", "--command", "train it", "--folder", folder]
    return run("model", *arguments, *options), list(folder.glob("*.ddzw"))


def sample() -> pack.Sample:
    records = [layers(view, view.legal_moves()[0]) for view in random_views(20)]
    words, kinds, landlord = zip(*records, strict=True)
    return np.array(words, "u8"), np.array(kinds, "u1"), np.array(landlord, "u1")


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
    _, files = packed_by(tmp_path, "--scores", tmp_path / "scores.json")
    assert read(str(files[0])).description == {
        "data": {"records": 7, "digest": "0123"},
        "command": "train it",
        "results": {"settings": {"format": "a test", "seed": 1, "epochs": 3}, "scores": {"loss": 0.25}},
    }


def test_the_error_of_packing_is_printed(tmp_path: Path, kernel: Kernel) -> None:
    done, files = packed_by(tmp_path, "--sample", write_games(tmp_path / "shards", kernel, 4))
    before, tensor = random_tensors()["full3.weight"], read(str(files[0])).tensors["full3.weight"]
    error = np.abs(before.astype("f8").ravel() - np.array(tensor.floats()))
    assert error.max() > 0
    assert f"{error.max():.3g}" in done.output
    assert f"{error.mean():.3g}" in done.output
    assert re.search(r"values of \d+ records: max error [0-9.e-]+, mean error [0-9.e-]+\n", done.output)


def test_the_error_of_the_values_is_that_of_the_rounded_network() -> None:
    tensors, given = random_tensors(), sample()
    rounded = {
        name: values.astype("f2").astype("f4") if values.ndim > 1 else values for name, values in tensors.items()
    }
    error = np.abs(pack.outputs(tensors, given) - pack.outputs(rounded, given))
    told = pack.value_loss(tensors, pack.pack(tensors, "float16"), given)
    assert told == f"values of 20 records: max error {error.max():.3g}, mean error {error.mean(dtype='f8'):.3g}"
    assert 0 < error.max() < 0.01


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"model": {}}, "tensor conv1.weight is missing"),
        ({"model": 1}, "this is not a checkpoint"),
        ({"model": {"more": torch.zeros(2)}}, "tensor conv1.weight is missing"),
        ({"about": 1}, "this is not a checkpoint"),
    ],
)
def test_a_bad_checkpoint_is_refused(tmp_path: Path, fields: dict[str, Any], fault: str) -> None:
    path = checkpoint(tmp_path, **fields)
    done = run("model", path, "--rules", "botzone", "--command", "x", "--folder", tmp_path)
    assert done.exit_code == 1
    assert f"Error: {path}: " in done.output
    assert fault in done.output
    assert not list(tmp_path.glob("*.ddzw"))


def test_a_file_of_another_kind_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_text("hello")
    done = run("model", tmp_path / "model.pt", "--rules", "botzone", "--command", "x", "--folder", tmp_path)
    assert done.exit_code == 1
    assert "this is not a checkpoint" in done.output


def test_weights_that_overflow_are_refused_by_name(tmp_path: Path) -> None:
    tensors = {name: torch.from_numpy(values) for name, values in random_tensors().items()}
    tensors["full1.weight"][0, 0] = 1e6
    path = checkpoint(tmp_path, model=tensors)
    done = run("model", path, "--rules", "botzone", "--command", "x", "--folder", tmp_path)
    assert "full1.weight: a tensor of shape (128, 256) has values that are not finite in float16" in done.output


@pytest.mark.parametrize("content", ["[", ""])
def test_scores_that_are_no_json_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "scores.json").write_text(content)
    done, files = packed_by(tmp_path, "--scores", tmp_path / "scores.json")
    assert "scores.json is not JSON" in done.output
    assert (done.exit_code, files) == (1, [])


def test_a_sample_without_shards_is_refused(tmp_path: Path) -> None:
    done, files = packed_by(tmp_path, "--sample", tmp_path)
    assert (done.exit_code, files) == (1, [])
    assert "there is no shard in" in done.output


@pytest.mark.parametrize("games", [{"rules": "mini", "features": "mcm-1"}, {"rules": "botzone", "features": "mcm-2"}])
def test_a_network_of_other_rules_or_features_is_refused(tmp_path: Path, games: dict[str, str]) -> None:
    path = checkpoint(tmp_path, about={"games": [games]})
    done = run("model", path, "--rules", "botzone", "--command", "x", "--folder", tmp_path)
    assert f"it was trained on {games['rules']} and {games['features']}, not botzone and mcm-1" in done.output
    assert not list(tmp_path.glob("*.ddzw"))


def test_info_shows_description_and_tensors(tmp_path: Path) -> None:
    done = run("info", written(tmp_path))
    assert done.exit_code == 0
    for text in ("features mcm-1, rules botzone, architecture test-1", "command: a test", "float16", "2 x 3"):
        assert text in done.output


def test_info_of_a_damaged_file_says_what_is_wrong(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    done = run("info", path)
    assert done.exit_code == 1
    assert "the file is cut short" in done.output


def test_verify_passes_sound_files_and_folders(tmp_path: Path) -> None:
    _, files = packed_by(tmp_path)
    assert run("verify", *files).output == "1 files are sound\n"
    assert run("verify", "--folder", tmp_path).output == f"{tmp_path}: all files are sound\n"


def test_verify_of_an_empty_folder_finds_nothing(tmp_path: Path) -> None:
    assert run("verify", "--folder", tmp_path).exit_code == 0


def test_verify_names_every_fault(tmp_path: Path) -> None:
    cut, odd = written(tmp_path), write(tmp_path, "odd", small_network(architecture=ARCHITECTURE))
    cut.write_bytes(cut.read_bytes()[:-1])
    for done in (run("verify", cut, odd), run("verify", "--folder", tmp_path)):
        assert done.exit_code == 1
    done = run("verify", cut, odd)
    assert f"{cut}: the file is cut short" in done.output
    assert f"{odd}: tensor conv1.weight is missing" in done.output


def test_the_crowned_network_reigns(tmp_path: Path) -> None:
    _, files = packed_by(tmp_path)
    assert reigning("mcm-1", "botzone", str(tmp_path)).network is None
    assert run("crown", files[0], "--rules", "botzone").output == f"{files[0].name} reigns under botzone\n"
    assert reigning("mcm-1", "botzone", str(tmp_path)).description == files[0].name


def test_only_packing_needs_torch(tmp_path: Path) -> None:
    path = written(tmp_path)
    program = "import sys; sys.modules['torch'] = None; from tools.release import pack; pack.main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", program, "verify", path], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "1 files are sound\n", done.stderr
