"""The options, which commands have them, and what is said before anything is played."""

import importlib.util
import re
import subprocess
import sys
from typing import Any

import pytest
from click import Command, Group
from click.testing import CliRunner

from tests.support import ROOT
from tests.tools.all_commands import commands
from tools.arena.match import main as match
from tools.command import main
from tools.training.mcm.command import make as generator

pytestmark = pytest.mark.whole

CLUSTER = ["--cluster", "tcp://127.0.0.1:1"]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [(match, ["random", "rule"]), (generator, ["/dev/null/folder"])],
    ids=["match", "generate"],
)
class TestCommand:
    def refused(self, command: Command, arguments: list[str]) -> str:
        done = CliRunner().invoke(command, arguments)
        assert done.exit_code == 2
        return " ".join(done.output.replace("│", " ").split())

    def test_a_missing_package_is_named(
        self, command: Command, arguments: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        find = importlib.util.find_spec

        def find_but_one(name: str, *more: Any) -> Any:
            return None if name == "distributed" else find(name, *more)

        monkeypatch.setattr(importlib.util, "find_spec", find_but_one)
        said = self.refused(command, [*arguments, *CLUSTER])
        assert "--cluster: This Python (" in said
        assert re.search(r"has no distributed: .*-m tools.make install cluster installs it\.", said)

    def test_jobs_are_for_this_machine(self, command: Command, arguments: list[str]) -> None:
        assert "--jobs is for this machine" in self.refused(command, [*arguments, *CLUSTER, "--jobs", "2"])


def test_dask_is_imported_only_where_it_is_wanted() -> None:
    program = "import sys, tools.arena.match, tools.training.mcm.command; sys.exit('dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


CALLED = {name: command for name, command in commands() if not isinstance(command, Group)}


def test_the_guide_says_of_every_command_whether_it_takes_a_cluster() -> None:
    table = re.findall(r"^\| (`.*?) \| (yes|no)\b", (ROOT / "docs" / "guide" / "cluster.md").read_text(), re.M)
    listed = {name: answer for names, answer in table for name in re.findall("`(.*?)`", names)}
    assert len(listed) > 20 and len(CALLED) > 40
    assert all(any(name == one or name.startswith(f"{one} ") for name in CALLED) for one in listed)
    for name, command in CALLED.items():
        words = name.split()
        longest = next(" ".join(words[:end]) for end in range(len(words), 0, -1) if " ".join(words[:end]) in listed)
        takes = any("--cluster" in option.opts for option in command.params)
        assert (name, takes) == (name, listed[longest] == "yes")


def test_a_command_without_a_cluster_says_so() -> None:
    for name, command in CALLED.items():
        if not any("--cluster" in option.opts for option in command.params):
            done = CliRunner().invoke(main, [*name.split(), *CLUSTER])
            assert done.exit_code == 2, name
            assert f"--cluster is not for {name.split()[-1]}: see docs/guide/cluster.md" in done.output
