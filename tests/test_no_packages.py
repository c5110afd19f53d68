"""The bot plays on a bare Python: one process a turn, no numpy."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ddzbot.cards import hand_of_ids
from ddzbot.rules import classify, explain, rule_set
from tests.support import ROOT, find_python, require

# Not -I: the folder of bot.py must stay importable, as it is on the judge.
BARE = ["-S", "-E", "-s"]
LANDLORD = [52, 53, *range(0, 36, 2)]
LANDLORD_DOWN = [*range(1, 35, 2)]
FIRST = {"own": LANDLORD, "history": [[], []], "publiccard": LANDLORD[:3]}


class Turn(NamedTuple):
    """A one-shot envelope, the cards that may be played, and the cards that must be beaten."""

    requests: list[Any]
    responses: list[list[int]]
    held: list[int]
    to_beat: list[int]


def follow(played: list[int]) -> Turn:
    first = {"own": LANDLORD_DOWN, "history": [[], played], "publiccard": LANDLORD[:3]}
    return Turn([first], [], LANDLORD_DOWN, played)


LATER = Turn([FIRST, {"history": [[], []]}], [[0]], sorted({*LANDLORD} - {0}), [])
TURNS = {"lead": Turn([FIRST], [], LANDLORD, []), "follow": follow([0]), "rocket": follow([52, 53]), "later": LATER}


def run_bot(bot: Path, python: str, turn: Turn) -> list[int]:
    """Asks *bot* once, insists on one line of JSON that a player chose, and returns the cards it plays."""
    envelope = json.dumps({"requests": turn.requests, "responses": turn.responses})
    command = [python, *BARE, str(bot), "--limit", "600s,300p"]
    done = subprocess.run(command, input=envelope + "\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    answer = json.loads(done.stdout)
    # The emergency answers of bot.py are legal too, and would pass here with no player working at all.
    assert troubles(answer["debug"]) == {}
    assert {type(card) for card in answer["response"]} <= {int}
    response: list[int] = answer["response"]
    return response


def troubles(debug: dict[str, Any]) -> dict[str, Any]:
    """What the bot itself says went wrong: an error, a failed player, or no player at all."""
    said = {key: value for key, value in debug.items() if key == "error" or key.startswith("failed")}
    return said if debug.get("player", "none") != "none" else {**said, "player": "none"}


def fault(turn: Turn, response: list[int]) -> str | None:
    rules = rule_set("botzone")
    to_beat = classify(rules, hand_of_ids(turn.to_beat))[0] if turn.to_beat else None
    if not {*response} <= {*turn.held}:
        return f"{response}: not all of these cards are in {turn.held}"
    return explain(rules, hand_of_ids(turn.held), hand_of_ids(response), to_beat)


@pytest.fixture(params=["here", "3.6"])
def python(request: pytest.FixtureRequest) -> str:
    if request.param == "here":
        return sys.executable
    return require(find_python(request.param), f"CPython {request.param}")


@pytest.mark.parametrize("name", ["follow", "later"])
def test_the_bot_plays_a_legal_move_without_packages(name: str, python: str) -> None:
    assert fault(TURNS[name], run_bot(ROOT / "bot.py", python, TURNS[name])) is None


@pytest.mark.parametrize("package", ["numpy", "msgspec"])
def test_the_bare_python_finds_no_package(package: str, python: str) -> None:
    done = subprocess.run([python, *BARE, "-c", f"import {package}"], capture_output=True, text=True)
    assert f"No module named '{package}'" in done.stderr


@pytest.mark.parametrize(
    ("turn", "response"),
    [("lead", []), ("lead", [1]), ("lead", [0, 4]), ("follow", [1]), ("rocket", [5]), ("later", [0])],
)
def test_an_illegal_answer_is_found(turn: str, response: list[int]) -> None:
    assert fault(TURNS[turn], response)


GOOD = {"response": [], "debug": {"player": "rule"}}


def small_bot(folder: Path, answer: dict[str, Any], end: str) -> Path:
    bot = folder / "bot.py"
    bot.write_text(f"import json, sys\nprint(json.dumps({answer!r}))\n{end}\n")
    return bot


def test_an_answer_in_the_right_form_is_accepted(tmp_path: Path) -> None:
    assert run_bot(small_bot(tmp_path, GOOD, ""), sys.executable, TURNS["rocket"]) == []


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({}, "print()"),
        ({}, "sys.stderr.write('hello')"),
        ({}, "sys.exit(1)"),
        ({"response": ["0"]}, ""),
        ({"debug": {}}, ""),
        ({"debug": {"player": "none"}}, ""),
        ({"debug": {"player": "rule", "error": "too late"}}, ""),
        ({"debug": {"player": "rule", "failed_champion": "no weights"}}, ""),
    ],
)
def test_an_answer_in_the_wrong_form_is_found(tmp_path: Path, changed: dict[str, Any], end: str) -> None:
    bot = small_bot(tmp_path, {**GOOD, **changed}, end)
    with pytest.raises(AssertionError):
        run_bot(bot, sys.executable, TURNS["rocket"])
