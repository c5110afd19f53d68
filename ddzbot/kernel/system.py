"""
Which system a shared library is for, as its first bytes say.

A loader's own message for a library of another system misleads: on Linux it says that there is no such file.
"""

import sys

_SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
_PROCESSORS = {62: "x86-64", 0x1000007: "x86-64", 0x8664: "x86-64", 183: "arm64", 0x100000C: "arm64", 0xAA64: "arm64"}
"""By their numbers in ELF, Mach-O and PE, which differ from each other."""
_SPELLED = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "arm64"}


def made_for(content: bytes) -> str:
    """Names system and processor of a library, as in ``Linux on arm64``; empty for what is none, or an unknown one."""
    if content.startswith(b"\x7fELF"):
        system, machine = "Linux", content[18:20]
    elif content.startswith(b"\xcf\xfa\xed\xfe"):
        system, machine = "macOS", content[4:8]
    elif content.startswith(b"MZ"):
        head = int.from_bytes(content[60:64], "little")
        system, machine = "Windows", content[head + 4 : head + 6]
    else:
        return ""
    processor = _PROCESSORS.get(int.from_bytes(machine, "little"))
    return f"{system} on {processor}" if processor else ""


def here() -> str:
    """Names this system and its processor in the same way."""
    import platform  # not at the top: only what fails to load is asked for it

    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)} on {_SPELLED.get(machine, machine)}"


def why_foreign(content: bytes) -> str:
    """Says in a sentence that a library is for another system than this one; empty if it is not."""
    target = made_for(content)
    return "" if target in ("", here()) else f"it is for {target}, and this is {here()}"
