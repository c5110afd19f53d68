"""What the doctor says in a whole checkout, and where the kernel, the networks or the compiler are missing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import ddzbot.kernel as kernel_choice
from ddzbot.kernel.binding import Kernel
from ddzbot.net.current import MANIFEST, weights_folder
from ddzbot.rules import RULE_SETS
from tests.platforms import PLATFORMS
from tests.support import ROOT
from tools.release.doctor import __main__ as command
from tools.release.doctor import findings
from tools.release.doctor.networks import networks


class Said(NamedTuple):
    """What the doctor says of one examination."""

    code: int
    text: str
    found: dict[str, Any]


Doctor = Callable[..., Said]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no zig, and the environment asks for nothing."""
    monkeypatch.setitem(sys.modules, "ziglang", None)
    for name in ("DDZ_NO_KERNEL", "DDZ_KERNEL", "DDZ_WEIGHTS", "CC"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Examines this process in a changed environment, for people and as JSON."""

    def examine(**environment: str) -> Said:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(kernel_choice, "_choice", kernel_choice.choose(os.environ))
        found = findings.examined()
        monkeypatch.setattr(command, "examined", lambda: found)
        people, programs = (CliRunner().invoke(command.main, arguments) for arguments in ([], ["--json"]))
        assert people.exit_code == programs.exit_code and people.stderr == programs.stderr == ""
        return Said(people.exit_code, people.stdout, json.loads(programs.stdout))

    return examine


@pytest.mark.whole
def test_with_everything_the_default_player_plays_in_full(kernel: Kernel) -> None:
    environment = {**os.environ, "DDZ_KERNEL": kernel.library.path}
    words = [sys.executable, "-m", "tools", "doctor"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    lines = done.stdout.splitlines()
    assert lines[-1] == "champion plays with kernel and network."
    kernel_line = next(line for line in lines if line.startswith("kernel"))
    assert kernel.library.path in kernel_line and kernel.library.build in kernel_line


@pytest.mark.whole
def test_without_a_compiler_a_kernel_that_is_there_will_do(doctor: Doctor, tmp_path: Path, kernel: Kernel) -> None:
    code, _, found = doctor(DDZ_KERNEL=kernel.library.path, PATH=str(tmp_path))
    assert code == 0
    assert found["plays_in_full"]
    assert found["decision"]["chose"] == found["decision"]["asked"] == "champion"
    assert found["decision"]["milliseconds"] > 0 and found["decision"]["playouts"] > 0
    assert found["rules"] == {"lister": "kernel"}
    assert found["kernel"]["code"] in ("portable", "avx2", "avx512")
    assert found["machine"]["cores"] == len(os.sched_getaffinity(0)) and found["machine"]["memory"] > 0
    assert {"kernel", "network", "decision"} & {*found["advice"]} == set()
    assert found["compiler"] is None
    assert found["advice"]["compiler"].startswith("Install gcc or clang")
    assert "zig" in found["advice"]["compiler"]


@pytest.mark.whole
def test_without_a_kernel_it_names_the_fallback_and_what_to_do(doctor: Doctor) -> None:
    code, text, found = doctor(DDZ_NO_KERNEL="1")
    assert code == 1
    assert found["kernel"] == {"path": None, "reason": "DDZ_NO_KERNEL is set"}
    assert found["rules"] == {"lister": "reference"} and "Python lists moves" in text
    assert found["advice"]["kernel"] == "Unset DDZ_NO_KERNEL, which forbids the kernel."
    assert found["decision"]["chose"] == "champion:search=none"
    assert {*found["decision"]["instead"]} == {*PLATFORMS}
    assert all(one["because"].startswith("no kernel") for one in found["decision"]["instead"].values())
    assert text.endswith("champion plays with less than it could.\n")


@pytest.mark.whole
def test_a_kernel_that_was_named_and_cannot_be_used_is_a_finding(doctor: Doctor, kernel: Kernel) -> None:
    _, text, found = doctor(DDZ_KERNEL="/nowhere.so")
    assert found["kernel"]["passed_over"] == "DDZ_KERNEL=/nowhere.so: there is no such file"
    assert found["kernel"]["path"] == kernel.library.path and found["plays_in_full"]
    assert found["advice"]["kernel"] == "Unset DDZ_KERNEL, or name a kernel with it."
    assert f"{kernel.library.path}; not used: DDZ_KERNEL=/nowhere.so" in text


def test_without_weights_it_says_which_folder_lacks_them(doctor: Doctor, tmp_path: Path, kernel: Kernel) -> None:
    code, _, found = doctor(DDZ_KERNEL=kernel.library.path, DDZ_WEIGHTS=str(tmp_path))
    assert code == 1
    players = {"champion", "champion, bids", "cql", "mcm", "mcm, thesis", "deeprocket", "deeprocket, bids"}
    missing = [one for one in found["networks"] if {*one["rules"]} & {*PLATFORMS}]
    assert {(one["player"], one["state"]) for one in missing} == {(name, "missing") for name in players}
    assert found["networks"][0]["reason"] == f"there is no {MANIFEST} in {tmp_path}"
    assert found["advice"]["network"].startswith("Unset DDZ_WEIGHTS, or put the networks")
    assert found["decision"]["chose"] == "mctshs"
    assert not found["plays_in_full"]


def copied_weights(folder: Path) -> Path:
    for path in Path(weights_folder({})).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_a_damaged_network_is_told_from_a_missing_one(tmp_path: Path) -> None:
    folder = copied_weights(tmp_path)
    current = json.loads((folder / MANIFEST).read_text())["current"]
    damaged, missing = current["fast-2"]["mini"], current["fast-2"]["botzone"]
    content = bytearray((folder / damaged).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / damaged).write_bytes(content)
    (folder / missing).unlink()
    found = {(one.player, one.file): one for one in networks(str(folder))}
    assert found["champion", damaged].state == "damaged" and found["champion", damaged].rules == ("mini",)
    assert found["champion", missing].state == "missing" and "botzone" in found["champion", missing].rules
    whole = [one for one in found.values() if one.state == "whole"]
    assert whole and all(one.sha256[:12] in one.file and one.reason == "" for one in whole)
    assert sorted(rules for one in found.values() for rules in one.rules) == sorted(
        [*5 * [*RULE_SETS], *2 * [rules.name for rules in RULE_SETS.values() if rules.bidding]]
    )


def test_a_network_of_another_shape_is_damaged(tmp_path: Path) -> None:
    folder = copied_weights(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["current"]["fast-2"]["mini"] = manifest["current"]["mcm-1"]["mini"]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    (one,) = [one for one in networks(str(folder)) if one.player == "champion" and "mini" in one.rules]
    assert one.state == "damaged" and one.file.startswith("mcm-")


@pytest.mark.whole
def test_a_damaged_network_costs_the_exit_code(doctor: Doctor, tmp_path: Path, kernel: Kernel) -> None:
    folder = copied_weights(tmp_path)
    file = json.loads((folder / MANIFEST).read_text())["current"]["fast-2"]["mini"]
    (folder / file).write_bytes(b"x")
    code, _, found = doctor(DDZ_KERNEL=kernel.library.path, DDZ_WEIGHTS=str(folder))
    assert code == 1
    assert {*found["decision"]["instead"]} == {"mini"}


def test_a_package_that_is_missing_is_named_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    known = findings._version
    monkeypatch.setattr(findings, "_version", lambda name: None if name in ("scipy", "torch") else known(name))
    packages, *without = findings._packages()
    assert packages.fact["scipy"] is None and "click" in packages.text and "scipy" not in packages.text
    lacks = {finding.fact["extra"]: finding for finding in without if {"scipy", "torch"} & {*finding.fact["packages"]}}
    assert lacks["tools"].advice == "make tools installs it for .venv/bin/python."
    assert lacks["training"].advice.endswith("-m tools.make install training installs it.")
    assert lacks["training"].text == "torch (extra training)"
