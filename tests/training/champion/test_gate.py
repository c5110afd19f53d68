"""The gate: a network becomes current only after it has beaten the current one."""

import json
import re
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from ddzbot.net.fast_features import NAME
from tools.__main__ import main
from tools.release import weights_file
from tools.training.champion import gate
from tools.training.champion.network import ChampionNet
from tools.training.champion.pack import packed_net, read_net, write_net

pytestmark = pytest.mark.whole


def snapshot(path: Path, seed: int, games: int) -> Path:
    """A network of random numbers as a training leaves it."""
    torch.manual_seed(seed)
    write_net(path, ChampionNet(256), {"games": games, "seed": 1, "rules": "mini", "objective": "wp"})
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
    write_net(path, net, {"games": 1, "seed": 1, "rules": rules, "objective": "wp"})
    return path


def ask(source: Path, folder: Path, *options: str) -> Result:
    return CliRunner().invoke(gate.gate, [str(source), "--folder", str(folder), "--jobs", "1", *options])


def current_network(folder: Path) -> str:
    name: str = json.loads((folder / "manifest.json").read_text())["current"][NAME]["mini"]
    return name


def test_the_first_network_is_current_at_once(tmp_path: Path) -> None:
    done = ask(snapshot(tmp_path / "net.pt", 1, 5), tmp_path / "weights")
    assert done.exit_code == 0, done.output
    assert weights_file.faults(tmp_path / "weights") == []
    assert ": the first one\n" in done.output
    assert f"{current_network(tmp_path / 'weights')} is now current under mini; none was before.\n" in done.output


def test_a_network_that_beats_the_current_one_takes_its_place_and_its_file_goes(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "bad.pt", -1), folder)
    before = current_network(folder)
    done = ask(knowing(tmp_path / "good.pt", 1), folder, "--sets", "300")
    assert done.exit_code == 0, done.output
    assert [path.name for path in folder.glob("*.ddzw")] == [current_network(folder)] != [before]
    assert (
        f"against {before}, gate/1"
        in json.loads((folder / "manifest.json").read_text())["files"][current_network(folder)]["results"]["gate"]
    )


def test_with_bidding_points_decide_and_a_file_that_is_current_elsewhere_stays(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "bad.pt", -1, "botzone2"), folder)
    (before,) = folder.glob("*.ddzw")
    weights_file.promote(before, "mini")
    done = ask(knowing(tmp_path / "good.pt", 1, "botzone2"), folder, "--sets", "150")
    assert done.exit_code == 0, done.output
    assert re.search(r"ddzw: \+\d+\.\d\d points \(.* in \d+ sets against", done.output)
    assert f"is now current under botzone2; it replaces {before.name}.\n" in done.output
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["current"][NAME]["mini"] == before.name != manifest["current"][NAME]["botzone2"]
    assert before.exists() and weights_file.faults(folder) == []


def test_a_network_that_does_not_win_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "good.pt", 1), folder)
    before = (folder / "manifest.json").read_bytes()
    done = ask(knowing(tmp_path / "bad.pt", -1), folder, "--sets", "300")
    assert done.exit_code == 1
    assert f"bad.pt does not become current, {current_network(folder)} stays: " in done.output
    assert (folder / "manifest.json").read_bytes() == before


def command(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def test_what_the_gate_refused_or_never_saw_becomes_current_by_force_alone(tmp_path: Path) -> None:
    folder, bad = tmp_path / "weights", knowing(tmp_path / "bad.pt", -1)
    ask(knowing(tmp_path / "good.pt", 1), folder)
    current, before = current_network(folder), (folder / "manifest.json").read_bytes()
    words = ("train", "pack", bad, "--folder", folder, "--promote")
    never = command(*words)
    assert f"the gate has not judged this network under mini, where {current} is current; `" in never.output
    assert f" train gate {bad}` asks it, --force makes the network current all the same" in never.output
    ask(bad, folder, "--sets", "300")
    refused = command(*words)
    said = r"the gate has refused this network \([0-9.]+ % \(.*\) in \d+ sets, accepted H0\) under mini, where "
    assert re.search(said + current, refused.output)
    (file,) = (tmp_path / "packed").glob("fast-*.ddzw")
    moved = file.rename(folder / file.name)
    promote = ("weights", "promote", moved, "--rules")
    again = command(*promote, "mini")
    assert re.search(said + current, again.output)
    assert never.exit_code == refused.exit_code == again.exit_code == 1
    assert (folder / "manifest.json").read_bytes() == before
    forced = command(*words, "--force")
    assert forced.exit_code == 0, forced.output
    assert f"{moved.name} is now current under mini; it replaces {current}.\n" in forced.output
    assert current_network(folder) == moved.name
    # The gate plays under the rule set of the training alone.
    weights_file.promote(folder / current, "standard")
    elsewhere = command(*promote, "standard")
    assert f"no gate judges networks of fast-2 that learned mini under standard, where {current}" in elsewhere.output


def test_what_the_gate_accepted_becomes_current_against_that_network_alone(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "bad.pt", -1), folder)
    bad = folder / current_network(folder)
    weights_file.promote(bad, "standard")  # where it stays, and its file with it
    assert ask(knowing(tmp_path / "good.pt", 1), folder, "--sets", "300").exit_code == 0
    good = folder / current_network(folder)
    assert command("weights", "promote", bad, "--rules", "mini", "--force").exit_code == 0
    back = command("weights", "promote", good, "--rules", "mini")
    assert back.output == f"{good.name} is now current under mini; it replaces {bad.name}.\n"
    other = weights_file.write(folder, "fast", packed_net(*read_net(snapshot(tmp_path / "other.pt", 1, 5)), {}))
    assert command("weights", "promote", other, "--rules", "mini", "--force").exit_code == 0
    stale = command("weights", "promote", good, "--rules", "mini")
    assert stale.exit_code == 1
    assert f"the gate has not judged this network under mini, where {other.name} is current" in stale.output


def test_a_damaged_file_of_verdicts_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    ask(knowing(tmp_path / "good.pt", 1), folder)
    for text in ("{", "[1]", '[{"network": "1"}]', "\0"):
        (folder / "gate.json").write_text(text)
        done = command("train", "pack", knowing(tmp_path / "bad.pt", -1), "--folder", folder, "--promote")
        assert done.exit_code == 1
        assert f"{folder / 'gate.json'} is not what the gate has written: remove it" in done.output


def test_the_current_file_cannot_be_retired(tmp_path: Path) -> None:
    ask(snapshot(tmp_path / "net.pt", 1, 5), tmp_path / "weights")
    with pytest.raises(weights_file.WeightsError, match="this file is current"):
        weights_file.retire(tmp_path / "weights" / current_network(tmp_path / "weights"))
