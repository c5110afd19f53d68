"""What the worker of the page answers to names that no page sends."""

import json
import subprocess
import sys

import pytest

from ddzbot.search.slices import Search
from tests.support import ROOT
from tools.tables.web.browser_worker import BrowserWorker


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> BrowserWorker:
    monkeypatch.setattr(Search, "watch", Search.watch)  # which the worker replaces
    return BrowserWorker(None, 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["99", "0", "-1", "23", "x", "", "³", "1e1", "%E0%A4%A", "3/4/5", "1" * 5000])
def test_there_is_no_endgame_of_another_name(worker: BrowserWorker, name: str) -> None:
    error = json.loads(worker.endgame(name, ""))["error"]
    assert error["en"].startswith("there is no endgame ") and "1 to 22" in error["en"] and "1 到 22" in error["zh"]
    assert len(error["en"]) < 200


@pytest.mark.parametrize("name", ["333333/4", "zz/4", "/4", "3/"])
def test_hands_that_cannot_be_are_refused_in_a_sentence(worker: BrowserWorker, name: str) -> None:
    assert set(json.loads(worker.endgame(name, ""))["error"]) == {"en", "zh"}


def test_endgames_are_named_by_number_or_hands(worker: BrowserWorker) -> None:
    assert json.loads(worker.endgame("3", ""))["hands"] == json.loads(worker.endgame("67/45", ""))["hands"]


HIDING = """
import sys
from tools.tables.web.pack import KNOWN

sys.platform = "emscripten"

class Hidden:
    def find_spec(self, name, *_):
        if name.partition(".")[0] not in KNOWN:
            raise ModuleNotFoundError(f"a page has no {name}", name=name)

for name in [name for name in sys.modules if name.startswith("tools.")]:
    del sys.modules[name]
sys.meta_path.insert(0, Hidden())
import tools.tables.web.browser_worker
"""


@pytest.mark.whole
def test_the_worker_imports_no_package_that_a_page_has_not() -> None:
    done = subprocess.run([sys.executable, "-c", HIDING], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
