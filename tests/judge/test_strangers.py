"""Whole games against what strangers' programs do, which ends as it does on the platform."""

import sys

import pytest

from ddzbot.engine import Engine
from ddzbot.search.limit import Limit
from tests.judge.test_process import BOTS, PATIENT, is_gone
from tests.support import eventually
from tools.arena.matches.programs import EngineBot
from tools.judge.game import JudgeGame
from tools.judge.process import BotProcess
from tools.referee.games import make_referee


@pytest.mark.whole
@pytest.mark.parametrize(
    ("habits", "verdict", "restarted"),
    [
        ("slow-first", "OK", True),
        ("long-debug", "OK", True),
        ("too-long-debug", "OLE", True),
        ("text-before", "NJ", True),
        ("cr-lf", "OK", True),
        ("cr-lf marker stays", "OK", False),
        ("marker", "OK", True),
        ("child", "OK", True),
        ("child marker stays", "OK", False),
    ],
)
def test_a_game_goes_on_whatever_a_stranger_does(habits: str, verdict: str, restarted: bool) -> None:
    command = [sys.executable, "-E", "-s", "-S", str((BOTS / "stranger").with_suffix(".py")), *habits.split()]
    with BotProcess(command, limits=PATIENT) as stranger:
        others = [EngineBot("rule", Engine("rule"), Limit()) for _ in range(2)]
        match = JudgeGame(make_referee("FightTheLandlord", "", "strangers"), [stranger, *others])
        for _ in match.turns():
            pass
    answers = match.answers[0]
    assert {answer.verdict for answer in answers} == {verdict}
    assert [fault.verdict for fault in match.faults] == [verdict] * (verdict != "OK")
    assert all(answer.fresh for answer in answers[1:]) is restarted
    assert verdict != "OK" or len(answers) > 3
    children = [answer.debug for answer in answers if "child" in habits]
    assert all(children)
    assert eventually(lambda: all(map(is_gone, children)))
