"""The gate: a network reigns only after it has beaten the one that does."""

import json
import re
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from ddzbot.net.fast_features import NAME
from tools.release import weights_file
from tools.training.champion import gate
from tools.training.champion.kept import write_net
from tools.training.champion.network import ChampionNet


def snapshot(path: Path, seed: int, games: int) -> Path:
    """A network of random numbers as a training leaves it."""
    torch.manual_seed(seed)
    write_net(path, ChampionNet(256), {"games": games, "seed": 1, "rules": "mini", "aim": "win"})
    return path


def knowing(path: Path, sign: int, rules: str = "mini") -> Path:
    """A network that wants to have few moves left (sign 1), or many (sign -1), and knows nothing else."""
    net = ChampionNet(256)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
        for seat in net.seats:
            seat.first[674:690, 0] = torch.linspace(1, 0, 16)  # the fewest moves after the move, 0 to 15
            seat.second.weight[0, 0] = seat.third.weight[0, 0] = 1.0
            seat.last.weight[:, 0] = float(sign)
    write_net(path, net, {"games": 1, "seed": 1, "rules": rules, "aim": "win"})
    return path


def ask(source: Path, folder: Path, *options: str) -> Result:
    return CliRunner().invoke(gate.gate, [str(source), "--folder", str(folder), "--jobs", "1", *options])


def reigning(folder: Path) -> str:
    name: str = json.loads((folder / "manifest.json").read_text())["reigning"][NAME]["mini"]
    return name


def test_the_first_network_reigns_at_once(tmp_path: Path) -> None:
    done = ask(snapshot(tmp_path / "net.pt", 1, 5), tmp_path / "weights")
    assert done.exit_code == 0, done.output
    assert weights_file.faults(tmp_path / "weights") == []
    assert "reigns under mini: the first one" in done.output


def test_who_beats_the_reigning_network_takes_its_place_and_its_file_goes(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "bad.pt", -1), folder)
    before = reigning(folder)
    done = ask(knowing(tmp_path / "good.pt", 1), folder, "--sets", "300")
    assert done.exit_code == 0, done.output
    assert [path.name for path in folder.glob("*.ddzw")] == [reigning(folder)] != [before]
    assert (
        f"against {before}, gate/1"
        in json.loads((folder / "manifest.json").read_text())["files"][reigning(folder)]["results"]["gate"]
    )


def test_with_bidding_points_decide_and_a_file_that_reigns_elsewhere_stays(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "bad.pt", -1, "botzone2"), folder)
    (before,) = folder.glob("*.ddzw")
    weights_file.crown(before, "mini")
    done = ask(knowing(tmp_path / "good.pt", 1, "botzone2"), folder, "--sets", "150")
    assert done.exit_code == 0, done.output
    assert re.search(r"reigns under botzone2: \+\d+\.\d\d points \(.* in \d+ sets against", done.output)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["reigning"][NAME]["mini"] == before.name != manifest["reigning"][NAME]["botzone2"]
    assert before.exists() and weights_file.faults(folder) == []


def test_who_does_not_win_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "good.pt", 1), folder)
    before = (folder / "manifest.json").read_bytes()
    done = ask(knowing(tmp_path / "bad.pt", -1), folder, "--sets", "300")
    assert done.exit_code == 1
    assert "bad.pt does not reign" in done.output
    assert (folder / "manifest.json").read_bytes() == before


def test_the_reigning_file_cannot_be_retired(tmp_path: Path) -> None:
    ask(snapshot(tmp_path / "net.pt", 1, 5), tmp_path / "weights")
    with pytest.raises(weights_file.WeightsError, match="this file reigns"):
        weights_file.retire(tmp_path / "weights" / reigning(tmp_path / "weights"))
