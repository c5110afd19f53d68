"""Talks to another copy of itself: one speaks on every channel that it finds, and one says on which it hears that."""

import ctypes
import fcntl
import json
import os
import socket
import struct
import sys

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
WORD = "ddzbot-test-talk"
COMMON = {"own": __file__, "system": "/etc/passwd", "interpreter": os.__file__}
IN_OPEN, IN_NONBLOCK = 0x20, 0o4000
LIBC = ctypes.CDLL(None, use_errno=True)
held = []


def speak():
    """Locks, opens and makes what another one may notice."""
    for file in map(open, COMMON.values()):
        held.append(file)
        attempt(lambda file=file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
        attempt(lambda file=file: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB))
    for folder in ("/tmp", "/dev/shm"):
        attempt(lambda folder=folder: open(os.path.join(folder, WORD), "w").close())
    held.append(socket.socket(socket.AF_UNIX))
    attempt(lambda: held[-1].bind("\0" + WORD))
    LIBC.shmget(0xDD2, 4096, 0o1666)


def listen():
    """Gets the channels on which somebody spoke."""
    heard = []
    for channel, path in COMMON.items():
        with open(path) as file:
            if isinstance(attempt(lambda file=file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)), BlockingIOError):
                heard.append("flock " + channel)
            wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
            found = attempt(lambda file=file, wanted=wanted: fcntl.fcntl(file, fcntl.F_GETLK, wanted))
            if isinstance(found, bytes) and struct.unpack("h", found[:2])[0] == fcntl.F_RDLCK:
                heard.append("fcntl " + channel)
    heard += [folder for folder in ("/tmp", "/dev/shm") if os.path.exists(os.path.join(folder, WORD))]
    with socket.socket(socket.AF_UNIX) as own:
        if isinstance(attempt(lambda: own.bind("\0" + WORD)), OSError):
            heard.append("socket")
    if LIBC.shmget(0xDD2, 4096, 0o666) >= 0:
        heard.append("System V")
    if watching >= 0 and not isinstance(attempt(lambda: os.read(watching, 4096)), OSError):
        heard.append("inotify")
    return heard


def attempt(function):
    """Gets what a call comes to, or its error."""
    try:
        return function()
    except OSError as error:
        return error


watching = -1
if sys.argv[1] == "listen":
    watching = LIBC.inotify_init1(IN_NONBLOCK)
    for place in COMMON.values():
        LIBC.inotify_add_watch(watching, place.encode(), IN_OPEN)
for turn, _ in enumerate(sys.stdin):
    said = {"file": [os.stat(__file__).st_dev, os.stat(__file__).st_ino]}
    if sys.argv[1] == "speak":
        speak()
    elif turn:
        said["heard"] = listen()
    print(json.dumps({"response": [3], "debug": said}), MARKER, sep="\n", flush=True)
