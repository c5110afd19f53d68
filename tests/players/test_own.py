"""A player of your own: the class of docs/guide/learner.md as it stands there, and what else such a class may do."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot.engine import Engine
from ddzbot.players.base import Decision
from ddzbot.players.registry import PlayerError, make_player, player_class
from ddzbot.rules import rule_set
from ddzbot.search.limit import NO_LIMIT
from ddzbot.view import BidView, View
from tests.support import EVERY_PYTHON, ROOT, find_python, require
from tools.arena.fallbacks import first_lead

PAGE = ROOT / "docs" / "guide" / "learner.md"
SOURCE = re.search(r"```python\n(# mine\.py\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
LEAD = first_lead("botzone")
VIEW = View.of(LEAD, LEAD.seat)


class Bare:
    def choose(self, view, limit):  # type: ignore[no-untyped-def]
        return view.legal_moves()[0]


class Rich:
    """Plays what its options say."""

    def __init__(self, seed, at=0):  # type: ignore[no-untyped-def]
        self.seed, self.at = seed, at

    def choose(self, view, limit):  # type: ignore[no-untyped-def]
        return Decision(view.legal_moves()[self.at], {"seed": self.seed})

    def bid(self, view):  # type: ignore[no-untyped-def]
        return max(view.legal_bids)


class Illegal:
    def choose(self, view, limit):  # type: ignore[no-untyped-def]
        return "33"


@pytest.fixture
def page_folder(tmp_path: Path) -> Path:
    assert SOURCE
    (tmp_path / "mine.py").write_text(SOURCE[1])
    return tmp_path


def test_the_class_of_the_page_plays_a_match(page_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(page_folder))
    words = [sys.executable, "-m", "tools", "match", "mine:Mine", "random", "--sets", "2", "--jobs", "1", "--strict"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "mine:Mine against random" in done.stdout, done.stderr


@pytest.mark.whole
def test_the_class_of_the_page_travels_in_the_zip(page_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "bot.zip"
    words = ["--player", "mine:Mine", "--add", str(page_folder), "--kernel", "none"]
    made = subprocess.run(
        [sys.executable, "-m", "tools", "bundle", "--out", str(file), *words], cwd=ROOT, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    first = {"own": list(range(20)), "history": [[], []], "publiccard": [0, 1, 2]}
    request = json.dumps({"requests": [first], "responses": []})
    for version in ("3.6", "3.13"):
        python = require(find_python(version), f"CPython {version}")
        done = subprocess.run([python, str(file)], input=request, capture_output=True, text=True)
        assert '"player":"mine:Mine"' in done.stdout.replace(" ", ""), done.stdout


def test_a_class_may_name_its_move_alone() -> None:
    decision = Engine(f"{__name__}:Bare").choose(VIEW, NO_LIMIT)
    assert (decision.move, decision.failures) == (VIEW.legal_moves()[0], ())
    assert decision.debug == {"player": f"{__name__}:Bare"}


def test_a_class_may_take_options_and_the_seed_of_each_game_and_may_bid() -> None:
    engine = Engine(f"{__name__}:Rich:at=1", seed=7)
    assert engine.choose(VIEW, NO_LIMIT).move == VIEW.legal_moves()[1]
    engine.reseed(8)
    assert engine.choose(VIEW, NO_LIMIT).debug["seed"] == 8
    hand = BidView(rule_set("botzone2"), VIEW.hand, ())
    assert engine.bid(hand).bid == 3
    assert engine.bid(hand).failures == ()
    assert make_player(f"{__name__}:Bare").bid(hand) in hand.legal_bids


def test_what_a_class_does_wrong_is_said() -> None:
    decision = Engine(f"{__name__}:Illegal").choose(VIEW, NO_LIMIT)
    assert decision.failures[0].player == f"{__name__}:Illegal" and decision.player != decision.failures[0].player
    with pytest.raises(PlayerError, match="unexpected keyword argument 'no'"):
        make_player(f"{__name__}:Rich:no=3")
    with pytest.raises(PlayerError, match="is no class with choose"):
        player_class("collections:Counter")


@pytest.mark.parametrize("version", EVERY_PYTHON)
def test_a_class_plays_on_every_python(version: str, page_folder: Path) -> None:
    python = require(find_python(version), f"CPython {version}")
    shutil.copytree(ROOT / "ddzbot", page_folder / "ddzbot", ignore=shutil.ignore_patterns("__pycache__"))
    program = "from ddzbot.players.registry import player_class as c; print(c('mine:Mine')().label)"
    done = subprocess.run([python, "-c", program], cwd=page_folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "mine"), done.stderr
