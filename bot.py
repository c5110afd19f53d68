#!/usr/bin/env python3
"""The program that a judge runs: it starts ddzbot's Botzone front end, and answers even if that cannot start."""

import os
import sys
import time

STARTED = time.monotonic()

PLAYER = ""
"""The player if no argument names one; empty: the strongest. tools.release.bundle writes another one here."""


def find_package() -> None:
    """Adds this file's folder to the path, where Python leaves it out: under ``-I`` and ``-P``."""
    if sys.flags.isolated or getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))


def answer_alone(error: BaseException) -> None:
    """Answers the first line without the package, of which something is missing or damaged."""
    text = '{"response":[],"debug":{"error":"the bot could not start"}}'
    try:
        from ddzbot.protocol.last_resort import last_resort

        line = sys.stdin.readline() if sys.stdin is not None else ""
        text = last_resort(line, f"the bot could not start: {type(error).__name__}: {error}")
    except Exception:
        pass  # nothing is known, not even the hand: the pass is the one answer that may be legal
    try:
        if sys.stdout is not None:
            os.write(1, text.encode("ascii", "replace") + b"\n")
    except OSError:
        pass  # there is no reader
    os._exit(0)


if __name__ == "__main__":
    try:
        find_package()
        from ddzbot.protocol.start import guard_imports, imports_are_done, process_start

        start = process_start(STARTED)
        guard_imports(start)
        from ddzbot.protocol.loop import run

        imports_are_done()
        run(sys.argv[1:], start, PLAYER)
    except Exception as error:
        answer_alone(error)
