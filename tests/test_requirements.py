"""What is pinned, who installs it, and that each command runs on no more than its target installs."""

import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
import tomli
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.support import ROOT
from tests.test_makefile import installed_by, make
from tools.install import REQUIREMENTS, pinned

TARGETS = {"serve": "serve", "tools": "tools", "training": "train", "cluster": "cluster", "rlcard": "rlcard"}
"""By extra of pyproject.toml, a target that installs the same packages."""

BARE = """
import runpy, sys
for name in {unknown!r}:
    sys.modules[name] = None
sys.argv[0] = {module!r}
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""
"""Runs a command as if the packages *unknown* were not installed."""

RULE = "python bot.py --player rule"
POSITION = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"


EXTRAS: dict[str, list[str]] = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def pins_of(name: str) -> list[str]:
    return pinned((REQUIREMENTS / f"{name}.txt").read_text("utf-8"))


def unknown_without(*names: str) -> list[str]:
    """Lists the modules of all packages but those that these files of pins install, with what comes with them."""
    known: set[str] = set()
    waiting = [package for name in names for package in pins_of(name)]
    while waiting:
        package = _normal(waiting.pop())
        if package in known:
            continue
        known.add(package)
        try:
            needed = requires(package) or []
        except PackageNotFoundError:  # for another system
            continue
        waiting += [re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed if "extra ==" not in one]
    modules = packages_distributions().items()
    return [module for module, packages in modules if not {*map(_normal, packages)} & known]


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def run(module: str, *arguments: str, files: tuple[str, ...] = ("base",), typed: str = "") -> str:
    program = BARE.format(module=module, unknown=unknown_without(*files))
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT, input=typed, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_package_is_pinned_in_one_file() -> None:
    pins = Counter(package for file in REQUIREMENTS.glob("*.txt") for package in pins_of(file.stem))
    assert pins and set(pins.values()) == {1}


@pytest.mark.parametrize("extra", TARGETS)
def test_an_extra_is_what_a_target_installs(extra: str, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "requirements").symlink_to(REQUIREMENTS)
    files = installed_by(make(tmp_path, "-n", TARGETS[extra]))
    assert {*bounds_of(extra)} == {package for file in files for package in pins_of(file)}


def bounds_of(extra: str) -> dict[str, SpecifierSet]:
    """Gets the releases that an extra allows of each package."""
    found: dict[str, SpecifierSet] = {}
    for line in EXTRAS[extra]:
        named = Requirement(line)
        for other in named.extras:
            found.update(bounds_of(other))
        if named.name != "ddzbot":
            found[named.name] = named.specifier
    return found


def test_every_extra_is_for_users_and_bounds_its_packages_from_below_only() -> None:
    assert {*EXTRAS} == {*TARGETS}
    for extra in EXTRAS:
        for package, bounds in bounds_of(extra).items():
            assert [bound.operator for bound in bounds] == [">="], package


def test_what_is_pinned_is_within_the_bounds() -> None:
    bounds = {package: found for extra in EXTRAS for package, found in bounds_of(extra).items()}
    lines = [line for file in REQUIREMENTS.glob("*.txt") for line in file.read_text("utf-8").splitlines()]
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert {*bounds} <= {pin.name for pin in pins}
    for pin in pins:
        (version,) = [one.version for one in pin.specifier]
        assert bounds.get(pin.name, SpecifierSet()).contains(version), pin


def test_what_is_not_pinned_is_unknown() -> None:
    assert {"numpy", "scipy", "aiohttp", "torch"} <= {*unknown_without("base")}
    assert not {"rich", "pygments", "markupsafe"} & {*unknown_without("base")}


def test_a_game_is_played_shown_and_made_a_page_on_the_base_alone(tmp_path: Path) -> None:
    record = str(tmp_path / "game.jsonl")
    shown = run(
        "tools.judge", RULE, RULE, RULE, "--show", "--thoughts", "--record", record, "--time", "60", "--seed", "1"
    )
    assert " is out: " in shown
    run("tools.view", record, "--analyse", "--limit", "5p", "-o", str(tmp_path / "game.html"))
    assert (tmp_path / "game.html").stat().st_size > 0
    assert " out: the " in run("tools.show", record)


@pytest.mark.parametrize(
    ("module", "arguments", "typed"),
    [
        ("tools.play", ["--bot", "rule", "--seed", "5", "--limit", "50p"], "hint\nmoves\n3\npass\n"),
        ("tools.check", [RULE, "--steps", "start"], ""),
        ("tools.release.build_kernel", ["--install", "--optional"], ""),
        ("tools.release.bundle", ["--kernel", "none", "-o", "{folder}/bot.zip"], ""),
        ("tools.analyse", ["--human", POSITION], ""),
        ("tools.doctor", [], ""),
        ("tools.review", ["tests/data/rule-demo-1.ddzn", "--limit", "20p", "--page", "{folder}/page.html"], ""),
        ("tools.rules", ["classify", "333444555666"], ""),
        ("tools.solve", ["4667788QK2", "334455QK2"], ""),
        ("tools.records", ["--help"], ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_command_that_needs_no_more_than_the_base(
    module: str, arguments: list[str], typed: str, tmp_path: Path
) -> None:
    run(module, *(argument.format(folder=tmp_path) for argument in arguments), typed=typed)


def test_the_tables_in_the_browser_need_one_file_more() -> None:
    assert "--port" in run("tools.serve", "--help", files=("base", "serve"))


def test_who_plays_on_the_site_needs_no_more_than_that() -> None:
    assert "--against" in run("tools.live", "play", "--help", files=("base", "serve"))


def test_a_command_that_lacks_a_package_says_how_to_get_it() -> None:
    program = BARE.format(module="tools.match", unknown=unknown_without("base"))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert re.fullmatch(r"This Python \(.*\) has no (numpy|scipy): make tools installs it for .*\n", done.stderr)
