"""Damaged envelopes: one JSON line and exit code 0 each time."""

import copy
import functools
import json
import os
import random
import subprocess
import sys
from typing import Any

from ddzbot.protocol.budget import Budget
from ddzbot.protocol.session import Session, Settings
from ddzbot.search.clock import Clock
from tests.fuzz.mutation import damage
from tests.protocol.envelopes import asked_in_scored_games, asked_in_transcripts
from tests.support import ROOT

IN_PROCESS = int(os.environ.get("DDZ_FUZZ", "500"))
PROCESSES = int(os.environ.get("DDZ_FUZZ_PROCESSES", "10"))


@functools.cache
def real_envelopes() -> list[Any]:
    return [one.envelope for one in [*asked_in_transcripts(), *asked_in_scored_games()]]


def fuzzed_lines(number: int, seed: int) -> list[str]:
    """Makes *number* lines: real envelopes with 0 to 4 damages, some then cut off or hit by stray characters."""
    dice = random.Random(seed)
    lines = []
    for _ in range(number):
        envelope = copy.deepcopy(dice.choice(real_envelopes()))
        for _ in range(dice.randrange(5)):
            envelope = damage(envelope, dice)
        line = json.dumps(envelope)
        if dice.random() < 0.1:
            line = line[: dice.randrange(len(line) + 1)]
        if dice.random() < 0.1:
            cut = dice.randrange(len(line) + 1)
            line = line[:cut] + dice.choice(["]", "}", '"', ",", "\x00", "é", "NaN"]) + line[cut:]
        lines.append(line)
    return lines


def assert_is_an_answer(output: str) -> None:
    assert output.count("\n") == 0
    answer = json.loads(output)
    assert {*answer} == {"response", "debug"}
    assert isinstance(answer["response"], (list, int))
    assert len(json.dumps(answer["debug"], separators=(",", ":"))) < 1024


def test_fuzzed_envelopes_are_answered_in_process() -> None:
    for number, line in enumerate(fuzzed_lines(IN_PROCESS, seed=1)):
        session = Session(Settings("rule" if number % 2 else "random", 0, None, Budget(30.0, 30.0)))
        output = session.answer(line, Clock.starting_now())
        assert_is_an_answer(output)
        assert "in time" not in output
        assert_is_an_answer(session.answer(fuzzed_lines(1, number)[0], Clock.starting_now(), first_turn=False))


def test_fuzzed_envelopes_are_answered_by_processes() -> None:
    for line in fuzzed_lines(PROCESSES, seed=2):
        command = [sys.executable, str(ROOT / "bot.py")]
        done = subprocess.run(command, input=line.encode(), capture_output=True, timeout=60)
        assert (done.returncode, done.stderr, done.stdout[-1:]) == (0, b"", b"\n"), line
        assert_is_an_answer(done.stdout.decode()[:-1])
