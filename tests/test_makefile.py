"""What `make` does on a machine where nothing is installed yet. No test here installs anything."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT, require
from tools.shared.install import extras

PREREQUISITES = ("pyproject.toml", "constraints.txt")
KERNEL = "-m tools.make kernel --install --optional"


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
    for name in PREREQUISITES:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture
def installed(checkout: Path) -> Path:
    """The same after everything was installed."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "pip").touch()
    for extra in extras():
        (checkout / ".venv" / f"{extra}-installed").touch()
    return checkout


def test_make_alone_gives_one_line_of_help_for_each_target(checkout: Path) -> None:
    targets = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    helped, first = (
        re.findall(r"^  make (\S+) +\S", make(checkout, *words).stdout, re.MULTILINE)
        for words in (("help", "ALL=1"), ())
    )
    assert sorted(helped) == sorted(targets)
    assert first[:5] == ["run", "play", "review", "check", "zip"]
    assert first == helped[: helped.index("bench")]


def installed_by(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Lists the extras that a call installs, in order."""
    return re.findall(r"-m tools\.make install (\S+)", done.stdout)


@pytest.mark.parametrize(
    ("targets", "names"),
    [
        (["run", "play", "view", "review", "check", "kernel", "doctor", "zip", "web"], ["base"]),
        (["serve"], ["serve"]),
        (["wheel"], ["release"]),
        (["wheels"], ["release", "zig"]),
        (["tools"], ["base", "tools"]),
        (["bench"], ["base", "tools", "env"]),
        (["train"], ["base", "training"]),
        (["cluster"], ["base", "cluster"]),
        (["rlcard"], ["base", "rlcard"]),
        (["site"], ["site"]),
        (["test"], ["test"]),
        (["test-all"], ["test", "test-all"]),
        (["lint", "fuzz"], ["test-all"]),
    ],
)
def test_each_target_installs_no_more_than_it_needs(checkout: Path, targets: list[str], names: list[str]) -> None:
    for target in targets:
        assert installed_by(make(checkout, "-n", target)) == names


def test_the_first_part_runs_before_the_packages_of_the_rest_are_installed(checkout: Path) -> None:
    said = make(checkout, "-n", "test-all").stdout
    steps = ["install test\n", '-m "not whole"', "install test-all\n", '-m "whole and not systems"']
    places = [said.index(step) for step in steps]
    assert places == sorted(places)


@pytest.mark.parametrize("target", ["run", "serve", "tools", "zip", "site", "test"])
def test_nothing_is_installed_twice_until_what_is_needed_or_pinned_changes(installed: Path, target: str) -> None:
    assert installed_by(make(installed, "-n", target)) == []
    later = (installed / ".venv" / "base-installed").stat().st_mtime + 9
    for name in PREREQUISITES:
        times = (installed / name).stat().st_mtime
        os.utime(installed / name, (later, later))
        assert installed_by(make(installed, "-n", target))
        os.utime(installed / name, (times, times))


@pytest.mark.parametrize(("target", "then"), [("run", "run"), ("play", "play"), ("serve", "serve")])
def test_targets_that_play_build_a_kernel_first(installed: Path, target: str, then: str) -> None:
    said = make(installed, "-n", target).stdout
    assert 0 <= said.find(KERNEL) < said.find(f"-m tools {then} ")


def test_run_says_what_to_do_next(installed: Path) -> None:
    said = make(installed, "-n", "run").stdout
    assert "-m tools run  --game FightTheLandlord\n" in said
    for target in ("play", "serve", "view", "zip"):
        assert f" make {target} " in said


def test_run_and_check_have_a_bot_each_and_take_another_one(installed: Path) -> None:
    assert make(installed, "-n", "check").stdout.endswith('-m tools check "python bot.py"\n')
    assert make(installed, "-n", "check", "BOT=./mine").stdout.endswith('-m tools check "./mine"\n')
    assert '-m tools run "./mine" --game ' in make(installed, "-n", "run", "BOT=./mine").stdout


def test_train_takes_minutes_or_games_and_zip_a_folder_of_networks(installed: Path) -> None:
    for words, option in ((), "--minutes 10"), (("MINUTES=60",), "--minutes 60"), (("GAMES=9",), "--count 9"):
        assert " ".join(make(installed, "-n", "train", *words).stdout.split()).endswith(f"data/champion \\ {option}")
    assert '--folder "mine"' in make(installed, "-n", "zip", "WEIGHTS=mine").stdout
    assert make(installed, "-n", "fuzz").stdout.endswith("--minutes 5\n")


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


@pytest.mark.parametrize("letter", [*':"$`\\'])
def test_a_folder_that_venv_or_zig_does_not_take_gets_one_sentence(checkout: Path, letter: str) -> None:
    folder = checkout / f"it's{letter}mine"
    folder.mkdir()
    for name in ("Makefile", *PREREQUISITES):
        shutil.copy(checkout / name, folder)
    done = make(folder, "-s", "run")
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)
    assert done.stdout.startswith('The path of this folder has one of  : " $ ` \\  in it')
    assert not (folder / ".venv").exists()


def test_a_missing_python_gets_one_sentence(checkout: Path) -> None:
    done = make(checkout, "-s", "run", "PYTHON=python-that-is-not-there")
    assert "There is no python-that-is-not-there: install Python 3.10 or newer" in done.stdout
