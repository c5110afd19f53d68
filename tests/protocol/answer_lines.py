"""
Answers each envelope on stdin with one line on stdout, as ``bot.py`` would in a fresh process.

Run by the tests under every CPython from 3.6 on, without any third-party package: thousands of answers in the time of
a few process starts.
"""

import sys
import time

sys.path.insert(0, sys.argv[1])

from ddzbot.protocol.budget import Budget
from ddzbot.protocol.session import Session
from ddzbot.protocol.watchdog import Settings
from ddzbot.search.deadline import Clock

for line in sys.stdin:
    session = Session(Settings(sys.argv[2], 0, None, Budget(first=30.0)))
    sys.stdout.write(session.answer(line, Clock(time.monotonic())) + "\n")
