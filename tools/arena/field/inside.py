"""
Runs in the sandbox: makes a program in a copy of its folder, and hands over what is new there.

Of each file it prints a line with the length of its name, 1 if it may be run, and its length, then both. That is read
by :mod:`.build`, which does not rely on it: a Makefile can print there, too.
"""

import os
import shutil
import subprocess
import sys


def main(command: str, work: str) -> None:
    """Runs a command of the shell in *work*, a copy of this folder that is made for it."""
    shutil.copytree(".", work, symlinks=True)
    code = subprocess.run(["sh", "-c", command], cwd=work, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode
    if code:
        sys.exit(code if code > 0 else 128 - code)
    for folder, _, names in os.walk(work):
        for file in names:
            path = os.path.join(folder, file)
            if os.path.isfile(path) and not os.path.islink(path):
                _hand_over(path, os.path.relpath(path, work))


def _hand_over(path: str, name: str) -> None:
    made, before = _file(path), _file(name)
    if made != before and made is not None:
        (runs, content), called = made, os.fsencode(name)
        sys.stdout.buffer.write(b"%d %d %d\n%s%s" % (len(called), runs, len(content), called, content))


def _file(path: str) -> "tuple[bool, bytes] | None":
    try:
        with open(path, "rb") as file:
            return os.access(path, os.X_OK), file.read()
    except OSError:
        return None


if __name__ == "__main__":
    main(*sys.argv[1:])
