"""What the headers of a shared library say, for Linux, macOS and Windows: enough to check one that cannot run here."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.shared.compiling import SOURCES

_SYMTAB, _ID_DYLIB, _LOAD_DYLIB, _BUILD_VERSION, _SIGNATURE = 0x2, 0xD, 0xC, 0x32, 0x1D
_DYNSYM = 11
_OF_THE_LINKER = {"__mh_dylib_header", "___dso_handle"}
"""What every library for macOS has."""


class MachO(NamedTuple):
    """What a library for macOS says."""

    exports: set[str]
    own_name: str
    oldest: tuple[int, int]
    """The macOS that it needs."""
    needed: list[str]
    signed_to: int
    """Where its signature ends; 0 without one."""


def entry_points() -> set[str]:
    """The functions that the headers of the kernel offer."""
    texts = (path.read_text("utf-8") for path in (SOURCES / "include").glob("*.h"))
    return {
        function for header in texts for function in re.findall(r"^DDZ_API [\w *]*?\b(ddz_\w+)\(", header, re.MULTILINE)
    }


def exports(library: Path) -> set[str]:
    """The names of functions that a library offers."""
    content = library.read_bytes()
    of = {".so": _of_elf, ".dylib": lambda content: macho(content).exports, ".dll": _of_pe}
    return of[library.suffix](content)


def _text(content: bytes, at: int) -> str:
    return content[at : content.index(b"\0", at)].decode("ascii")


def _of_elf(content: bytes) -> set[str]:
    (table,) = struct.unpack_from("<Q", content, 0x28)
    size, count = struct.unpack_from("<2H", content, 0x3A)
    sections = [struct.unpack_from("<2I4Q2I2Q", content, table + size * index) for index in range(count)]
    symbols = next(section_head for section_head in sections if section_head[1] == _DYNSYM)
    names = sections[symbols[6]][4]
    entries = struct.iter_unpack("<I2BH2Q", content[symbols[4] : symbols[4] + symbols[5]])
    return {_text(content, names + name) for name, info, _, section, _, _ in entries if section and info >> 4}


def macho(content: bytes) -> MachO:
    """Reads a library for macOS."""
    offsets: dict[int, list[int]] = {}
    for command, offset in _commands(content):
        offsets.setdefault(command, []).append(offset)
    (symtab,), (named,), (built,) = offsets[_SYMTAB], offsets[_ID_DYLIB], offsets[_BUILD_VERSION]
    start, count, names, _ = struct.unpack_from("<4I", content, symtab + 8)
    symbols = (struct.unpack_from("<I2BHQ", content, start + 16 * index) for index in range(count))
    outside = {_text(content, names + name) for name, kind, _, _, _ in symbols if kind & 0x1F == 0x0F}
    (oldest,) = struct.unpack_from("<I", content, built + 12)
    signed = [sum(struct.unpack_from("<2I", content, offset + 8)) for offset in offsets.get(_SIGNATURE, [])]
    return MachO(
        {name.removeprefix("_") for name in outside - _OF_THE_LINKER},
        _named(content, named),
        (oldest >> 16, oldest >> 8 & 0xFF),
        [_named(content, offset) for offset in offsets.get(_LOAD_DYLIB, [])],
        sum(signed),
    )


def _commands(content: bytes) -> Iterator[tuple[int, int]]:
    count, offset = struct.unpack_from("<I", content, 16)[0], 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", content, offset)
        yield command, offset
        offset += size


def _named(content: bytes, command: int) -> str:
    return _text(content, command + struct.unpack_from("<I", content, command + 8)[0])


def _of_pe(content: bytes) -> set[str]:
    (head,) = struct.unpack_from("<I", content, 0x3C)
    count, optional = struct.unpack_from("<H", content, head + 6)[0], struct.unpack_from("<H", content, head + 20)[0]
    begins = head + 24 + optional
    sections = [struct.unpack_from("<4I", content, begins + 40 * index + 8) for index in range(count)]

    def at(address: int) -> int:
        return next(raw + address - base for size, base, _, raw in sections if base <= address < base + size)

    (directory,) = struct.unpack_from("<I", content, head + 24 + 112)
    count_of_names, _, names = struct.unpack_from("<3I", content, at(directory) + 24)
    return {
        _text(content, at(name))
        for (name,) in struct.iter_unpack("<I", content[at(names) : at(names) + 4 * count_of_names])
    }
