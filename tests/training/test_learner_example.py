"""The example of docs/examples/learner: it learns, its folder is packed, and what it became plays on an old Python."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ddzbot.kernel import native
from tests.support import ROOT, find_python, require
from tests.test_zip import LEAD
from tools.release import bundle

pytestmark = pytest.mark.whole

EXAMPLE = ROOT / "docs" / "examples" / "learner" / "learn.py"


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a player that has learned for less than a second."""
    require(native(), "the kernel")
    folder = tmp_path_factory.mktemp("mine") / "learned"
    words = [sys.executable, str(EXAMPLE), str(folder), "--minutes", "0.001", "--tables", "4"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


def packed(*words: object) -> Any:
    done = CliRunner().invoke(bundle.main, ["--kernel", "none", *map(str, words)])
    sys.modules.pop("learned", None)
    return done


def test_what_learned_plays_out_of_the_zip(mine: Path, tmp_path: Path) -> None:
    archive = tmp_path / "mine.zip"
    done = packed("--out", archive, "--player", "learned:Learned", "--add", mine)
    assert done.exit_code == 0 and "Player: learned:Learned" in done.output, done.output
    python = require(find_python("3.6"), "CPython 3.6")
    words = [python, "-S", "-E", "-s", str(archive)]
    answered = subprocess.run(words, input=LEAD, capture_output=True, text=True, cwd=tmp_path)
    debug = json.loads(answered.stdout)["debug"]
    assert (debug["player"], debug["moves"] > 10, answered.stderr) == ("learned:Learned", True, "")


def test_what_is_not_in_the_folder_is_refused(mine: Path, tmp_path: Path) -> None:
    archive = tmp_path / "mine.zip"
    done = packed("--out", archive, "--player", "tests.protocol.bad_players:Raising", "--add", mine)
    assert done.exit_code == 2 and "is packed from the folder that --add names" in " ".join(done.output.split())
    (tmp_path / "own" / "weights").mkdir(parents=True)
    (tmp_path / "own" / "weights" / "mine.bin").write_bytes(b"")
    done = packed("--out", archive, "--add", tmp_path / "own")
    assert done.exit_code == 2 and "has a weights of its own; give it another name" in " ".join(done.output.split())
    assert not archive.exists()
