#!/usr/bin/env python3
"""The program that a judge runs: it starts ddzbot's Botzone front end, and answers even if that cannot start."""

import time

STARTED = time.monotonic()

PLAYER = ""
"""Who plays where no argument says so; empty: the strongest. The file that tools.bundle makes has its player here."""

if __name__ == "__main__":
    import os
    import sys

    try:
        from ddzbot.protocol.loop import run

        run(sys.argv[1:], STARTED, PLAYER)
    except Exception:
        # Nothing is known, not even the hand: the pass is the one answer that may be legal.
        os.write(1, b'{"response":[],"debug":{"error":"the bot could not start"}}\n')
        os._exit(0)
