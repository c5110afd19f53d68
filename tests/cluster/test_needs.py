"""What a worker must have, and how the difference is said."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support import ROOT
from tools.cluster.needs import Needs, difference, needs_of
from tools.cluster.probe import MISSING, fingerprint
from tools.programs.douzero import OWN
from tools.shared.contestants import parse_contestant

pytestmark = pytest.mark.whole


def test_what_contestants_need_is_found_in_how_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("new.ddzw", "bot.py", "mybot"):
        (tmp_path / name).touch()
    (tmp_path / "mybot").chmod(0o755)
    contestants = ["rule", "mcm:weights=new.ddzw", "tests.arena.players:Poison", "python bot.py --deep", "./mybot 1"]
    needs = needs_of(map(parse_contestant, [*contestants, "/bin/sh bot.py"]))
    assert needs == Needs(("tests.arena.players",), ("./mybot", "bot.py", "new.ddzw"), ("/bin/sh",))


def test_the_fingerprint_has_the_sources_the_kernel_and_the_weights() -> None:
    found = Needs().fingerprint()
    paths = [path.relative_to(ROOT) for path in (ROOT / "ddzbot").rglob("*.py")]
    assert len(paths) > 50
    assert {str(path) for path in paths} < {*found}
    assert {"kernel", "numpy", os.path.join("weights", "manifest.json")} < {*found}
    assert any(name.endswith(".ddzw") for name in found)
    assert MISSING not in found.values()


@pytest.mark.parametrize(
    ("here", "there", "said"),
    [
        ({"a": "1"}, {"a": "1", "more": "2"}, ""),
        ({"a": "1", "b": "2"}, {"a": "1", "b": "3"}, "b differs"),
        ({"a": "1"}, {}, "a is missing there"),
        ({"./bot": "1"}, {"./bot": "missing"}, "./bot is missing there"),
        ({"kernel": "aa"}, {"kernel": "none"}, "kernel is none there and aa here"),
        (
            dict.fromkeys("abcde", "1"),
            dict.fromkeys("bcde", "2"),
            "a is missing there, b differs, c differs and 2 more",
        ),
    ],
)
def test_a_difference_is_said_in_half_a_sentence(here: dict[str, str], there: dict[str, str], said: str) -> None:
    assert difference(here, there) == said


def test_what_changes_after_a_worker_has_looked_is_not_trusted(tmp_path: Path) -> None:
    worker, file = SimpleNamespace(), tmp_path / "net.ddzw"

    def look() -> dict[str, str]:
        return fingerprint([], [str(file)], [], dask_worker=worker)

    file.write_text("old")
    assert difference(look(), look()) == ""
    file.write_text("new")
    assert difference(fingerprint([], [str(file)], []), look()).startswith(f"{file} has changed since the worker")


def test_a_program_that_is_missing_is_named() -> None:
    here = fingerprint([], [], [sys.executable])
    assert difference(here, fingerprint([], [], [])) == f"{sys.executable} is missing there"
    assert difference({"no-such-bot": "there"}, fingerprint([], [], ["no-such-bot"])) == "no-such-bot is missing there"


def test_a_file_of_ours_has_the_same_name_wherever_the_project_lies() -> None:
    (name,) = needs_of([parse_contestant("douzero")]).files
    assert name == "tools/programs/weights/zero.npz"
    assert fingerprint([], [name], [])[name] == fingerprint([], [str(OWN)], [])[str(OWN)] != MISSING
