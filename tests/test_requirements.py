"""What each extra names, what is pinned, and that each command runs on no more than its target installs."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import ROOT
from tools.shared.install import PINS, extras, needed

BARE = """
import runpy, sys

class Unknown:
    def find_spec(name, *_):
        if name in {unknown!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Unknown)
sys.argv[0] = {module!r}
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""
"""Runs a command as if the packages *unknown* were not installed."""

RULE = "python bot.py --player rule"
POSITION = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"


def with_what_comes(requirements: Iterable[str]) -> set[str]:
    """Lists what *requirements* and their own ask for here, by normal name; without what is not installed."""
    found = set()
    seen: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        one = waiting.pop()
        if str(one) in seen:
            continue
        seen.add(str(one))
        try:
            there = distribution(one.name)
        except PackageNotFoundError:
            continue
        found.add(canonicalize_name(one.name))
        asked = [Requirement(line) for line in there.requires or []]
        waiting += [other for other in asked if applies(other, one.extras)]
    return found


def applies(requirement: Requirement, names: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": name}) for name in ("", *names))


def unknown_without(*names: str) -> list[str]:
    """Lists the modules of all packages but those that these extras install, with what comes with them."""
    known = with_what_comes(needed(*names))
    return [module for module, owners in owners_of_modules().items() if not owners & known]


@cache
def owners_of_modules() -> dict[str, set[str]]:
    """Lists by module the packages that are installed with it; it takes a second."""
    return {module: {*map(canonicalize_name, owners)} for module, owners in packages_distributions().items()}


def run(module: str, *arguments: str, names: tuple[str, ...] = ("base",), typed: str = "") -> str:
    program = BARE.format(module=module, unknown=unknown_without(*names))
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_package_has_one_bound_from_below() -> None:
    lines = {line for lines in extras().values() for line in lines if not line.startswith("ddzbot[")}
    named = [*map(Requirement, lines)]
    assert len({one.name for one in named}) == len(named)
    assert all([bound.operator for bound in one.specifier] == [">="] for one in named)


def test_the_last_extra_is_all_of_them() -> None:
    *_, everything = extras()
    assert {*needed(everything)} == {*needed(*extras())}


def of_python(python: str, lines: Iterable[str]) -> list[Requirement]:
    """Reads the requirements that a release of Python has."""
    place = {"python_version": python.rpartition(".")[0], "python_full_version": python}
    return [one for one in map(Requirement, lines) if one.marker is None or one.marker.evaluate(place)]


def pinned(python: str) -> dict[str, Requirement]:
    """Gets by name what is pinned for a release of Python; no package is there twice."""
    here = of_python(python, [line for line in PINS.read_text("utf-8").splitlines() if not line.startswith("#")])
    assert len({one.name for one in here}) == len(here)
    assert all([bound.operator for bound in one.specifier] == ["=="] for one in here)
    return {one.name: one for one in here}


@pytest.mark.parametrize("python", ["3.10.0", "3.11.9", "3.13.0"])
def test_one_release_of_what_an_extra_names_is_pinned_within_its_bounds(python: str) -> None:
    pins = pinned(python)
    for bound in of_python(python, needed(*extras())):
        (release,) = pins[canonicalize_name(bound.name)].specifier
        assert release.version in bound.specifier, bound


def test_all_that_comes_is_pinned() -> None:
    assert with_what_comes(needed(*extras())) - {*pinned(platform.python_version())} == set()


@pytest.mark.whole
def test_what_no_extra_brings_is_unknown() -> None:
    assert {"numpy", "scipy", "aiohttp", "pytest"} <= {*unknown_without("base")}
    assert not {"rich", "pygments", "markupsafe"} & {*unknown_without("base")}


@pytest.mark.whole
def test_a_game_is_played_shown_and_made_a_page_on_the_base_alone(tmp_path: Path) -> None:
    record = str(tmp_path / "game.jsonl")
    bots = [f"{RULE} --keep-running"] * 3
    shown = run(
        "tools.judge", *bots, "--show", "--thoughts", "--save-games", record, "--turn-time", "60", "--seed", "1"
    )
    assert " went out: " in shown
    run("tools.study.view", record, "--limit", "5p", "--out", str(tmp_path / "game.html"))
    assert (tmp_path / "game.html").stat().st_size > 0
    assert " out: the " in run("tools.study.show", record)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("module", "arguments", "typed"),
    [
        ("tools.tables.play", ["--bot", "rule", "--seed", "5", "--limit", "50p"], "hint\nmoves\n3\npass\n"),
        ("tools.arena.check", [RULE, "--only", "start"], ""),
        ("tools.release.bundle", ["--kernel", "none", "--out", "{folder}/bot.zip"], ""),
        ("tools.study.analyse", ["--human", POSITION], ""),
        ("tools.study.review", ["tests/data/rule-demo-1.ddzn", "--limit", "20p", "--page", "{folder}/page.html"], ""),
        ("tools.study.solve", ["4667788QK2", "334455QK2"], ""),
        ("tools.arena.match", ["rule", "random", "rhcp", "--rules", "mini", "--sets", "2", "--jobs", "1"], ""),
        ("tools.arena.match", ["rule", "random", "--rules", "mini", "--sets", "9", "--sprt", "0", "20"], ""),
        ("tools.arena.report", ["results/mcm/rhcp.json.gz", "--csv", "{folder}/sets.csv"], ""),
        ("tools.arena.new", ["{folder}/mybot"], ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_command_that_needs_no_more_than_the_base(
    module: str, arguments: list[str], typed: str, tmp_path: Path
) -> None:
    run(module, *(argument.format(folder=tmp_path) for argument in arguments), typed=typed)


@pytest.mark.whole
def test_the_first_part_of_the_tests_is_collected_on_the_packages_of_its_extra() -> None:
    program = BARE.format(module="pytest", unknown=unknown_without("test"))
    # Packages of the other extras bring plugins for pytest and Hypothesis.
    words = ["-q", "--collect-only", "-m", "not whole", "-p", "no:cacheprovider", "-p", "pytest_timeout"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "--disable-plugin-autoload"],
        cwd=ROOT,
        env={**os.environ, "HYPOTHESIS_NO_PLUGINS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.whole
def test_the_tables_in_the_browser_need_one_extra_more() -> None:
    assert "--port" in run("tools.tables.serve", "--help", names=("serve",))


@pytest.mark.whole
def test_live_play_needs_no_more_than_that() -> None:
    assert "--against" in run("tools.tables.live", "play", "--help", names=("serve",))


@pytest.mark.whole
def test_a_command_that_lacks_a_package_says_how_to_get_it_before_it_does_anything(tmp_path: Path) -> None:
    program = BARE.format(module="tools.arena.report", unknown=unknown_without("base"))
    words = ["results/mcm/rhcp.json.gz", "--csv", str(tmp_path / "sets.csv"), "--plot", "course.png"]
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"This Python \(.*\) has no matplotlib: make tools installs it for .*\n", done.stderr)
    assert not [*tmp_path.iterdir()]
