"""A training: stopped and started again it ends as one that never was, and so with any number of workers."""

import csv
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.fast_net import architecture_of, forget, reigning_net
from ddzbot.rules import rule_set
from tests.net.positions import random_views
from tests.support import ROOT, started
from tools.shared.interrupts import INTERRUPTED
from tools.training.champion import export, train
from tools.training.champion.learner import Schedule, _losses
from tools.training.champion.train import Training

TINY = {"UNIT_GAMES": 8, "ROUND_UNITS": 2, "Schedule": partial(Schedule, batch=16, constant_games=16)}
ROUND = 16

PROGRAM = """
import sys
from functools import partial
from tools.training.champion import train
train.UNIT_GAMES, train.ROUND_UNITS, train.Schedule = 8, 2, partial(train.Schedule, batch=16, constant_games=16)
train.main()
"""
"""The command with rounds of 16 games."""


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in TINY.items():
        monkeypatch.setattr(train, name, value)


def training(
    folder: Path, kernel: Kernel, seed: int = 1, rules: str = "mini", workers: int = 1, aim: str = "win"
) -> Training:
    return Training(folder, rule_set(rules), kernel, seed, workers, aim)


def tensors(state: Any) -> list[torch.Tensor]:
    """Lists all numbers of a state, however deep they lie."""
    if isinstance(state, dict):
        return [tensor for value in state.values() for tensor in tensors(value)]
    if isinstance(state, (list, tuple)):
        return [tensor for value in state for tensor in tensors(value)]
    return [torch.as_tensor(state)] if state is not None else []


def equal(one: Training, other: Training) -> bool:
    pairs = zip(tensors(one.learner.state()), tensors(other.learner.state()), strict=True)
    return all(torch.equal(first, second) for first, second in pairs)


def rounds(number: int, one: Training) -> Training:
    for _ in range(number):
        one.round()
    return one


# What a round does.


def test_a_round_plays_its_games_and_changes_every_network(kernel: Kernel, tmp_path: Path) -> None:
    before, after = training(tmp_path, kernel), rounds(1, training(tmp_path, kernel))
    assert after.games == ROUND
    for old, new in zip(before.learner.net.parameters(), after.learner.net.parameters(), strict=True):
        assert not torch.equal(old, new)


def test_the_averaged_network_follows_ever_more_slowly() -> None:
    schedule = Schedule(averaged_share=0.1)
    assert [schedule.kept_after(steps) for steps in (0, 10, 90)] == pytest.approx([0.0, 0.5, 0.9])


def test_the_first_steps_are_averaged_as_the_schedule_says(kernel: Kernel, tmp_path: Path) -> None:
    # A network that is never averaged is the first one; one that keeps nothing is the last.
    begun = training(tmp_path, kernel)
    first = next(begun.learner.net.parameters()).detach().clone()
    rounds(1, begun)
    last, averaged = (next(net.parameters()).detach() for net in (begun.learner.net, begun.learner.averaged))
    assert 0 < (averaged - last).abs().max() < (first - last).abs().max()


def test_learning_lowers_the_loss(kernel: Kernel, tmp_path: Path) -> None:
    one = rounds(30, training(tmp_path, kernel))
    one.save()
    rows = list(csv.DictReader((tmp_path / "log.csv").read_text().splitlines()))
    for seat in range(3):
        losses = [float(row[f"loss_{seat}"]) for row in rows]
        assert sum(losses[-5:]) < sum(losses[:5])


def test_the_rate_falls_with_the_square_root_of_the_games() -> None:
    schedule = Schedule(rate=0.01, constant_games=100)
    assert [schedule.rate_after(games) for games in (0, 100, 400, 10_000)] == pytest.approx([0.01, 0.01, 0.005, 0.001])


# Going on.


def test_an_interrupted_training_ends_as_one_that_was_not(kernel: Kernel, tmp_path: Path) -> None:
    rounds(2, training(tmp_path, kernel)).save()
    resumed = rounds(2, training(tmp_path, kernel))
    whole = rounds(4, training(tmp_path / "whole", kernel))
    assert resumed.games == whole.games == 4 * ROUND
    assert equal(resumed, whole)
    assert not equal(resumed, rounds(1, whole))


def test_the_number_of_workers_changes_nothing(kernel: Kernel, tmp_path: Path) -> None:
    alone, together = (rounds(2, training(tmp_path, kernel, workers=workers)) for workers in (1, 2))
    assert equal(alone, together)


def test_another_seed_is_another_training(kernel: Kernel, tmp_path: Path) -> None:
    assert not equal(*(rounds(1, training(tmp_path, kernel, seed=seed)) for seed in (1, 2)))


@pytest.mark.parametrize(("seed", "rules", "aim"), [(2, "mini", "win"), (1, "botzone", "win"), (1, "mini", "score")])
def test_a_folder_of_another_training_is_refused(
    kernel: Kernel, tmp_path: Path, seed: int, rules: str, aim: str
) -> None:
    training(tmp_path, kernel).save()
    begun = r"checkpoint\.pt was begun with --seed 1 --rules mini --aim win: give"
    with pytest.raises(click.ClickException, match=begun):
        training(tmp_path, kernel, seed, rules, aim=aim)


def test_who_aims_at_points_plays_and_learns_otherwise(kernel: Kernel, tmp_path: Path) -> None:
    win, score = (rounds(2, training(tmp_path, kernel, aim=aim)) for aim in ("win", "score"))
    assert score.exploration.by_score and not win.exploration.by_score
    assert score.schedule.score_share > win.schedule.score_share
    assert not equal(win, score)


def test_the_score_is_learned_as_a_mean(kernel: Kernel, tmp_path: Path) -> None:
    # Of scores 3, 3, 3 and -3 the mean is 1.5 and the median 3: the loss must be least at the mean.
    scores = torch.tensor([[1.0, 3.0]] * 3 + [[0.0, -3.0]])

    def loss_at(value: float) -> float:
        return float(_losses(torch.tensor([[0.0, value]]).expand(4, 2), scores, Schedule())[1])

    assert min((loss_at(tenth / 10), tenth) for tenth in range(-30, 31))[1] == 15


def test_a_training_begins_with_the_network_of_another(kernel: Kernel, tmp_path: Path) -> None:
    first = rounds(1, training(tmp_path / "first", kernel))
    first.save()
    first.keep_snapshot()
    second = training(tmp_path / "second", kernel, rules="botzone2", aim="score")
    second.begin_with(tmp_path / "first" / "net-00000.0.pt")
    for given, net, averaged in zip(
        first.learner.averaged.parameters(),
        second.learner.net.parameters(),
        second.learner.averaged.parameters(),
        strict=True,
    ):
        assert torch.equal(given, net) and torch.equal(given, averaged)
    rounds(1, second)
    with pytest.raises(click.ClickException, match="has begun already: --begin-with is for a new folder"):
        second.begin_with(tmp_path / "first" / "net-00000.0.pt")


@pytest.mark.parametrize("keeps", [True, False])
def test_the_rate_begins_anew_or_goes_on_from_the_first_networks(keeps: bool, kernel: Kernel, tmp_path: Path) -> None:
    first = training(tmp_path / "first", kernel)
    first.games = 8_000_000
    first.keep_snapshot()
    second = training(tmp_path / "second", kernel)
    second.begin_with(tmp_path / "first" / "net-00008.0.pt", keeps)
    rounds(1, second)
    rate = second.schedule.rate_after
    assert rate(8_000_000) < rate(second.games) / 2
    assert float(second._rows[0]["rate"]) == pytest.approx(rate(second.games + 8_000_000 * keeps), rel=1e-2)
    second.save()
    assert training(tmp_path / "second", kernel).rate_games == (8_000_000 if keeps else 0)


def test_a_kept_network_says_how_its_training_began(kernel: Kernel, tmp_path: Path) -> None:
    first = training(tmp_path / "first", kernel)
    first.games = 8_000_000
    first.keep_snapshot()
    second = training(tmp_path / "second", kernel, rules="botzone2", aim="score")
    second.begin_with(tmp_path / "first" / "net-00008.0.pt", keep_rate=True)
    second.save()
    again = training(tmp_path / "second", kernel, rules="botzone2", aim="score")
    again.keep_snapshot()
    description = export.packed_net(*export.read_net(tmp_path / "second" / "net-00000.0.pt"), {}).description
    assert description["command"].endswith("--aim score --seed 1 --begin-with CHECKPOINT --keep-rate")
    assert description["data"]["begun_with"] == {"rules": "mini", "games": 8_000_000}


def test_a_damaged_checkpoint_is_named(kernel: Kernel, tmp_path: Path) -> None:
    training(tmp_path, kernel).save()
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(click.ClickException, match=r"checkpoint\.pt cannot be read: give another folder"):
        training(tmp_path, kernel)


def test_the_log_has_a_row_for_each_round(kernel: Kernel, tmp_path: Path) -> None:
    rounds(2, training(tmp_path, kernel)).save()
    rounds(1, training(tmp_path, kernel)).save()
    rows = list(csv.DictReader((tmp_path / "log.csv").read_text().splitlines()))
    assert [row["games"] for row in rows] == ["16", "32", "48"]
    assert [row["rate"] for row in rows] == ["0.001", "0.000707", "0.000577"]
    assert all(0 <= float(row["landlord_wins"]) <= 1 and float(row["plies"]) > 5 for row in rows)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint.pt", "log.csv"]


# The commands.


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, str(folder), "--rules", "mini", "--workers", "1", *options]


def test_a_signal_leaves_a_whole_checkpoint(kernel: Kernel, tmp_path: Path) -> None:
    environment = {**os.environ, "DDZ_KERNEL": kernel.library.path}
    options = ("--checkpoint", "0", "--snapshot", "16")
    with started(
        command(tmp_path, *options), cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while not (tmp_path / "checkpoint.pt").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (INTERRUPTED, b"")
    rows = list(csv.DictReader((tmp_path / "log.csv").read_text().splitlines()))
    stopped = training(tmp_path, kernel)
    assert stopped.games == ROUND * len(rows) > 0
    assert equal(stopped, rounds(len(rows), training(tmp_path / "whole", kernel)))
    assert (tmp_path / "net-00000.0.pt").exists()


def test_a_training_that_has_its_games_plays_no_more(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(train, "native", lambda: kernel)
    arguments = [str(tmp_path), "--rules", "mini", "--workers", "1", "--games", "20"]
    for _ in range(2):
        result = CliRunner().invoke(train.main, arguments)
        assert result.exit_code == 0, result.output
        assert training(tmp_path, kernel).games == 2 * ROUND


def test_a_new_folder_may_see_a_snapshot_before_its_first_checkpoint(kernel: Kernel, tmp_path: Path) -> None:
    one = rounds(1, training(tmp_path / "new" / "folder", kernel))
    one.keep_snapshot()
    assert [file.name for file in one.folder.iterdir()] == ["net-00000.0.pt"]


def test_without_a_kernel_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "native", lambda: None)
    result = CliRunner().invoke(train.main, [str(tmp_path)])
    assert (result.exit_code, result.output) == (1, "Error: Self-play needs the kernel: run make kernel.\n")


@pytest.mark.parametrize("file", ["checkpoint.pt", "net-00000.0.pt"])
def test_a_training_is_packed_and_crowned(kernel: Kernel, tmp_path: Path, file: str) -> None:
    one = rounds(1, training(tmp_path, kernel))
    one.save()
    one.keep_snapshot()
    folder = tmp_path / "weights"
    for crown, described in ((False, "no network: none reigns"), (True, "fast-")):
        options = ["--folder", str(folder), *(["--crown"] if crown else [])]
        result = CliRunner().invoke(export.main, [str(tmp_path / file), *options])
        assert result.exit_code == 0, result.output
        forget()
        assert reigning_net(kernel, "mini", str(folder)).description.startswith(described)
    loaded, averaged = reigning_net(kernel, "mini", str(folder)), one.learner.averaged
    view = random_views(9, "mini")[8]
    assert loaded.net is not None
    theirs = [worth.win for worth in FastNet(kernel, averaged.parameters_for_kernel()).values(view)]
    assert [worth.win for worth in loaded.net.values(view)] == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("content", [b"", b"PK", b"no network at all"])
def test_a_file_that_is_no_training_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.pt"
    path.write_bytes(content)
    result = CliRunner().invoke(export.main, [str(path)])
    assert result.exit_code == 1
    assert "odd.pt: this is not a network of a training" in result.output


def test_a_training_keeps_its_number_of_units(kernel: Kernel, tmp_path: Path) -> None:
    wide = rounds(1, Training(tmp_path / "wide", rule_set("mini"), kernel, 1, 1, units=512))
    wide.save()
    with pytest.raises(click.ClickException, match=r"checkpoint\.pt was begun with --units 512: give the same"):
        training(tmp_path / "wide", kernel)
    net, state = export.read_net(wide.checkpoint)
    packed = export.packed_net(net, state, {})
    assert packed.architecture == "fast-896-512-32-32-bent"
    assert "--units 512" in packed.description["command"]
    with pytest.raises(click.ClickException, match="has 512 units in its first layer: give --units 512"):
        training(tmp_path / "narrow", kernel).begin_with(wide.checkpoint)


def test_a_file_with_other_tensors_is_refused_by_name(tmp_path: Path) -> None:
    torch.save({"architecture": architecture_of(256), "net": {"first": torch.zeros(3)}}, tmp_path / "odd.pt")
    result = CliRunner().invoke(export.main, [str(tmp_path / "odd.pt")])
    assert result.exit_code == 1
    assert "odd.pt: this is not a network of a training" in result.output


def test_a_network_of_another_architecture_is_refused_by_name(kernel: Kernel, tmp_path: Path) -> None:
    one = training(tmp_path, kernel)
    one.save()
    torch.save({**torch.load(one.checkpoint, weights_only=True), "architecture": "fast-768"}, one.checkpoint)
    with pytest.raises(click.ClickException, match=r"checkpoint\.pt has a network of another architecture: give"):
        training(tmp_path, kernel)
    with pytest.raises(
        click.ClickException, match=r"checkpoint\.pt: no network of the champion: the architecture is fast-768"
    ):
        export.read_net(one.checkpoint)
