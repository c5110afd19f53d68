"""Keeps running, and has a timer wake it while it is stopped, to think in the time of others."""

import ctypes
import json
import os
import signal
import sys
import threading
import time

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class Event(ctypes.Structure):
    """What a timer does: a value, a signal, and that it sends one."""

    _fields_ = [
        ("value", ctypes.c_void_p),
        ("number", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("rest", ctypes.c_char * 48),
    ]


LIBC = ctypes.CDLL("librt.so.1" if os.path.exists("/lib/x86_64-linux-gnu/librt.so.1") else None)


def arm():
    """Has the process continued again and again."""
    timer = ctypes.c_void_p()
    LIBC.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(Event(None, signal.SIGCONT, 0)), ctypes.byref(timer))
    LIBC.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 50000000, 0, 50000000), None)


def think():
    """Counts in the background."""
    while True:
        pass


signal.signal(signal.SIGCONT, lambda *_: None)
arm()
threading.Thread(target=think, daemon=True).start()
for _ in sys.stdin:
    print(json.dumps({"response": [3]}), MARKER, sep="\n", flush=True)
