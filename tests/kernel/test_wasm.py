"""The kernel for Python in a browser decides as the one of this machine does, under Pyodide in Node."""

import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.seal import broken_seal
from tests.support import ROOT, require
from tools.lab.signature import KINDS, decisions
from tools.release.build_kernel import build_wasm
from tools.shared.compiling import BuildError
from tools.tables.web.pyodide import pyodide

# deeprocket plays with numpy, which is a library of this machine.
PLAYERS = tuple(player for player in KINDS["kernel"][0] if player[0] != "deeprocket")
COUNT = 4 * 5 * len(PLAYERS)
CODE = f"""
from ddzbot.kernel import describe
from tools.lab.signature import decisions
print(describe())
for line in decisions({PLAYERS!r}, {COUNT}):
    print(line)
"""


def there(made: Callable[[], Path]) -> Path:
    try:
        return made()
    except BuildError as error:
        require(None, error.message)
        raise


@pytest.fixture(scope="module")
def library() -> Path:
    return there(build_wasm)


def test_the_seal_is_a_section_of_its_own(library: Path) -> None:
    content = library.read_bytes()
    assert not broken_seal(content)
    assert content[-78:-64] == b"\0\x4c\x0bddz-sha256:"


@pytest.mark.timeout(900)
def test_the_same_decisions_as_on_this_machine(library: Path, kernel: Kernel) -> None:
    require("DDZ_KERNEL" not in os.environ, "a kernel that was built here")
    node = require(shutil.which("node"), "Node.js")
    packages = distribution("click").locate_file("")
    done = subprocess.run(
        [node, ROOT / "tests" / "kernel" / "pyodide.mjs", there(pyodide), ROOT, str(packages), CODE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found, *lines = done.stdout.splitlines()
    assert found == f"kernel {found.split()[1]} /project/{library.relative_to(ROOT)}"
    assert lines == list(decisions(PLAYERS, COUNT))
