"""The championship's lines: an example dialogue, series by the hundred, and lines that make no sense."""

import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.protocol.budget import Budget
from ddzbot.protocol.icga import IcgaSession
from ddzbot.protocol.watchdog import Settings
from ddzbot.search.deadline import Clock
from tests.support import ROOT
from tools.judge.icga_platform import Platform

# The input of one engine and its answers, as it sits at B and leaves the auction to A.
EXAMPLE = [
    ("DOUDIZHUVER 1.0", "NAME ddzbot"),
    ("INFO 1,2,1,100,10,2100,15", "OK INFO"),
    ("DEAL B0,1,3,4,8,12,16,20,24,28,32,36,40,44,45,50,52", "OK DEAL"),
    ("BID A3", "OK BID"),
    ("LEFTOVER A2,29,39", "OK LEFTOVER"),
    ("PLAY A29", "OK PLAY"),
    ("PLAY WHAT", "PLAY B"),
    ("PLAY C-1", "OK PLAY"),
    ("PLAY A-1", "OK PLAY"),
    ("GAMEOVER A", "OK GAMEOVER"),
    ("EXIT", ""),
]


def session(player: str = "rule") -> IcgaSession:
    return IcgaSession(Settings(player, 1, 20, Budget()))


def say(engine: IcgaSession, line: str) -> str:
    return engine.answer(line, Clock.starting_now())


def test_the_example_dialogue() -> None:
    engine = session()
    for line, answer in EXAMPLE:
        said = say(engine, line)
        assert said.startswith(answer) and bool(said) == bool(answer), line
    assert engine.ended


class Here:
    """An engine of the platform in this process, which is never ended."""

    def __init__(self, player: str) -> None:
        self._session = session(player)

    def ask(self, line: str) -> str:
        return say(self._session, line)

    def end(self) -> None:
        raise AssertionError("no engine is at fault here")


def test_a_series_of_deals_is_played_by_one_engine_each() -> None:
    platform = Platform([Here("rule"), Here("random"), Here("rule")])
    platform.open()
    assert all(name.startswith("ddzbot") for name in platform.names)
    played = [platform.play(number, 12, "test") for number in range(12)]
    assert {one.landlord for one in played} == {0, 1, 2}
    assert {one.first for one in played} == {0, 1, 2}
    assert all(sum(one.points) == 0 and one.game and one.game.finished and not one.faults for one in played)


def test_the_program_speaks_it() -> None:
    lines = "".join(line + "\n" for line, _ in EXAMPLE)
    command = [sys.executable, str(ROOT / "bot.py"), "--protocol", "icga", "--player", "rule"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert len(said) == len(EXAMPLE) - 1
    assert all(line.startswith(answer) for line, (_, answer) in zip(said, EXAMPLE, strict=False))


# Lines that make no sense.


def test_a_landlord_who_was_outbid_leads_what_any_landlord_does() -> None:
    leads = []
    for bids in (["BID A3"], []):
        engine = session()
        for line in (EXAMPLE[2][0], *bids, "LEFTOVER B2,29,39"):
            assert say(engine, line).startswith("OK")
        leads.append(say(engine, "PLAY WHAT"))
    assert leads[0] == leads[1] and leads[0].count(",") > 0  # the least that is legal would be one card


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("PLAY WHAT", "PLAY A-1"),
        ("BID WHAT", "BID A0"),
        ("PLAY A3", "OK PLAY"),
        ("HELLO there", "OK HELLO"),
        ("INFO", "OK INFO"),
        ("DEAL Z1,2", "OK DEAL"),
        ("DEAL A99", "OK DEAL"),
        ("LEFTOVER B1,2,3", "OK LEFTOVER"),
        ("ERROR A", "OK ERROR"),
        ("", "OK "),
    ],
)
def test_a_line_out_of_place_is_answered(line: str, answer: str) -> None:
    assert say(session(), line) == answer


def test_a_dealt_hand_leads_its_smallest_card_where_the_player_fails() -> None:
    engine = session("tests.protocol.bad_players:Raising")
    assert say(engine, "DEAL A" + ",".join(map(str, range(17)))) == "OK DEAL"
    assert say(engine, "BID WHAT")[:5] == "BID A"
    say(engine, "LEFTOVER A51,52,53")
    lead = say(engine, "PLAY WHAT")
    assert lead.startswith("PLAY A") and lead != "PLAY A-1"


@given(st.lists(st.sampled_from([*dict(EXAMPLE), "BID WHAT", "BID C2", "LEFTOVER B2,29,39", "PLAY C1,2"]), max_size=12))
def test_messages_in_any_order_get_one_answer_each(lines: list[str]) -> None:
    engine = session("random")
    for line in itertools.takewhile(lambda one: one != "EXIT", lines):
        said = say(engine, line)
        assert said and "\n" not in said
        assert said.split()[0] in ("OK", "NAME", "BID", "PLAY")


@given(st.text(max_size=60))
def test_any_text_gets_one_answer(line: str) -> None:
    engine = session("random")
    say(engine, EXAMPLE[2][0])
    said = say(engine, line)
    assert said.isascii() and "\n" not in said
