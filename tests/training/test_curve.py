"""The curve: every network that was kept meets one player, none of them twice."""

import csv
import json
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result
from matplotlib.figure import Figure

from ddzbot.kernel import native
from tests.support import require
from tools.arena.stats.estimates import Estimate
from tools.programs import douzero_weights
from tools.programs.douzero_network import Networks
from tools.training import curve, points
from tools.training.champion.network import ChampionNet
from tools.training.champion.pack import write_net
from tools.training.curve import curve as main

pytestmark = pytest.mark.whole


def ask(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, [str(folder), "--sets", "2", "--jobs", "1", "--against", "random", *options])


def kept(folder: Path, games: int) -> None:
    torch.manual_seed(games)
    words = {"games": games, "rules": "mini"}
    log = folder / "log.csv"
    rows = log.read_text() if log.exists() else "games,seconds\n"
    log.write_text(f"{rows}{games},{games / 10}\n")
    douzero_weights.write(folder / f"net-{games:09d}.npz", Networks(8), json.dumps(words))


def test_every_network_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, 100)
    kept(tmp_path, 3600)
    done = ask(tmp_path)
    assert done.exit_code == 0, done.output
    assert "after 3,600 games, 6.0 minutes: " in done.output
    rows = list(csv.DictReader((tmp_path / "curve-hours.csv").read_text().splitlines()))
    assert [(row["games"], row["hours"], row["against"]) for row in rows] == [
        ("100", "0.0028", "random"),
        ("3600", "0.1000", "random"),
    ]
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    kept(tmp_path, 7200)
    met = []
    before = curve.met
    monkeypatch.setattr(curve, "met", lambda player, *more: met.append(player) or before(player, *more))
    about = json.dumps({"games": 9000, "rules": "mini"})
    douzero_weights.write(tmp_path / "net-000009000.npz", Networks(8), about)  # the log does not have it yet
    assert ask(tmp_path).exit_code == 0
    assert met == [f"douzero:weights={tmp_path}/net-000007200.npz"]


def test_a_training_of_the_champion_stands_beside_it(tmp_path: Path) -> None:
    require(native(), "the kernel")
    ours, beside = tmp_path / "zero", tmp_path / "champion"
    ours.mkdir()
    beside.mkdir()
    kept(ours, 100)
    torch.manual_seed(1)
    write_net(beside / "net-00000.1.pt", ChampionNet(256), {"games": 50, "seed": 1, "rules": "mini", "objective": "wp"})
    (beside / "log.csv").write_text("games,seconds\n50,1800\n")
    drawn = [str(beside), "--against", "rhcp", "--line", "somebody=60", "--picture", str(tmp_path / "both.png")]
    done = ask(ours, *drawn)
    assert done.exit_code == 0, done.output
    assert "champion after 50 games, 30.0 minutes: " in done.output
    assert "both.png: 4 points" in " ".join(done.output.split())
    picture = (tmp_path / "both.png").read_bytes()
    for path in (*ours.glob("net-*"), *beside.glob("net-*"), ours / "log.csv"):
        path.unlink()
    assert ask(ours, *drawn).exit_code == 0
    assert (tmp_path / "both.png").read_bytes() == picture, "without networks it is drawn as it was measured"
    assert ask(ours, "--line", "somebody").exit_code == 2


def test_what_cannot_be_measured_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("games,seconds\n1\n")
    done = ask(tmp_path)
    assert done.exit_code == 1 and "has no log.csv of a training" in done.output
    (tmp_path / "log.csv").write_text("games,seconds\n")
    done = ask(tmp_path)
    assert done.exit_code == 1 and "there is no network net-*.npz or net-*.pt" in done.output
    kept(tmp_path, 100)
    done = ask(tmp_path, "--sets", "0")
    assert done.exit_code == 1 and "sets 0 must be at least 1" in done.output


def test_networks_may_meet_the_last_of_them(tmp_path: Path) -> None:
    kept(tmp_path, 100)
    kept(tmp_path, 3600)
    done = ask(tmp_path, "--against", "last")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((tmp_path / "curve-hours.csv").read_text().splitlines()))
    rows = [row for row in rows if row["against"] != "random"]
    assert [row["games"] for row in rows] == ["100", "3600"]
    assert rows[-1]["wp"] == "0.5000"


@pytest.mark.parametrize(
    ("games", "hours", "said", "axes"),
    [
        ([600_000, 1_200_000], [0.5 / 60, 2 / 60], "2.0 minutes", ["million games", "CPU minutes"]),
        ([5_000, 40_000], [0.1, 1.9], "114.0 minutes", ["thousand games", "CPU minutes"]),
        ([5_000, 40_000_000], [0.1, 24.5], "24.50 hours", ["million games", "CPU hours"]),
    ],
)
def test_an_axis_has_the_unit_that_is_read_easily(
    games: list[int], hours: list[float], said: str, axes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: list[Figure] = []
    monkeypatch.setattr(points, "Figure", lambda **options: figures.append(Figure(**options)) or figures[-1])
    worth = points.MatchResult(Estimate(0.5, 0.4, 0.6), 0.5, 0.5)
    curve = [points.Point(number, time, worth) for number, time in zip(games, hours, strict=True)]
    points.draw(tmp_path / "curve.png", [("against rhcp", curve)])
    assert points.time_of(hours[-1]) == said
    assert [one.get_xlabel() for one in figures[0].axes] == axes
    for one in figures[0].axes:
        low, high = one.get_xlim()
        shown = [label.get_text() for label in one.get_xticklabels() if low <= label.get_position()[0] <= high]
        assert len(shown) >= 2 and all(len(text) <= 5 for text in shown)
