"""The bot as a program of the installed package: ``python -m ddzbot`` does what ``bot.py`` does."""

import time

STARTED = time.monotonic()

if __name__ == "__main__":
    import sys

    from ddzbot.protocol.loop import run
    from ddzbot.protocol.start import process_start

    run(sys.argv[1:], process_start(STARTED))
