"""The committed hashes of what every player decides, which workflows and other systems compare."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.systems.signature import committed

PROGRAM = Path(__file__).with_name("signature.py")

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("with_kernel")]


@pytest.mark.parametrize(("kind", "option"), [("kernel", []), ("python", ["--python"])])
def test_every_player_decides_as_is_committed(kind: str, option: list[str]) -> None:
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-S", str(PROGRAM), *option], env=settings, capture_output=True, text=True)
    why = f"a change of a player: python tests/systems/signature.py {' '.join([*option, '--write'])} commits to it"
    assert (done.stdout, done.stderr, done.returncode) == (committed(kind).read_text("ascii"), "", 0), why
