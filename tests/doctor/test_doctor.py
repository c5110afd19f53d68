"""What the doctor says in a whole checkout, and where the kernel, the networks or the compiler are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.net.reigning import MANIFEST, weights_folder
from ddzbot.rules import RULE_SETS
from tests.support import ROOT, require
from tools.release.doctor.networks import networks
from tools.shared.compiling import find_compiler

WITHOUT_ZIG = """
import runpy, sys
sys.modules["ziglang"] = None
sys.argv[:1] = ["tools.release.doctor"]
runpy.run_module("tools.release.doctor", run_name="__main__", alter_sys=True)
"""


def doctor(*arguments: str, kernel: Kernel | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    unset = {"DDZ_NO_KERNEL", "DDZ_KERNEL", "DDZ_WEIGHTS", "CC"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    if kernel:
        environment["DDZ_KERNEL"] = kernel.library.path
    command = [sys.executable, "-c", WITHOUT_ZIG, *arguments]
    return subprocess.run(command, cwd=ROOT, env={**environment, **more}, capture_output=True, text=True, timeout=120)


def said(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_with_everything_the_default_player_plays_in_full(kernel: Kernel) -> None:
    done = doctor(kernel=kernel)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[-1] == "champion plays with kernel and network."
    kernel_line = next(line for line in lines if line.startswith("kernel"))
    assert kernel.library.path in kernel_line and kernel.library.build in kernel_line
    found = said(doctor("--json", kernel=kernel))
    assert found["plays_in_full"]
    assert found["decision"]["chose"] == found["decision"]["asked"] == "champion"
    assert found["decision"]["milliseconds"] > 0 and found["decision"]["playouts"] > 0
    assert found["kernel"]["code"] in ("portable", "avx2", "avx512")
    assert found["machine"]["cores"] == len(os.sched_getaffinity(0)) and found["machine"]["memory"] > 0
    assert {"kernel", "network", "decision"} & {*found["advice"]} == set()


def test_without_a_kernel_it_says_who_stands_in_and_what_to_do() -> None:
    done = doctor("--json", DDZ_NO_KERNEL="1")
    assert done.returncode == 1
    found = said(done)
    assert found["kernel"] == {"path": None, "reason": "DDZ_NO_KERNEL is set"}
    assert found["advice"]["kernel"] == "Unset DDZ_NO_KERNEL, which forbids the kernel."
    assert found["decision"]["chose"] == "champion:search=none"
    assert {*found["decision"]["instead"]} == {*RULE_SETS}
    assert all(one["because"].startswith("no kernel") for one in found["decision"]["instead"].values())
    assert doctor(DDZ_NO_KERNEL="1").stdout.endswith("champion plays with less than it could.\n")


def test_a_kernel_that_was_named_and_cannot_be_used_is_a_finding(kernel: Kernel) -> None:
    found = said(doctor("--json", DDZ_KERNEL="/nowhere.so"))
    assert found["kernel"]["passed_over"] == "DDZ_KERNEL=/nowhere.so: there is no such file"
    assert found["kernel"]["path"] == kernel.library.path and found["plays_in_full"]
    assert found["advice"]["kernel"] == "Unset DDZ_KERNEL, or name a kernel with it."
    assert f"{kernel.library.path}; not used: DDZ_KERNEL=/nowhere.so" in doctor(DDZ_KERNEL="/nowhere.so").stdout


def test_without_weights_it_says_which_folder_lacks_them(tmp_path: Path, kernel: Kernel) -> None:
    done = doctor("--json", kernel=kernel, DDZ_WEIGHTS=str(tmp_path))
    assert done.returncode == 1
    found = said(done)
    players = {"champion", "champion, bids", "cql", "mcm", "deeprocket", "deeprocket, bids"}
    assert {(one["player"], one["state"]) for one in found["networks"]} == {(name, "missing") for name in players}
    assert found["networks"][0]["reason"] == f"there is no {tmp_path / MANIFEST}"
    assert found["advice"]["network"].startswith("Unset DDZ_WEIGHTS, or put the networks")
    assert found["decision"]["chose"] == "mctshs"
    assert not found["plays_in_full"]


def test_without_a_compiler_a_kernel_that_is_there_will_do(tmp_path: Path, kernel: Kernel) -> None:
    done = doctor("--json", kernel=kernel, PATH=str(tmp_path))
    assert done.returncode == 0
    found = said(done)
    assert found["compiler"] is None
    assert found["advice"]["compiler"].startswith("Install gcc or clang")
    assert "zig" in found["advice"]["compiler"]


def test_a_compiler_is_named_with_its_version() -> None:
    words = require(find_compiler({**os.environ}), "a C compiler")
    done = doctor("--json", DDZ_NO_KERNEL="1", CC=" ".join(words))
    assert said(done)["compiler"]["name"].split()[0] == words[0]
    assert any(character.isdigit() for character in said(done)["compiler"]["version"])


def copied_weights(folder: Path) -> Path:
    for path in Path(weights_folder({})).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_a_damaged_network_is_told_from_a_missing_one(tmp_path: Path) -> None:
    folder = copied_weights(tmp_path)
    reigning = json.loads((folder / MANIFEST).read_text())["reigning"]
    damaged, missing = reigning["fast-2"]["mini"], reigning["fast-2"]["botzone"]
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
        [*4 * [*RULE_SETS], *2 * [rules.name for rules in RULE_SETS.values() if rules.bidding]]
    )


def test_a_network_of_another_shape_is_damaged(tmp_path: Path) -> None:
    folder = copied_weights(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["reigning"]["fast-2"]["mini"] = manifest["reigning"]["mcm-1"]["mini"]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    (one,) = [one for one in networks(str(folder)) if one.player == "champion" and "mini" in one.rules]
    assert one.state == "damaged" and one.file.startswith("mcm-")


def test_a_damaged_network_costs_the_exit_code(tmp_path: Path, kernel: Kernel) -> None:
    folder = copied_weights(tmp_path)
    file = json.loads((folder / MANIFEST).read_text())["reigning"]["fast-2"]["mini"]
    (folder / file).write_bytes(b"x")
    done = doctor("--json", kernel=kernel, DDZ_WEIGHTS=str(folder))
    assert done.returncode == 1
    assert {*said(done)["decision"]["instead"]} == {"mini"}


def test_a_package_that_is_missing_is_named_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.release.doctor import findings

    known = findings._version
    monkeypatch.setattr(findings, "_version", lambda name: None if name in ("scipy", "torch") else known(name))
    packages, *without = findings._packages()
    assert packages.fact["scipy"] is None and "click" in packages.text and "scipy" not in packages.text
    lacks = {finding.fact["extra"]: finding for finding in without if {"scipy", "torch"} & {*finding.fact["packages"]}}
    assert lacks["tools"].advice == "make tools installs it for .venv/bin/python."
    assert lacks["training"].advice.endswith("-m tools.make install training installs it.")
    assert lacks["training"].text == "torch (extra training)"
