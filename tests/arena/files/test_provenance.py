"""A results file names the program that played: its commit, its kernel, its networks, its machine."""

import hashlib
import json
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from ddzbot import __version__
from ddzbot.kernel import choose, native
from ddzbot.kernel.library import VERSION
from ddzbot.players.registry import player_class
from tests.support import ROOT, kernel_path, require
from tools.arena.files import identity, provenance
from tools.arena.files.identity import Lineup
from tools.arena.files.provenance import networks
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.report import main as report
from tools.records.files import records_of
from tools.shared import machine
from tools.shared.contestants import parse_contestant
from tools.shared.machine import build_version, commit

WORDS = ["--rules", "mini", "--sets", "2", "--seed", "3", "--jobs", "1", "--quiet"]


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with some of the project's code and a document."""
    require(shutil.which("git"), "git")
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "ddzbot", folder / "ddzbot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tools" / "arena", folder / "tools" / "arena", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "README.md").write_text("x")
    git(folder.parent, "init", "-q", str(folder))
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def test_the_commit_is_named_and_whether_files_were_changed(checkout: Path) -> None:
    assert commit(str(checkout)) == git(checkout, "rev-parse", "--short", "HEAD")
    (checkout / "README.md").write_text("y")
    assert commit(str(checkout)) == git(checkout, "rev-parse", "--short", "HEAD") + "-dirty"
    git(checkout, "commit", "-qam", "two")
    git(checkout, "tag", "v9.9")
    assert commit(str(checkout)) == git(checkout, "rev-parse", "--short", "HEAD")


def test_a_package_is_called_by_its_commit_until_that_is_tagged_as_the_release(checkout: Path, tmp_path: Path) -> None:
    first = build_version(str(checkout))
    assert first == f"{__version__}+g{git(checkout, 'rev-parse', '--short', 'HEAD')}"
    (checkout / "README.md").write_text("y")
    git(checkout, "tag", f"v{__version__}")
    assert build_version(str(checkout)) == first + ".dirty"
    git(checkout, "commit", "-qam", "two")
    second = build_version(str(checkout))
    assert second == f"{__version__}+g{git(checkout, 'rev-parse', '--short', 'HEAD')}" != first
    git(checkout, "tag", "-f", f"v{__version__}")
    assert build_version(str(checkout)) == __version__
    assert build_version(str(tmp_path)) == __version__


def test_without_a_checkout_it_is_what_the_package_was_made_of(
    tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version, made_of in (
        ("1.2.dev0+g1234567", "1234567"),
        ("1.2+g1234567.dirty", "1234567-dirty"),
        ("1.2", "version 1.2"),
    ):
        monkeypatch.setattr(machine, "__version__", version)
        assert commit(str(tmp_path)) == made_of
        # A package that was unpacked inside another repository is not of that.
        assert commit(str(checkout / "ddzbot")) == made_of


def test_the_kernel_is_named_by_its_sources_and_its_code_path(tmp_path: Path) -> None:
    require(kernel_path(), "a C compiler")
    kernel = native()
    assert kernel is not None
    file = tmp_path / "r.json"
    assert CliRunner().invoke(match, ["random", "rule", *WORDS, "--results", str(file)]).exit_code == 0
    (part,) = read(file).parts
    assert part.provenance is not None
    assert part.provenance.kernel == f"{VERSION} {kernel.library.build}"
    assert part.provenance.path in ("portable", "avx2", "avx512")
    assert part.provenance.python == platform.python_version()
    assert (part.provenance.jobs, part.provenance.where, read(file).played) == (1, "", [2])


def test_without_a_kernel_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "current_choice", lambda: choose({"DDZ_NO_KERNEL": "1"}))
    found = provenance.provenance("mini", [parse_contestant("rule")], "", 1)
    assert (found.kernel, found.path) == ("none", "none")


def networks_of(rules: str, *players: str) -> dict[str, str]:
    return networks(rules, map(parse_contestant, players))


def test_networks_are_those_of_the_players_under_these_rules() -> None:
    manifest = json.loads((ROOT / "weights" / "manifest.json").read_text())
    wanted = manifest["current"][player_class("champion").features]["mini"]
    assert networks_of("mini", "champion", "rule") == {wanted: manifest["files"][wanted]["sha256"][:12]}
    assert networks_of("mini", "random", "rule", "python bot.py") == {}
    assert len(networks_of("botzone", "champion", "mcm")) == 2
    assert len(networks_of("botzone", "mcm", "mcm:margin=1", "mcm:setting=thesis")) == 2
    assert len(networks_of("botzone2", "champion")) == len(networks_of("botzone2", "deeprocket")) == 2
    assert len(networks_of("botzone2", "champion:bids=hand")) == 1
    assert len(networks_of("botzone2", "champion", "deeprocket", "champion:bids=hand")) == 4


def test_files_that_contestants_name_are_hashed(tmp_path: Path) -> None:
    manifest = json.loads((ROOT / "weights" / "manifest.json").read_text())
    name = manifest["current"][player_class("champion").features]["mini"]
    own = tmp_path / name
    shutil.copy(ROOT / "weights" / name, own)
    file = tmp_path / "r.json"
    words = [f"champion:weights={own},search=none", "rule", *WORDS, "--results", str(file)]
    done = CliRunner().invoke(match, words)
    assert done.exit_code == 0, done.output
    (part,) = read(file).parts
    assert part.provenance is not None
    assert part.provenance.files == {str(own): hashlib.sha256(own.read_bytes()).hexdigest()[:12]}
    assert part.provenance.networks == {}


def test_the_report_and_the_record_of_a_game_say_who_played(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    assert CliRunner().invoke(match, ["champion:search=none", "rule", *WORDS, "--results", str(file)]).exit_code == 0
    (part,) = read(file).parts
    program = part.provenance
    assert program is not None
    output = CliRunner().invoke(report, [str(file)]).output
    for name in (program.commit, program.kernel, program.path, program.cpu, program.python):
        assert name in output
    assert all(f"{name} {own}" in output for name, own in program.networks.items()) and program.networks
    game = CliRunner().invoke(match, ["champion:search=none", "rule", *WORDS, "--replay-game", "1.0"]).output
    (record,) = records_of(game, "text")
    assert record.tags["Kernel"] == f"{program.kernel} ({program.path})"
    assert record.tags["Networks"] == ", ".join(f"{name} {own}" for name, own in program.networks.items())


def test_a_changed_player_is_refused_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "r.json"
    words = ["random", "rule", *WORDS, "--results", str(file)]
    assert CliRunner().invoke(match, words).exit_code == 0
    monkeypatch.setattr(identity, "moves_of", lambda _rules, player: f"as {player.spec} did never")
    longer = [*words, "--sets", "4"]
    refused = CliRunner().invoke(match, longer)
    message = " ".join(refused.output.replace("│", " ").split())
    assert refused.exit_code == 2
    assert "rule: it makes other moves than before; --mix accepts that, and the file then names both" in message
    assert CliRunner().invoke(match, [*longer, "--mix"]).exit_code == 0
    output = CliRunner().invoke(report, [str(file)]).output
    assert f"4 sets: code {commit()}, kernel " in output


BEFORE = Lineup(provenance.provenance("mini", [], "", 1), {"it": identity.Identity({"net": "1"}, "x")})


@pytest.mark.parametrize(
    ("own", "found", "change"),
    [
        ({}, {}, ""),
        ({"moves": "y"}, {}, "it makes other moves than before"),
        ({"moves": "y"}, {"cpu": "another"}, ""),
        ({"moves": "y"}, {"cpu": "another", "kernel": "6"}, "it makes other moves than before"),
        ({"moves": "y"}, {"commit": "1"}, f"it makes other moves than before (code {BEFORE.provenance.commit} -> 1)"),
        ({"files": {"net": "2"}}, {"cpu": "another"}, "net was 1 and is 2"),
    ],
)
def test_a_player_is_the_same_while_its_files_and_its_moves_are(own: Any, found: Any, change: str) -> None:
    now = Lineup(structs.replace(BEFORE.provenance, **found), {"it": structs.replace(BEFORE.players["it"], **own)})
    assert identity.change("it", BEFORE, now) == change


def test_moves_tell_players_apart_and_are_the_same_each_time() -> None:
    rhcp, rule, bot = map(parse_contestant, ("rhcp", "rule", "python bot.py"))
    assert identity.moves_of("mini", rhcp) == identity.moves_of("mini", rhcp) != identity.moves_of("mini", rule)
    assert identity.moves_of("mini", bot) == ""
