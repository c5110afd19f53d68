"""The bot with its standard streams closed, without devices, and when it cannot start at all."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ddzbot.protocol import streams
from ddzbot.protocol.last_resort import last_resort
from tests.support import ROOT, command_line, find_python, require

LEAD = {"requests": [{"own": [*range(4, 24)], "history": [[], []], "publiccard": [4, 5, 6]}], "responses": []}
FOLLOW = {"requests": [{"own": [*range(4, 21)], "history": [[], [0]], "publiccard": [0, 1, 2]}], "responses": []}
SUBSETS = [closed for size in range(4) for closed in itertools.combinations((0, 1, 2), size)]


def run(program: str, message: Any = LEAD) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, input=json.dumps(message), capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize(("closed", "version"), [*((closed, "3.6") for closed in SUBSETS), ((0, 1, 2), "3.13")])
def test_whatever_is_open_is_used_as_it_should_be(closed: tuple[int, ...], version: str) -> None:
    # A shell closes them just before the program starts, so that no wrapper keeps one open.
    python = require(find_python(version), f"CPython {version}")
    ends = " ".join({0: "0<&-", 1: "1>&-", 2: "2>&-"}[descriptor] for descriptor in closed)
    command = f"exec {command_line(python, '-S', '-E', '-s', ROOT / 'bot.py')} --player rule --limit 600s {ends}"
    done = subprocess.run(["sh", "-c", command], input=json.dumps(LEAD), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    if 1 in closed:
        assert done.stdout == ""
    else:
        answer = json.loads(done.stdout)
        assert done.stdout.count("\n") == 1
        assert answer["response"] if 0 not in closed else answer["response"] == []


def test_a_jail_without_devices_is_no_reason_to_pass(tmp_path: Path) -> None:
    program = (
        "import os, sys, time; os.devnull = 'no/such/device'\n"
        "from ddzbot.protocol.loop import run; run(sys.argv[1:], time.monotonic())"
    )
    for player in ("rule", "tests.protocol.bad_players:Chatty"):
        command = [sys.executable, "-c", program, "--player", player, "--limit", "2s"]
        done = subprocess.run(command, input=json.dumps(LEAD), capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
        assert json.loads(done.stdout)["response"]


def test_the_dead_end_takes_what_is_written_or_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "devnull", "no/such/device")
    nowhere = streams._nowhere()
    with pytest.raises(BrokenPipeError):
        os.write(nowhere, b"lost")
    os.close(nowhere)


@pytest.mark.parametrize("name", ["KeyboardInterrupt", "GeneratorExit"])
def test_an_exception_of_any_kind_in_a_player_is_said_and_another_one_plays(name: str) -> None:
    program = (
        "import sys, time; from ddzbot.players.rhcp import RhcpPlayer\n"
        f"def choose(self, view, limit): raise {name}('pressed')\n"
        "RhcpPlayer.choose = choose\n"
        "from ddzbot.protocol.loop import run; run(['--player', 'rhcp', '--limit', '600s,50p'], time.monotonic())"
    )
    done = run(program)
    debug = json.loads(done.stdout)["debug"]
    assert debug["failed_rhcp"] == f"{name}: pressed"
    assert debug["player"] in ("mctshs", "rule")


@pytest.mark.parametrize("message", [LEAD, FOLLOW], ids=["lead", "follow"])
def test_a_failure_after_the_streams_were_taken_over_still_reaches_the_judge(message: dict[str, Any]) -> None:
    program = (
        "import time; from ddzbot.protocol import session\n"
        "def answer(self, *arguments): raise KeyboardInterrupt('a bug')\n"
        "session.Session.answer = answer\n"
        "from ddzbot.protocol.loop import run; run([], time.monotonic())"
    )
    done = run(program, message)
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert found["response"] == ([4] if message is LEAD else [])
    assert found["debug"]["error"] == "the bot failed: KeyboardInterrupt: a bug"


def test_a_session_that_cannot_be_made_still_answers() -> None:
    program = (
        "import time; from ddzbot.protocol import loop\n"
        "def fail(*arguments): raise RuntimeError('no session')\n"
        "loop.Session = fail\n"
        "loop.run([], time.monotonic())"
    )
    done = run(program)
    assert "no session" in json.loads(done.stdout)["debug"]["error"]


@pytest.mark.parametrize(("missing", "response"), [("engine.py", [4]), ("protocol/last_resort.py", [])])
def test_a_package_with_a_missing_part_answers_from_the_line_alone(
    missing: str, response: list[int], tmp_path: Path
) -> None:
    shutil.copy(ROOT / "bot.py", tmp_path)
    shutil.copytree(ROOT / "ddzbot", tmp_path / "ddzbot")
    (tmp_path / "ddzbot" / missing).unlink()
    command = [sys.executable, str(tmp_path / "bot.py")]
    done = subprocess.run(command, input=json.dumps(LEAD), capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert json.loads(done.stdout)["response"] == response


def test_a_package_that_is_missing_and_a_closed_stdout_are_no_crash(tmp_path: Path) -> None:
    shutil.copy(ROOT / "bot.py", tmp_path)
    command = f'{command_line(sys.executable, tmp_path / "bot.py")} | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", command], input=json.dumps(LEAD), capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


AUCTION = {"own": [*range(4, 21)], "bid": [0]}
PLAY = {"own": [*range(4, 21)], "publiccard": [21, 22, 0], "landlord": 1, "pos": 1, "finalbid": 1, "history": [[], []]}
AGAIN: dict[str, Any] = {"history": [[], []]}


@pytest.mark.parametrize(
    ("message", "response"),
    [
        (LEAD, [4]),
        (FOLLOW, []),
        ({"requests": [AUCTION], "responses": []}, 0),
        ({"requests": [AUCTION, PLAY], "responses": [1]}, [0]),
        ({"requests": [AUCTION, PLAY, AGAIN], "responses": [1, [0]]}, [4]),
        ({"requests": [AUCTION, {**PLAY, "pos": 0}], "responses": [1]}, [4]),
        (LEAD["requests"][0], [4]),
        ({"requests": [{"own": [52, 53], "history": [[], []]}], "responses": []}, [52]),
        ({"requests": []}, []),
        ([], []),
        ("text", []),
        (None, []),
        ({"requests": [{"own": "x", "history": [[], []]}]}, []),
    ],
)
def test_the_last_resort_is_legal_where_the_line_can_be_read(message: Any, response: Any) -> None:
    assert json.loads(last_resort(json.dumps(message), "why")) == {"response": response, "debug": {"error": "why"}}


@pytest.mark.parametrize("line", ["", "{", "\x00", "[" * 100000, '{"requests":' * 1000])
def test_the_last_resort_passes_on_what_is_no_json(line: str) -> None:
    assert json.loads(last_resort(line, "why")) == {"response": [], "debug": {"error": "why"}}


@pytest.mark.parametrize("letter", ["x", "斗", '"'])
def test_the_last_resort_keeps_both_ends_of_a_long_reason(letter: str) -> None:
    debug = json.loads(last_resort("", f"ImportError: {letter * 100_000}: no such file"))["debug"]
    assert 400 < len(json.dumps(debug, separators=(",", ":"))) <= 1000
    assert debug["error"].startswith("ImportError: ") and debug["error"].endswith(": no such file")
    kept = f"ImportError: /{'folder/' * 80}: no such file"
    assert json.loads(last_resort("", kept))["debug"] == {"error": kept}
