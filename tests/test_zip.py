"""The file to upload plays by itself, on the oldest Python too."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, find_python, require

FIRST = json.dumps({"requests": [{"own": [*range(20)], "history": [[], []], "publiccard": [0, 1, 2]}]})


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zip")
    for name in ("Makefile", "bot.py", "ddzbot"):
        (folder / name).symlink_to(ROOT / name)
    subprocess.run(["make", "-s", "zip", f"PYTHON={sys.executable}"], cwd=folder, check=True, capture_output=True)
    return folder / "build" / "ddzbot.zip"


@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_the_zip_answers_in_an_empty_folder(version: str, archive: Path, tmp_path: Path) -> None:
    python = require(find_python(version), f"CPython {version}")
    command = [python, "-I", "-S", str(archive)]
    done = subprocess.run(command, input=FIRST, capture_output=True, text=True, cwd=tmp_path, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["debug"]["player"] == "rule"


def test_the_zip_is_far_below_the_4_mb_that_the_platform_takes(archive: Path) -> None:
    assert archive.stat().st_size < 1_000_000
