"""The committed hash of what every player decides, which workflows compare on other systems."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.systems.signature import COMMITTED

PROGRAM = Path(__file__).with_name("signature.py")

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("with_kernel")]


def test_every_player_decides_as_is_committed() -> None:
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(PROGRAM)], env=settings, capture_output=True, text=True)
    why = "a change of a player: python tests/systems/signature.py --write commits to it"
    assert (done.stdout, done.stderr, done.returncode) == (COMMITTED.read_text("ascii"), "", 0), why
