"""The systems that releases are for, in one table: what zig compiles for each, and what pip calls it."""

import os
import platform
import sys
from contextlib import suppress
from typing import NamedTuple


class Target(NamedTuple):
    """A system and processor."""

    zig: str
    """zig's name of it, with the oldest C library or system that the kernel then runs on."""
    tag: str
    """What the name of a wheel ends with, so that pip takes it there and nowhere else."""
    library: str
    """The file name of a kernel there, as :data:`ddzbot.kernel.library.FILE_NAME` is on it."""


_SO, _DYLIB, _DLL = "ddz_kernel.so", "ddz_kernel.dylib", "ddz_kernel.dll"

TARGETS = {
    "linux-x86_64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64", _SO),
    "linux-arm64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64", _SO),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64", _DYLIB),
    "macos-x86_64": Target("x86_64-macos.11.0", "macosx_11_0_x86_64", _DYLIB),
    "windows-x86_64": Target("x86_64-windows-gnu", "win_amd64", _DLL),
}
"""By name. glibc 2.17 is older than that of any judge that is known; no Mac with arm64 has a macOS before 11."""

JUDGE = "linux-x86_64"
"""Where judges run what is uploaded."""

_SYSTEMS = {"darwin": "macos", "win32": "windows"}
_PROCESSORS = {"aarch64": "arm64", "AMD64": "x86_64"}


def name_here() -> str:
    """Names this system as :data:`TARGETS` does, which need not have it; Linux without glibc is ``linux-musl``."""
    system = _SYSTEMS.get(sys.platform, sys.platform)
    if system == "linux" and not _has_glibc():
        system = "linux-musl"
    processor = platform.machine()
    return f"{system}-{_PROCESSORS.get(processor, processor)}"


def _has_glibc() -> bool:
    """Tests which C library this Python has, as pip does; its own tags say ``linux`` for all of them."""
    if sys.platform == "linux":
        with suppress(ValueError, OSError):
            return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    return False
