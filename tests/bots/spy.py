"""Looks for the deal of its match: crashes where it reads its first argument in a file that is not its own."""

import os
import sys

import obedient_one_shot

SYSTEM = ("bin", "dev", "etc", "lib", "lib32", "lib64", "nix", "opt", "proc", "sbin", "sys", "usr")


def files():
    """Finds every file that does not belong to the system or to Python."""
    tops = ["/" + entry for entry in os.listdir("/") if entry not in SYSTEM]
    for top in [os.getcwd(), *tops]:
        for folder, inner, names in os.walk(top):
            inner[:] = [sub for sub in inner if not sys.executable.startswith(os.path.join(folder, sub, "bin"))]
            yield from (os.path.join(folder, entry) for entry in names)


def reads(name):
    """Tells whether a file holds the first argument; one that may not be read holds nothing."""
    try:
        with open(name, "rb") as file:
            return sys.argv[1].encode() in file.read(1 << 20)
    except OSError:
        return False


if __name__ == "__main__":
    if any(map(reads, files())):
        sys.exit("it reads the secret")
    obedient_one_shot.main()
