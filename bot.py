#!/usr/bin/env python3
"""The program that a judge runs: it starts ddzbot's Botzone front end, and answers even if that cannot start."""

import time

STARTED = time.monotonic()

PLAYER = ""
"""Who plays where no argument says so; empty: the strongest. tools.release.bundle writes another one here."""


def answer_alone(error: BaseException) -> None:
    """Answers the first line without the package, of which something is missing or damaged."""
    import os
    import sys

    text = '{"response":[],"debug":{"error":"the bot could not start"}}'
    try:
        from ddzbot.protocol.last_resort import last_resort

        line = sys.stdin.readline() if sys.stdin is not None else ""
        text = last_resort(line, f"the bot could not start: {type(error).__name__}: {error}")
    except Exception:
        pass  # nothing is known, not even the hand: the pass is the one answer that may be legal
    if sys.stdout is not None:
        os.write(1, text.encode("ascii", "replace") + b"\n")
    os._exit(0)


if __name__ == "__main__":
    try:
        import sys

        from ddzbot.protocol.loop import run

        run(sys.argv[1:], STARTED, PLAYER)
    except Exception as error:
        answer_alone(error)
