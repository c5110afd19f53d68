"""Never answers, ignores SIGTERM, and so does its child; names both process ids on stderr: TLE."""

import os
import signal
import sys
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdin.readline()
child = os.fork()
if child:
    sys.stderr.write(f"{os.getpid()} {child}\n")
time.sleep(3600)
