"""What `make` does on a machine where nothing is installed yet. No test here installs anything."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT, require

INSTALL = "-m tools.install"
KERNEL = "-m tools.release.build_kernel --install --optional"


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = require(shutil.which("make"), "make")
    # A test may run under make itself, which hands its own options down in these.
    inherited = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    environment = {name: value for name, value in os.environ.items() if name not in inherited}
    return subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True)


def fake_python(folder: Path, program: str) -> str:
    path = folder / "old-python"
    path.write_text(f"#!/bin/sh\n{program}\n")
    path.chmod(0o755)
    return f"PYTHON={path}"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with what `make` reads, and no virtual environment."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


@pytest.fixture
def installed(checkout: Path) -> Path:
    """The same after everything was installed."""
    for folder in (".venv", ".venv-quick"):
        (checkout / folder / "bin").mkdir(parents=True)
        (checkout / folder / "bin" / "pip").touch()
    for file in [
        "base-installed",
        "serve-installed",
        "tools-installed",
        "training-installed",
        "release-installed",
        "cluster-installed",
        "rlcard-installed",
        "site-installed",
        "test-installed",
    ]:
        (checkout / ".venv" / file).touch()
    (checkout / ".venv-quick" / "installed").touch()
    return checkout


def test_make_alone_gives_one_line_of_help_for_each_target(checkout: Path) -> None:
    targets = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    helped = re.findall(r"^  make (\S+) +\S", make(checkout).stdout, re.MULTILINE)
    assert sorted(helped) == sorted(targets)
    assert {"run", "test", "lint", "help", "clean"} <= set(helped)


def installed_by(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Lists the files of pins that a call installs, in order."""
    return re.findall(r"requirements/(\w+)\.txt", done.stdout)


@pytest.mark.parametrize(
    ("targets", "files"),
    [
        (["run", "play", "view", "review", "check", "kernel"], ["base"]),
        (["serve"], ["base", "serve"]),
        (["zip"], ["base", "release"]),
        (["tools", "bench"], ["base", "serve", "play", "tools"]),
        (["train"], ["base", "serve", "play", "tools", "training"]),
        (["cluster"], ["base", "serve", "play", "tools", "cluster"]),
        (["rlcard"], ["base", "serve", "play", "tools", "rlcard"]),
        (["quick"], ["base", "play", "quick"]),
        (["site"], ["base", "quick", "site"]),
        (
            ["test"],
            ["base", "serve", "play", "tools", "training", "cluster", "rlcard", "release", "quick", "site", "test"],
        ),
    ],
)
def test_each_target_installs_no_more_than_it_needs(checkout: Path, targets: list[str], files: list[str]) -> None:
    for target in targets:
        assert installed_by(make(checkout, "-n", target)) == files


@pytest.mark.parametrize("target", ["run", "serve", "tools", "zip", "quick", "site", "test"])
def test_nothing_is_installed_twice(installed: Path, target: str) -> None:
    assert INSTALL not in make(installed, "-n", target).stdout


@pytest.mark.parametrize(
    ("pins", "target", "installs"),
    [
        ("base", "run", 1),
        ("base", "serve", 2),
        ("base", "test", 9),
        ("serve", "run", 0),
        ("serve", "serve", 1),
        ("play", "run", 0),
        ("play", "tools", 1),
        ("tools", "run", 0),
        ("tools", "tools", 1),
        ("tools", "test", 5),
        ("training", "run", 0),
        ("training", "test", 2),
        ("cluster", "run", 0),
        ("cluster", "test", 2),
        ("rlcard", "run", 0),
        ("rlcard", "test", 2),
        ("release", "run", 0),
        ("release", "zip", 1),
        ("quick", "run", 0),
        ("quick", "quick", 1),
        ("quick", "test", 2),
        ("quick", "site", 1),
        ("site", "quick", 0),
        ("site", "site", 1),
        ("site", "test", 2),
        ("training", "quick", 0),
        ("test", "quick", 0),
        ("test", "run", 0),
        ("test", "test", 1),
    ],
)
def test_changed_pins_are_installed(installed: Path, pins: str, target: str, installs: int) -> None:
    stamp = (installed / ".venv" / "test-installed").stat().st_mtime
    os.utime(installed / "requirements" / f"{pins}.txt", (stamp + 9, stamp + 9))
    assert make(installed, "-n", target).stdout.count(INSTALL) == installs


@pytest.mark.parametrize(("target", "then"), [("run", "judge"), ("play", "play"), ("serve", "serve")])
def test_who_wants_to_play_gets_a_kernel_first(installed: Path, target: str, then: str) -> None:
    said = make(installed, "-n", target).stdout
    assert 0 <= said.find(KERNEL) < said.find(f"-m tools.{then} ")


def test_run_shows_three_bots_with_their_thoughts_and_what_to_do_next(installed: Path) -> None:
    said = make(installed, "-n", "run").stdout
    assert said.count('"python bot.py --seconds 1 --later-seconds 1"') == 3
    assert "--show --thoughts" in said
    for target in ("play", "serve", "view", "zip"):
        assert f" make {target} " in said


def test_run_and_check_have_a_bot_each_and_take_another_one(installed: Path) -> None:
    assert make(installed, "-n", "check").stdout.endswith('-m tools.check "python bot.py"\n')
    assert make(installed, "-n", "check", "BOT=./mine").stdout.endswith('-m tools.check "./mine"\n')
    assert make(installed, "-n", "run", "BOT=./mine").stdout.count('"./mine"') == 3


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ('[ "$1" = -V ] && echo Python 3.8.1 || exit 1', "is Python 3.8.1: install Python 3.10 or newer"),
        ('case "$2" in *venv) exit 1;; esac', "lacks venv: install it"),
    ],
)
def test_a_python_that_will_not_do_gets_one_sentence(checkout: Path, program: str, sentence: str) -> None:
    done = make(checkout, "-s", "run", fake_python(checkout, program))
    assert done.returncode == 2
    assert sentence in done.stdout and done.stdout.count("\n") == 1
    assert not (checkout / ".venv").exists()


def test_a_missing_python_gets_one_sentence(checkout: Path) -> None:
    done = make(checkout, "-s", "run", "PYTHON=python-that-is-not-there")
    assert "There is no python-that-is-not-there: install Python 3.10 or newer" in done.stdout
