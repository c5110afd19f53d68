"""The bot answers every request that the real judges ever sent in our recordings, under every CPython, legally."""

import json
import os
import subprocess

import pytest

from tests.protocol.envelopes import Asked, asked_in_scored_games, asked_in_transcripts
from tests.support import EVERY_PYTHON, ROOT, find_python, require

SAMPLE = int(os.environ.get("DDZ_ANSWERS", "60"))
"""How many of the rebuilt envelopes each interpreter answers; 0 means all of them."""

PLAYER = "rule"


def recorded() -> list[Asked]:
    """All requests of the transcripts, and a sample of the envelopes rebuilt from the scored games."""
    rebuilt = list(asked_in_scored_games())
    step = max(1, len(rebuilt) // SAMPLE) if SAMPLE else 1
    return [*asked_in_transcripts(), *rebuilt[::step]]


def answers_of(python: str, asked: list[Asked]) -> list[dict[str, object]]:
    program = str(ROOT / "tests" / "protocol" / "answer_lines.py")
    lines = "".join(json.dumps(one.envelope) + "\n" for one in asked)
    command = [python, "-I", "-S", program, str(ROOT), PLAYER]
    done = subprocess.run(command, input=lines, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_recordings_hold_523_requests_and_3683_moves() -> None:
    moves = [one for one in asked_in_scored_games() if one.bids is None]
    assert (len(list(asked_in_transcripts())), len(moves)) == (523, 3683)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("version", EVERY_PYTHON)
def test_every_recorded_request_is_answered_legally(version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    # The oldest and the newest Python answer all requests, the others a sample.
    asked = recorded()[:: 1 if version in ("3.6", "3.13") else 8]
    answers = answers_of(python, asked)
    assert len(answers) == len(asked)
    faults = [
        (one.name, fault, answer)
        for one, answer in zip(asked, answers, strict=True)
        if (fault := one.fault(answer["response"])) or "error" in str(answer["debug"])
    ]
    assert faults == []
