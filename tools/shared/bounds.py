"""
The bounds of files from outside, and the ways to read one within them.

Every bound of a reader in tools/ stands here, and docs/reference/records.md lists them; those of the bot's own
readers stand in ddzbot/protocol/reading.py and ddzbot/net/packed.py. A file is measured while it is read and unpacked,
so that a small file that unpacks to a huge one is refused before it fills the memory.

All text of others becomes a text in :func:`utf8_text`: UTF-8, with or without a byte order mark.
"""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn, Protocol

from .message import English, Message, prose

MOST_BYTES = 1 << 34
"""Bytes of a file of games or endgames, unpacked: a million games with the thoughts of a search."""
MOST_LINES = 4_000_000
"""Lines of it, blank ones too."""
LONGEST_LINE = 1 << 21
"""Bytes of a line, and of the lines of one game together. A JSON value takes up to 35 times its text as memory."""
MOST_RECORDS = 1_000_000
"""Games of a file."""
MOST_MOVES = 1000
"""Moves of a game, passes too: by the rules there are 160 at most, but a record may have illegal ones."""
MOST_ENDGAMES = 100_000
"""Endgames of a batch, which are all read before the first is solved."""
LONGEST_NAME = 200
"""Characters of the name of an endgame."""
MOST_EXPERIMENTS = 1000
"""Matches and tables of a plan."""
MOST_HELD = 1 << 25
"""Bytes of a file of which all games are held at once, such as the one that a person's games are added to."""
MOST_WHOLE = 1 << 20
"""Bytes of a file that is read in one piece, such as a plan of experiments."""
MOST_STATE = 1 << 25
"""Bytes of the state of a training, unpacked."""
MOST_CHECKPOINT = 1 << 27
"""Bytes of a checkpoint of external networks."""
LONGEST_QUERY = 1 << 20
"""Bytes of a query to the analysis."""
LONGEST_REASON = 300
"""Characters of a reason why a line is refused: it may quote the line."""
LONGEST_POSITION = 10_000
"""Characters of a position or view in one line: no game needs half as many."""

_BUFFER = 1 << 16
DOS_END = b"\x1a"
"""What programs of DOS write at the end of a text."""
_COMPRESSED = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bzip2": re.compile(rb"BZh[1-9]1AY&SY"),
    "xz": re.compile(rb"\xfd7zXZ\0"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
    "zip": re.compile(rb"PK(?:\x03\x04|\x05\x06)"),
    "7z": re.compile(rb"7z\xbc\xaf"),
}
"""How files begin that other programs have compressed."""


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...

    def read1(self, size: int = ..., /) -> bytes: ...

    # gzip goes back to the end of what it has unpacked.
    def seek(self, offset: int, /) -> object: ...


class UnreadableError(ValueError):
    """A file that cannot be read, or is beyond a bound; the message is one sentence that does not name the file."""


def lines_of(path: Path, most_bytes: int = MOST_BYTES) -> Iterator[str]:
    """
    Yields the lines of a file in UTF-8 without their ends, unpacked if its name ends in ``.gz``.

    :raises UnreadableError: if it cannot be read, or is beyond a bound.
    """
    return chain.from_iterable(_lines_of(path, most_bytes))


def _lines_of(path: Path, most_bytes: int) -> Iterator[Iterable[str]]:
    try:
        with path.open("rb") as file, _unpacked(file, path.suffix == ".gz") as plain:
            yield from _lines(plain, most_bytes)
    except (OSError, ValueError) as error:
        _refuse(error)


def lines_in(file: BinaryIO) -> Iterator[str]:
    """
    Yields the lines of an open file in UTF-8 without their ends, unpacked if it begins as gzip does.

    :raises UnreadableError: if it cannot be read, or is beyond a bound.
    """
    return chain.from_iterable(_lines_in(file))


def _lines_in(file: BinaryIO) -> Iterator[Iterable[str]]:
    try:
        head = file.read(2)
        with io.BufferedReader(_Whole(head, file), _BUFFER) as whole, _unpacked(whole, head == b"\x1f\x8b") as plain:
            yield from _lines(plain, MOST_BYTES)
    except (OSError, ValueError) as error:
        _refuse(error)


def whole_file(path: Path, most: int = MOST_WHOLE) -> bytes:
    """
    Reads a file in one piece, unpacked if its name ends in ``.gz``.

    :raises UnreadableError: if it cannot be read, or has more than *most* bytes.
    """
    try:
        with path.open("rb") as file, _unpacked(file, path.suffix == ".gz") as plain:
            content = plain.read(most + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        _refuse(error)
    if len(content) > most:
        raise UnreadableError(Message("it has more than {count} bytes", count=f"{most:,}"))
    return content


def text_file(path: Path, most: int = MOST_WHOLE) -> str:
    """
    Reads a file of text in one piece, as :func:`whole_file` does.

    :raises UnreadableError: as :func:`whole_file` does, and for what is not UTF-8.
    """
    return utf8_text(whole_file(path, most))


def text_line(file: BinaryIO, most: int) -> str:
    """
    Reads the next line of an open file with its end, and nothing behind it; an empty text at the end of the file.

    :raises UnreadableError: if it has more than *most* bytes, or is not UTF-8.
    """
    data = file.readline(most + 1)
    if len(data) > most:
        raise UnreadableError(Message("the line is longer than {count} bytes", count=f"{most:,}"))
    return utf8_text(data)


def utf8_text(data: bytes, number: int = 1) -> str:
    """
    Gets the text of *data*, which begins in line *number* of a file: UTF-8 without the byte order mark that programs
    on Windows write at its start, and without the 0x1a that ``copy a+b c`` of Windows writes at its end.

    :raises UnreadableError: for other bytes; the sentence names the line, or how the file is compressed.
    """
    kind = next((kind for kind, head in _COMPRESSED.items() if head.match(data)), None) if number == 1 else None
    if kind:
        raise UnreadableError(Message("it is compressed with {kind}: unpack it first", kind=kind))
    if _is_utf16(data):
        raise UnreadableError(Message("it is UTF-16: save it as UTF-8 (PowerShell: Out-File -Encoding utf8)"))
    try:
        return data.removeprefix(codecs.BOM_UTF8).removesuffix(DOS_END).decode("utf-8")
    except UnicodeDecodeError as error:
        where = number + error.object.count(b"\n", 0, error.start)
        byte = f"0x{error.object[error.start]:02x}"
        wrong = "line {number}: the byte {byte} is not UTF-8: save the file as UTF-8"
        raise UnreadableError(Message(wrong, number=where, byte=byte)) from None


def _is_utf16(data: bytes) -> bool:
    """Detects UTF-16 by its mark or, as all that is read here begins in ASCII, by a zero byte in the first two."""
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2].count(0) == 1 < len(data)


class _Whole(io.RawIOBase):
    """A stream from its start, of which a few bytes have been read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        data = self._head or self._rest.read(len(buffer))
        self._head = b""
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _unpacked(file: _Readable, packed: bool) -> Iterator[_Readable]:
    if packed:
        with gzip.GzipFile(fileobj=file) as plain:
            yield plain
    else:
        yield file


def _lines(file: _Readable, most_bytes: int) -> Iterator[Iterable[str]]:
    """Yields some lines at a time."""
    before = total = 0
    for block in _blocks(file):
        end = before + block.count(b"\n")
        in_bounds = total + len(block) <= most_bytes and end < MOST_LINES and len(block) <= LONGEST_LINE
        content = _plain_text(block) if in_bounds else None
        if content is None:
            yield _checked_lines(block, before, total, most_bytes)
        else:
            yield content.removesuffix("\n").split("\n")
        before, total = end, total + len(block)


def _blocks(file: _Readable) -> Iterator[bytes]:
    """Yields what a file has as it comes, each time up to the end of a line; of one that is too long its beginning."""
    number, unfinished = 1, b""
    while data := _next_data(file, number):
        end = data.rfind(b"\n") + 1
        if end or len(unfinished) > LONGEST_LINE:
            yield unfinished + data[:end]
            number += data.count(b"\n")
            unfinished = data[end:]
        else:
            unfinished += data
    if unfinished:
        yield unfinished


def _next_data(file: _Readable, number: int) -> bytes:
    try:
        return file.read1(_BUFFER)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError(f"it cannot be read: line {number}: {error}") from None


def _plain_text(block: bytes) -> str | None:
    """Decodes what has nothing that :func:`utf8_text` looks for; None for anything else."""
    if b"\0" in block or DOS_END in block or (codecs.BOM_UTF8 in block and not block.isascii()):
        return None
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _checked_lines(block: bytes, number: int, total: int, most_bytes: int) -> Iterator[str]:
    """Yields lines after *number* lines of *total* bytes, and refuses the first that is beyond a bound or no text."""
    for data in io.BytesIO(block):
        number += 1
        total += len(data)
        if total > most_bytes:
            raise UnreadableError(
                Message("line {number}: the file has more than {count} bytes", number=number, count=f"{most_bytes:,}")
            )
        if len(data) > LONGEST_LINE:
            raise UnreadableError(
                Message("line {number}: it has more than {count} bytes", number=number, count=f"{LONGEST_LINE:,}")
            )
        if number > MOST_LINES:
            raise UnreadableError(Message("the file has more than {count} lines", count=f"{MOST_LINES:,}"))
        # Files with a mark each may have been put together, so any line may begin with one.
        yield utf8_text(data, number).removesuffix("\n")


def _refuse(error: Exception) -> NoReturn:
    if isinstance(error, UnreadableError):
        raise error
    raise UnreadableError(Message("it cannot be read: {why}", why=reason_of(error))) from None


def reason_of(error: Exception) -> str:
    """Gets what is wrong with a file without its name, as a value of a message that has the name already."""
    if isinstance(error, OSError) and error.strerror:
        return _REASONS.get(error.strerror) or English(error.strerror)
    return prose(error)


def unwritable(path: object, error: Exception) -> Message:
    """Makes the message that a file cannot be written, with the reason."""
    return Message("{file}: it cannot be written: {why}", file=path, why=reason_of(error))


_REASONS: dict[str, str] = {
    one: one
    for one in (
        Message("No such file or directory"),
        Message("Permission denied"),
        Message("File exists"),
        Message("No space left on device"),
        Message("Is a directory"),
        Message("Not a directory"),
        Message("Read-only file system"),
    )
}
"""The system's errors of files; its other errors are English."""
