"""
The bot with the players that stay at home, as a program of any judge: ``python -m tools.programs --player douzero``.

It is ``bot.py`` otherwise, but takes its time: to load torch alone takes longer than a platform's turn.
"""

import time

STARTED = time.monotonic()

PATIENT = ("--limit", "30s")
"""Options that come first, so that others overrule them."""

if __name__ == "__main__":
    import sys

    from ddzbot.protocol.loop import run

    run([*PATIENT, *sys.argv[1:]], STARTED)
