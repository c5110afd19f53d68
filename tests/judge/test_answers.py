"""Whatever a bot prints is a verdict, or can be sent back, recorded, read again and shown; and no record is lost."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.fuzz.answers import check_answer
from tests.support import ROOT
from tests.tools.json_values import FLOATS, INTEGERS, TEXTS, nested
from tools.judge.__main__ import command
from tools.records.files import read_records
from tools.shared.storage import growing_file

FIELDS = ("response", "debug", "data", "globaldata")
KEYS = TEXTS | st.sampled_from([*FIELDS, "player", "moves", "search", "error", "failed_x", "playouts", "3", "pass"])
HUGE = st.sampled_from([10**308, 10**309, -(10**5000), "x" * 9000])
VALUES = nested(st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS | HUGE, KEYS)

SMALL = json.dumps({"allocation": [[4, 5], [8], [12]], "publiccard": []})
ODD_BOT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from obedient_one_shot import respond
game = json.loads(input())
print(json.dumps({"response": respond(game["requests"], game["responses"])})[:-1] + "," + sys.argv[2] + "}")
"""


@pytest.fixture(autouse=True)
def integers_of_any_size() -> Any:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.whole
@settings(max_examples=15)
@given(st.dictionaries(st.sampled_from(FIELDS) | KEYS, VALUES, max_size=5), st.booleans())
@example({"response": [4], "debug": 10**5000}, True)
@example({"response": 10**308, "debug": "\ud800", "data": "\x00"}, False)
@example({"response": {"a": ["\ud800"]}, "debug": {"player": ["x"], "failed_\x1b": {"a": 1}, "error": None}}, True)
@example({"response": [True], "debug": {"player": "mcm", "moves": {"4": [float("inf"), 1, 10**308]}}}, True)
def test_any_answer_is_a_verdict_or_goes_everywhere(answer: dict[str, Any], ascii_only: bool) -> None:
    check_answer(json.dumps(answer, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass"))


@pytest.mark.whole
@given(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()))
@example(b'{"response":[4],"debug":' + b"[" * 449 + b"]" * 449 + b"}")
@example(b"[" * 100_000)
def test_any_bytes_are_a_verdict_or_go_everywhere(data: bytes) -> None:
    check_answer(data)


# The command.


def judge(tmp_path: Path, said: str, *options: str, game: str = "FightTheLandlord") -> Result:
    """Plays a match of which the first bot says something beside its legal answers."""
    bot = tmp_path / "bot.py"
    bot.write_text(ODD_BOT)
    odd = shlex.join(["python", str(bot), str(ROOT / "tests" / "bots"), said])
    good = shlex.join(["python", str(ROOT / "tests" / "bots" / "obedient_keep_running.py")])
    arguments = [odd, good, good, "--game", game, "--initdata", SMALL, "--turn-time", "60", *options]
    return CliRunner().invoke(command, arguments)


def test_a_number_beyond_a_double_is_a_verdict_and_the_match_goes_on(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    done = judge(tmp_path, '"data":1e400', "--save-games", str(record), game="FightTheLandlord2")
    assert done.exit_code == 1
    assert done.stderr == "turn 1: player 0 printed no JSON: 1e400 is too large for a number (NJ)\n"
    (game,) = read_records(record)
    assert game.result.termination == "landlord out"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ('"debug":{"player":"\\ud800"}', {"player": "\ufffd"}),
        (f'"debug":{"[" * 440}{"]" * 440}', None),
        ('"debug":"%s"' % ("x" * 20_000), {"debug": '"' + "x" * 999}),
        ('"debug":"\\u001b[2J\\u0000"', {"debug": "\x1b[2J\0"}),
    ],
    ids=["half a pair", "deep", "long", "escapes"],
)
def test_what_a_bot_says_is_shown_and_recorded_or_a_verdict(said: str, kept: Any, tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    done = judge(tmp_path, said, "--show", "--thoughts", "--save-games", str(record))
    assert (done.exit_code, done.stderr) == (0, "")
    (game,) = read_records(record)
    assert game.moves[0].note.debug == kept or kept is None
    assert json.loads(record.read_text("utf-8"))["log"][1]["0"]["debug"]


@pytest.mark.whole
def test_a_full_disk_costs_the_new_game_only_and_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "r.jsonl"
    options = ["--save-games", str(record), "--append"]
    assert judge(tmp_path, '"debug":1', *options).exit_code == 0
    before = record.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(growing_file.os, "fsync", full)
        done = judge(tmp_path, '"debug":2', *options)
    assert (done.exit_code, done.stderr) == (3, f"Error: {record}: it cannot be written: No space left on device\n")
    assert record.read_bytes() == before
    record.write_bytes(before + before[:-50])
    assert judge(tmp_path, '"debug":3', *options).exit_code == 0
    assert [game.moves[0].note.debug for game in read_records(record)] == [{"debug": 1}, {"debug": 3}]


def test_a_match_that_does_not_begin_leaves_no_record(tmp_path: Path) -> None:
    record = tmp_path / "r.json"
    assert CliRunner().invoke(command, ["rule", "rule", "nope", "--save-games", str(record)]).exit_code == 2
    assert not record.exists()
    refused = CliRunner().invoke(command, ["rule", "rule", "rule", "--append", "--save-games", str(record) + ".gz"])
    assert refused.exit_code == 2
    assert "FILE is not compressed" in refused.stderr


@pytest.mark.parametrize("said", ['{"seed":1e400}', '{"seed":"\\ud800"}', '"{\\"seed\\":NaN}"'])
def test_a_deal_that_no_record_can_hold_is_refused(said: str) -> None:
    options = ["--game", "FightTheLandlord2", "--initdata", said]
    done = CliRunner().invoke(command, ["rule", "rule", "rule", *options])
    assert done.exit_code == 2
    assert "is too large" in done.stderr or "half of a surrogate pair" in done.stderr or "NaN" in done.stderr
