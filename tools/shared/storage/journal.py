"""
A file that only grows: one JSON object a line, each with a checksum over itself and all lines before it.

A line is on the disk when :meth:`Journal.append` returns, and no end of the process takes it away again. A
line that is damaged, missing, doubled or moved breaks the chain of checksums. The one thing that may happen to a file
without a defect is a last line that was written in part, when the machine or the process died; it is dropped.
"""

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple

from ..json_text import json_text, parse_json
from .growing_file import GrowingFile, JournalError, whole_lines

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
    whole, torn = whole_lines(content)
    values, chain = [], ""
    for number, line in enumerate(whole, 1):
        body, own = line[: -_DIGITS - 10], _SUM.fullmatch(line[-_DIGITS - 10 :])
        if own is None or own[1].decode() != _sum(chain, body):
            raise JournalError(f"line {number} is damaged: its checksum does not fit")
        values.append(_value(body, number))
        chain = own[1].decode()
    return Lines(values, len(content) - torn, chain, torn)


def _value(body: bytes, number: int) -> dict[str, Any]:
    try:
        value = parse_json(body.decode("ascii") + "}")
    except ValueError as error:
        raise JournalError(f"line {number} is not a JSON object ({error})") from None
    if not isinstance(value, dict):
        raise JournalError(f"line {number} is not a JSON object")
    return value


class Journal(GrowingFile):
    """An open journal; the caller sets :attr:`size` and :attr:`chain` of the lines that it has."""

    def __init__(self, path: Path) -> None:
        """
        Opens *path*, or makes it.

        :raises OSError: if that cannot be.
        :raises JournalError: if another process has it open, or it is not a file.
        """
        super().__init__(path)
        self.size = 0
        self.chain = ""
        """The checksum of the last line."""

    def append(self, value: dict[str, Any]) -> None:
        """
        Writes a line behind the last whole one, over what may stand there, and waits until it is on the disk.

        :raises OSError: if that cannot be; the whole lines are what they were, and the call can be made again.
        """
        line, chain = line_of(value, self.chain)
        self.write(line)
        self.chain = chain
