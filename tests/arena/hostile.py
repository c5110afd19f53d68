"""A class of nine: three programs that play, in every form, and six hand-ins that mean no good."""

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.support import ROOT

_BOTS = ROOT / "tests" / "bots"
GOOD = (_BOTS / "obedient_one_shot.py").read_text("utf-8")
KEPT = (_BOTS / "obedient_keep_running.py").read_text("utf-8")
KEPT = KEPT.replace("from obedient_one_shot import respond\n", GOOD.partition("def main")[0])
"""The same player as one process a game, in one file."""

HONEST = ["carl", "dora", "emil"]
"""How those that play are called."""
HOSTILE = {
    "bomb": "it has more than 64 MiB or 2000 files",
    "deep": "it has folders in folders, more than 32 deep",
    "pipe": "it is neither a file nor a folder",
    "spill": "",
    "spoiled": "it is packed in a way that few programs read: pack it again by the usual one, deflate",
    "up": "its file '../up.py' lies outside of it",
}
"""Why the others do not play; of one it depends on what the sandbox lets it do."""

SPILL = r"""
import ctypes, gzip, os
pid, channel = os.getppid(), -1
while channel < 0:
    try:
        channel = os.open(f"/proc/{pid}/fd/1", os.O_WRONLY)
    except PermissionError:
        libc = ctypes.CDLL(None)
        channel = libc.syscall(438, libc.syscall(434, pid, 0), 1, 0)
    if channel < 0 or os.readlink(f"/proc/self/fd/{channel}") == os.readlink("/proc/self/fd/1"):
        pid, channel = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1]), -1
os.write(channel, gzip.compress(b"0" * (64 << 20))[:50000])
"""
"""Writes to where the first process above it prints that prints elsewhere, which is what compiles it."""


def hand_in(folder: Path) -> None:
    """Fills a folder with the nine."""
    (folder / "carl").mkdir()
    (folder / "carl" / os.fsdecode(b"\xce\xd2.py")).write_text(f"{KEPT}\n# carl\n")
    makefile(folder / "dora", "dora.txt", "cp dora.txt bot && chmod +x bot", f"#!/usr/bin/env python3\n{KEPT}")
    zipped(folder / "emil.zip", {"emil/main.py": f"{KEPT}\n# emil\n".encode()})
    zipped(folder / "bomb.zip", {"main.py": b"0" * (65 << 20)})
    nested(folder / "deep", 1100)
    os.mkfifo(folder / "pipe.py")
    makefile(folder / "spill", "spill.py", "python3 spill.py", SPILL)
    spoiled(folder / "spoiled.zip")
    zipped(folder / "up.zip", {"../up.py": GOOD.encode()})


def makefile(folder: Path, name: str, command: str, text: str) -> None:
    """Makes a folder with a Makefile that runs a command, and a file."""
    folder.mkdir()
    (folder / "Makefile").write_text(f"all:\n\t{command}\n")
    (folder / name).write_text(text)


def zipped(path: Path, files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Makes a zip."""
    with zipfile.ZipFile(path, "w", method) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def nested(folder: Path, levels: int) -> None:
    """Makes folders in folders, and a program in the last one."""
    folder.mkdir()
    inner = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=inner)
        inner, outer = os.open("d", os.O_RDONLY, dir_fd=inner), inner
        os.close(outer)
    with open(os.open("main.py", os.O_CREAT | os.O_WRONLY, dir_fd=inner), "w") as file:
        file.write(GOOD)
    os.close(inner)


def spoiled(path: Path, method: int = zipfile.ZIP_LZMA) -> None:
    """Makes a zip whose packed bytes are damaged."""
    content = bytearray(zipped(path, {"main.py": GOOD.encode()}, method).read_bytes())
    content[60:90] = b"\xff" * 30
    path.write_bytes(content)


def encrypted(path: Path) -> None:
    """Makes a zip that marks its file as encrypted."""
    content = bytearray(zipped(path, {"main.py": GOOD.encode()}).read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
