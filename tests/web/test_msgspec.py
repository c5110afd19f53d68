"""The page's msgspec reads and refuses what msgspec does."""

import os
import subprocess
import sys
from pathlib import Path

import tools.tables.web
from tests.support import ROOT

FALLBACK = Path(tools.tables.web.__file__).with_name("msgspec.py")
READERS = Path(__file__).with_name("readers.py")


def read_with(*folders: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*folders, ROOT)))}
    command = [sys.executable, READERS, ROOT / "tests" / "data" / "rule-demo-1.ddzn"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_it_reads_and_refuses_as_msgspec_does(tmp_path: Path) -> None:
    (tmp_path / "msgspec.py").write_bytes(FALLBACK.read_bytes())
    wanted = read_with()
    assert len(wanted) > 90 and sum("Error" in line for line in wanted) > 50
    assert read_with(tmp_path) == wanted
