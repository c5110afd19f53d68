"""
Files of records: which format a file has, and reading and writing all its games.

========= ====================== ============================================================
format    suffix                 what it is
========= ====================== ============================================================
text      ``.ddzn``              the text form, :mod:`tools.records.text`
json      ``.jsonl``, ``.json``  JSON lines: records, the judge's records, bare logs, or rows
icga      ``.icga``              lines of the championship's protocol
========= ====================== ============================================================

With ``.gz`` after the suffix a file is compressed. JSON objects are told apart by their keys.
"""

import gzip
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ddzbot.rules import STANDARD, RuleSet

from ..shared.bounds import (
    LONGEST_REASON,
    MOST_BYTES,
    MOST_HELD,
    MOST_RECORDS,
    Line,
    UnreadableError,
    lines_of,
    reason_of,
)
from ..shared.json_text import parse_json
from .from_icga import read_deals
from .from_judge import record_of_log, record_of_match
from .from_rows import record_of_row
from .jsonl import record_json, record_of_json
from .record import GameRecord, RecordError
from .text import record_text
from .text_reader import lines_of_text, read_games

__all__ = [
    "READABLE",
    "WRITABLE",
    "chosen",
    "format_of",
    "read_records",
    "records_in",
    "records_of",
    "text_of",
    "texts_of",
    "write_records",
    "write_texts",
]

READABLE = ("text", "json", "icga")
WRITABLE = ("text", "json")

SUFFIXES = {".ddzn": "text", ".jsonl": "json", ".json": "json", ".icga": "icga"}


def records_in(
    path: Path, form: str | None = None, rules: RuleSet = STANDARD, most_bytes: int = MOST_BYTES
) -> Iterator[GameRecord]:
    """
    Yields the games of a file, one at a time. *rules* are those of rows, which do not name any.

    For example, ``sum(1 for _ in records_in(path))`` counts the games of a file of any size in little memory.

    :raises RecordError: if the file cannot be read, has no game or something else, or is beyond a bound of
        :mod:`tools.shared.bounds`; the sentence names file and line.
    """
    chosen_form, number = form or format_of(path), 0
    try:
        for number, record in enumerate(_records(lines_of(path, most_bytes), chosen_form, rules), 1):
            if number > MOST_RECORDS:
                raise RecordError(f"it has more than {MOST_RECORDS:,} games")
            yield record
        if not number:
            raise RecordError("there is no game in it")
    except (RecordError, UnreadableError) as error:
        raise RecordError(f"{path}: {error}") from None


def read_records(path: Path, form: str | None = None, rules: RuleSet = STANDARD) -> list[GameRecord]:
    """
    Reads all games of a file of at most :data:`tools.shared.bounds.MOST_HELD` bytes; :func:`records_in` reads any file.

    :raises RecordError: as :func:`records_in` does.
    """
    return list(records_in(path, form, rules, MOST_HELD))


def records_of(text: str, form: str, rules: RuleSet = STANDARD) -> list[GameRecord]:
    """
    Reads all games of a text in one of the formats :data:`READABLE`.

    :raises RecordError: if it has something else.
    """
    return list(_records(lines_of_text(text), form, rules))


def write_records(path: Path, records: Iterable[GameRecord], form: str | None = None) -> int:
    """
    Writes games into a file, in place of what it had, and counts them. Until the last one is written, and after an
    error, the file is as it was.

    :raises RecordError: if the format is none to write, or the file cannot be written.
    """
    return write_texts(path, texts_of(records, form or format_of(path)))


def write_texts(path: Path, texts: Iterable[str]) -> int:
    """
    Writes texts of games into a file as :func:`write_records` does, and counts them.

    :raises RecordError: if the file cannot be written.
    """
    # A device or a pipe is nothing that another file could take the place of.
    fresh = path if path.exists() and not path.is_file() else _beside(path)
    try:
        with fresh.open("wb") as file:
            written = _write(file, texts, path.suffix == ".gz")
        if fresh != path:
            os.replace(fresh, path.resolve())
    except OSError as error:
        raise RecordError(f"{path}: it cannot be written: {reason_of(error)}") from None
    finally:
        if fresh != path:
            fresh.unlink(missing_ok=True)
    return written


def _beside(path: Path) -> Path:
    """Names a new file in the folder where *path*, perhaps a link, leads to."""
    real = path.resolve()
    return real.with_name(f".{real.name}.{os.getpid()}.part")


def _write(file: BinaryIO, texts: Iterable[str], packed: bool) -> int:
    if packed:
        # Without a name and a time of day the same games give the same bytes.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packing:
            return sum(1 for text in texts if packing.write(text.encode("utf-8")))
    return sum(1 for text in texts if file.write(text.encode("utf-8")))


def chosen(records: Iterable[GameRecord], number: int) -> GameRecord:
    """
    Gets one of *records*, counted from 1; no later one is looked at.

    :raises RecordError: if there is none of that number.
    """
    seen = 0
    for seen, record in enumerate(islice(records, number), 1):
        if seen == number:
            return record
    raise RecordError(f"there is no game {number}: the file has {seen}")


def text_of(records: Iterable[GameRecord], form: str) -> str:
    """
    Writes games in one of the formats :data:`WRITABLE`.

    :raises RecordError: for another format.
    """
    return "".join(texts_of(records, form))


def texts_of(records: Iterable[GameRecord], form: str) -> Iterator[str]:
    """
    Yields the text of one game after the other; together they are what a file has.

    :raises RecordError: for a format that is none of :data:`WRITABLE`, at once.
    """
    if form == "text":
        # A blank line between each two.
        return ("\n" * (number > 0) + record_text(record) for number, record in enumerate(records))
    if form == "json":
        return (record_json(record) + "\n" for record in records)
    raise RecordError(f"format {form!r} cannot be written; there are {', '.join(WRITABLE)}")


def format_of(path: Path) -> str:
    """
    Gets the format that the suffix of a file name says.

    :raises RecordError: if it says none.
    """
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if suffix not in SUFFIXES:
        raise RecordError(f"{path}: the suffix {suffix!r} says no format; there are {', '.join(SUFFIXES)}")
    return SUFFIXES[suffix]


def _records(lines: Iterable[Line], form: str, rules: RuleSet) -> Iterator[GameRecord]:
    if form == "text":
        return read_games(lines)
    if form == "icga":
        return read_deals(lines)
    return _json_records(lines, rules)


def _json_records(lines: Iterable[Line], rules: RuleSet) -> Iterator[GameRecord]:
    for number, line, _ in lines:
        if line.strip():
            try:
                yield _json_record(parse_json(line), rules)
            except ValueError as error:
                raise RecordError(f"line {number} {line!r:.60}: {error!s:.{LONGEST_REASON}}") from None


def _json_record(value: Any, rules: RuleSet) -> GameRecord:
    """Reads a JSON object as what its keys say it is."""
    if not isinstance(value, dict):
        raise RecordError("it is no JSON object")
    if "format" in value:
        return record_of_json(value)
    if "log" in value:
        return record_of_match(value) if "bots" in value else record_of_log(value)
    if "agents" in value:
        return record_of_row(value, rules)
    raise RecordError("it is no record, no judge's record, no log and no row")
