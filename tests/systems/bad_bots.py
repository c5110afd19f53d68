"""
Has the judge ask good and bad programs, and prints a line for each turn: ``python -m tests.systems.bad_bots``.

It runs on whatever system that Python is of, and needs nothing but what the judge needs.
"""

import json
import os
import sys

if os.environ.get("OTHER_SYSTEM"):
    from . import other_system  # noqa: F401

import psutil

from tools.judge.process import BotProcess
from tools.judge.process_limits import Limits

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
PATIENT = Limits(120.0, 120.0, 120.0)
SHORT = Limits(5.0, 5.0, 5.0)
OURS = f"  # asked by {os.getpid()}"
"""Ends the code of every program, so that those which are left over are known among all of the machine."""

ANSWER = "print('{\"response\": [3]}', flush=True)"
KEPT = f"print('{{\"response\": [3]}}', {MARKER!r}, sep='\\n', flush=True)"
CHILD = f"import subprocess, sys; subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600){OURS}'])"
GREEDY = f"held = b'1' * (400 << 20); import time; time.sleep(600){OURS}"

BOTS = {
    "answers": (ANSWER, PATIENT, 1),
    "is kept": (f"import sys\nfor line in sys.stdin: {KEPT}", PATIENT, 3),
    "ends between turns": (KEPT, PATIENT, 2),
    "fails": ("import sys; sys.exit(3)", PATIENT, 1),
    "raises": ("raise ValueError('no idea')", PATIENT, 1),
    "crashes": ("import ctypes; ctypes.string_at(0)", PATIENT, 1),
    "sleeps": ("import time; time.sleep(600)", SHORT, 1),
    "takes memory": (GREEDY, PATIENT, 1),
    "has a greedy child": (f"import subprocess, sys; subprocess.run([sys.executable, '-c', {GREEDY!r}])", PATIENT, 1),
    "prints without end": ("while True: print('x' * 1000)", PATIENT, 1),
    "prints no JSON": ("print('three')", PATIENT, 1),
    "leaves a child": (f"{CHILD}; {ANSWER}", PATIENT, 1),
    "reads nothing": (f"import os; os.close(0); {ANSWER}", PATIENT, 1),
}
"""What each does, its limits, and how many turns it is asked for."""


def main() -> None:
    """Plays them, and says at the end how many processes are left over."""
    for bot_name, (code, limits, turns) in BOTS.items():
        with BotProcess([sys.executable, "-S", "-c", code + OURS], limits=limits) as bot:
            for turn in range(turns):
                answer = bot.turn([{"cards": [0] * 30}] * (turn + 1), [[]] * turn)
                print(json.dumps([bot_name, answer.verdict, answer.fresh, answer.kept, answer.problem]), flush=True)
    print(json.dumps(["left over", sum(map(_is_ours, psutil.process_iter()))]))


def _is_ours(process: psutil.Process) -> bool:
    try:
        return any(OURS in word for word in process.cmdline())
    except psutil.Error:
        return False


if __name__ == "__main__":
    main()
