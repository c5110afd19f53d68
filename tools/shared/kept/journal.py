"""
A file that only grows: one JSON object a line, each with a checksum over itself and all lines before it.

What was appended is on the disk when :meth:`Journal.append` returns, and no end of the process takes it away again. A
line that is damaged, missing, doubled or moved breaks the chain of checksums. The one thing that may happen to a file
without anybody's fault is a last line that was written in part, when the machine or the process died; it is dropped.
"""

import contextlib
import hashlib
import os
import re
import weakref
from pathlib import Path
from typing import Any, NamedTuple

from ..json_text import json_text, parse_json
from .growing_file import JournalError, open_growing, write_behind

__all__ = ["Journal", "JournalError", "Lines", "line_of", "read_lines"]

_DIGITS = 16
_SUM = re.compile(rb',"sum":"([0-9a-f]{%d})"\}' % _DIGITS)


class Lines(NamedTuple):
    """What a file holds."""

    values: list[dict[str, Any]]
    """The objects, without their checksums."""
    size: int
    """Bytes of the lines that are whole."""
    chain: str
    """The checksum of the last of them; empty where there is none."""
    torn: int
    """Bytes of a last line that was written in part; 0 where there is none."""


def line_of(value: dict[str, Any], before: str) -> tuple[bytes, str]:
    """Writes an object, which must not be empty, as the line after the one with checksum *before*; gets its own too."""
    body = json_text(value, ascii_only=True)[:-1].encode()
    own = _sum(before, body)
    return body + b',"sum":"' + own.encode() + b'"}\n', own


def _sum(before: str, body: bytes) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()[:_DIGITS]


def read_lines(content: bytes) -> Lines:
    """
    Reads the lines of a file.

    :raises JournalError: for a line that is damaged, unless it is the last one and was written in part.
    """
    *whole, rest = content.split(b"\n")
    # A machine that dies may keep the end of a line and lose its middle; no line has a zero byte otherwise.
    if whole and not rest and b"\0" in whole[-1]:
        rest = whole.pop() + b"\n"
    values, chain = [], ""
    for number, line in enumerate(whole, 1):
        body, own = line[: -_DIGITS - 10], _SUM.fullmatch(line[-_DIGITS - 10 :])
        if own is None or own[1].decode() != _sum(chain, body):
            raise JournalError(f"line {number} is damaged: its checksum does not fit")
        values.append(_value(body, number))
        chain = own[1].decode()
    return Lines(values, len(content) - len(rest), chain, len(rest))


def _value(body: bytes, number: int) -> dict[str, Any]:
    try:
        value = parse_json(body.decode("ascii") + "}")
    except ValueError as error:
        raise JournalError(f"line {number} is not a JSON object ({error})") from None
    if not isinstance(value, dict):
        raise JournalError(f"line {number} is not a JSON object")
    return value


class Journal:
    """An open file, which no other process may append to before it is closed."""

    def __init__(self, path: Path) -> None:
        """
        Opens *path*, or makes it.

        :raises OSError: if that cannot be.
        :raises JournalError: if another process has it open, or it is not a file.
        """
        self.path = path
        self.chain = ""
        """The checksum of the last line."""
        self.size = 0
        """Bytes of the whole lines; the next one is written behind them."""
        self._handle = open_growing(path)
        _open_ones.add(self)

    def content(self) -> bytes:
        """
        Reads the whole file.

        :raises OSError: if it cannot be read.
        """
        os.lseek(self._handle, 0, os.SEEK_SET)
        with os.fdopen(os.dup(self._handle), "rb") as file:
            return file.read()

    def append(self, value: dict[str, Any]) -> None:
        """
        Writes a line behind the last whole one, over what may stand there, and waits until it is on the disk.

        :raises OSError: if that cannot be; the whole lines are what they were, and the call can be made again.
        """
        line, chain = line_of(value, self.chain)
        write_behind(self._handle, self.size, line)
        self.size += len(line)
        self.chain = chain

    def replaced_by(self, values: list[dict[str, Any]]) -> "Journal":
        """
        Puts a file with these lines in the place of this one, in one step, and closes this one.

        :raises OSError: if that cannot be; this file is what it was, and still open.
        """
        part = self.path.with_name(self.path.name + ".part")
        part.unlink(missing_ok=True)
        fresh = Journal(part)
        try:
            for value in values:
                fresh.append(value)
            os.replace(part, self.path)
        except BaseException:
            fresh.close()
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        fresh.path = self.path
        self.close()
        return fresh

    def close(self) -> None:
        """Closes the file; others may append to it now."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


_open_ones: "weakref.WeakSet[Journal]" = weakref.WeakSet()


def _close_in_child() -> None:
    """Closes what a forked process inherits: else it would hold the lock of a parent that was killed."""
    for journal in list(_open_ones):
        journal.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
