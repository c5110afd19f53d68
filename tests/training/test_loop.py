"""The one loop: a tiny learner is stopped, killed, resumes, keeps what it should, and refuses what is not its own."""

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import click
import pytest
import torch
from click.testing import CliRunner

from tests.support import ROOT, started
from tools.shared.interrupts import INTERRUPTED
from tools.shared.storage.lock import Lock
from tools.training import loop
from tools.training.checkpoints import read_checkpoint
from tools.training.command import main
from tools.training.figures import LogLine
from tools.training.figures import command as draw
from tools.training.loop import Marks, Training, run

pytestmark = pytest.mark.whole

PROGRAM = """
import sys
from pathlib import Path
from tests.training.test_loop import Tiny
from tools.training.loop import Marks, Training, run
run(Training(Path(sys.argv[1]), Tiny(pause=0.01)), Marks(int(sys.argv[2])), Marks(), 0.0, True)
"""


class Tiny(loop.Learner):
    """Learns a random walk; each round is two games, and every second round makes a row."""

    recipe = "tiny"
    figures = ("loss", "wp_rule")

    def __init__(self, seed: int = 1, pause: float = 0.0) -> None:
        self.seed, self.pause = seed, pause
        self.weights = torch.zeros(3)
        self.closed = False

    @property
    def settings(self) -> dict[str, Any]:
        return {"seed": self.seed, "rules": "mini"}

    def round(self) -> LogLine | None:
        time.sleep(self.pause)
        self.weights += torch.rand(3, generator=torch.Generator().manual_seed(self.seed + self.done))
        self.done += 2
        return {"loss": float(self.weights.sum())} if self.done % 4 == 0 else None

    def measured(self, row: int) -> LogLine:
        return {"wp_rule": 0.5} if row % 2 == 0 else {}

    def keep(self, folder: Path, about: dict[str, Any]) -> None:
        torch.save({**about, "net": self.weights}, folder / f"net-{self.done}.pt")

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights}

    def load(self, state: Mapping[str, Any]) -> None:
        self.weights = state["learner"]["weights"]

    def close(self) -> None:
        self.closed = True


def rows_of(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "log.csv").read_text().splitlines()))


def without_times(training: Training) -> list[LogLine]:
    return [{**row, "seconds": 0} for row in training.rows]


def test_a_training_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole, first = Training(tmp_path / "whole", Tiny()), Training(tmp_path / "stopped", Tiny())
    for _ in range(5):
        whole.round()
    for _ in range(3):
        first.round()
    first.save()
    again = Training(tmp_path / "stopped", Tiny())
    assert (again.learner.done, again.seconds) == (6, first.seconds)
    for _ in range(2):
        again.round()
    assert torch.equal(again.learner.weights, whole.learner.weights)  # type: ignore[attr-defined]
    assert without_times(again) == without_times(whole)


def test_the_command_learns_to_its_goal_keeps_networks_and_draws(tmp_path: Path) -> None:
    learner = Tiny()
    for _ in range(2):
        run(Training(tmp_path, learner), Marks(9), Marks(4), 0.0, True)
    assert learner.done == 10 and learner.closed
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("checkpoint.pt", "log.csv", "log.png", "net-10.pt", "net-4.pt", "net-8.pt")
    ]
    assert (tmp_path / "log.png").read_bytes().startswith(b"\x89PNG")
    assert [(row["games"], row["wp_rule"]) for row in rows_of(tmp_path)] == [("4", ""), ("8", "0.5")]
    kept = read_checkpoint(tmp_path / "net-8.pt")
    assert (kept["recipe"], kept["games"], kept["seed"]) == ("tiny", 8, 1)


def test_marks_are_units_or_seconds_whichever_comes_first(tmp_path: Path) -> None:
    training = Training(tmp_path, Tiny())
    training.learner.done, training.seconds = 50, 30.0
    assert Marks(100, 20).passed(training) == 1.5
    assert Marks(10).passed(training) == 5
    assert Marks().passed(training) == Marks(inf, inf).passed(training) == 0


def test_seconds_of_other_processes_count(tmp_path: Path) -> None:
    training = Training(tmp_path, Tiny())
    training.learner.helped = 7.0
    training.round()
    assert 7 <= training.seconds < 8


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (Tiny(seed=2), r"checkpoint\.pt was begun with seed 1, not 2: give the same, or another folder"),
        (type("Other", (Tiny,), {"recipe": "other"})(), "was begun with recipe tiny, not other: give the same"),
    ],
)
def test_a_folder_of_another_training_is_refused(tmp_path: Path, other: loop.Learner, sentence: str) -> None:
    Training(tmp_path, Tiny()).save()
    with pytest.raises(click.ClickException, match=sentence):
        Training(tmp_path, other)


def test_one_process_at_a_time_learns_in_a_folder(tmp_path: Path) -> None:
    with Lock(tmp_path / ".lock"), pytest.raises(click.ClickException, match="another process learns there: wait for"):
        run(Training(tmp_path, Tiny()), Marks(4), Marks(), 0.0, True)
    run(Training(tmp_path, Tiny()), Marks(4), Marks(), 0.0, True)
    assert not (tmp_path / ".lock").exists()


@pytest.mark.parametrize("kept", [0, 5, 900])
def test_a_damaged_checkpoint_is_named(tmp_path: Path, kept: int) -> None:
    training = Training(tmp_path, Tiny())
    training.save()
    training.checkpoint.write_bytes(training.checkpoint.read_bytes()[:kept])
    with pytest.raises(click.ClickException, match=r"checkpoint\.pt cannot be read, or is of an older .*: give"):
        Training(tmp_path, Tiny())
    torch.save({"recipe": "tiny", **Tiny().settings, "games": 4, "rows": [], "seconds": 1.0}, training.checkpoint)
    with pytest.raises(click.ClickException, match=r"checkpoint\.pt cannot be read \('learner'\): give another folder"):
        Training(tmp_path, Tiny())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_loses_nothing_that_was_saved(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "stopped"), "100000"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(command, cwd=ROOT, **pipes) as process:
        while not (tmp_path / "stopped" / "checkpoint.pt").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, number)
        said, wrong = process.communicate(timeout=60)
    assert (process.returncode, wrong) == (INTERRUPTED if number == signal.SIGTERM else -number, b"")
    assert (b"Stopped by an interrupt; run the same command again" in said) == (number == signal.SIGTERM)
    stopped, whole = Training(tmp_path / "stopped", Tiny()), Training(tmp_path / "whole", Tiny())
    while whole.learner.done < stopped.learner.done:
        whole.round()
    assert whole.learner.done > 0
    assert torch.equal(stopped.learner.weights, whole.learner.weights)  # type: ignore[attr-defined]


class Slow(Tiny):
    """A signal comes in the middle of its round after so many games, which else would take a minute."""

    at: int | None = None

    def round(self) -> LogLine | None:
        row = super().round()
        if self.done - 2 == self.at:
            signal.raise_signal(signal.SIGINT)
            time.sleep(60)
        return row


@pytest.mark.usefixtures("usual_handlers")
@pytest.mark.parametrize("at", [0, 6])
def test_a_signal_does_not_wait_for_the_end_of_a_round_and_takes_it_back(tmp_path: Path, at: int) -> None:
    began, slow = time.monotonic(), Slow()
    slow.at = at
    with pytest.raises(SystemExit, match=str(INTERRUPTED)):
        run(Training(tmp_path / "stopped", slow), Marks(12), Marks(), 60.0, True)
    assert time.monotonic() - began < 50 and slow.closed
    stopped, whole = Training(tmp_path / "stopped", Tiny()), Training(tmp_path / "whole", Tiny())
    assert stopped.learner.done == 0
    for training in (stopped, whole):
        run(training, Marks(12), Marks(), 60.0, True)
    assert torch.equal(stopped.learner.weights, whole.learner.weights)  # type: ignore[attr-defined]
    assert without_times(stopped) == without_times(whole)


@pytest.mark.usefixtures("usual_handlers")
def test_a_signal_takes_back_no_more_than_some_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_APART", 0.0)
    slow = Slow()
    slow.at = 6
    with pytest.raises(SystemExit):
        run(Training(tmp_path, slow), Marks(12), Marks(), 60.0, True)
    assert (Training(tmp_path, Tiny()).learner.done, len(rows_of(tmp_path))) == (6, 1)


def test_logs_are_drawn_side_by_side(tmp_path: Path) -> None:
    run(Training(tmp_path / "one", Tiny()), Marks(8), Marks(), 60.0, True)
    picture = str(tmp_path / "x.png")
    done = CliRunner().invoke(draw, [picture, f"a={tmp_path / 'one'}", f"b={tmp_path / 'one'}"])
    assert done.exit_code == 0 and (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert "'a' must be NAME=FOLDER" in CliRunner().invoke(draw, [picture, "a"]).output
    assert "has no log.csv of a training" in CliRunner().invoke(draw, [picture, f"a={tmp_path}"]).output


def test_every_verb_and_recipe_has_a_command() -> None:
    for verb in ("learn", "make", "score"):
        listed = CliRunner().invoke(main, [verb, "--help"])
        assert listed.exit_code == 0
        names = [line.split()[0] for line in listed.output.partition("Commands:")[2].splitlines() if line.strip()]
        for name in names:
            shown = CliRunner().invoke(main, [verb, name, "--help"])
            assert (shown.exit_code, "Usage:" in shown.output) == (0, True), (verb, name)
    for single in ("pack", "gate", "curve", "draw", "state"):
        assert CliRunner().invoke(main, [single, "--help"]).exit_code == 0
    assert CliRunner().invoke(main, ["learn", "ppo", "x"]).exit_code == 2
