"""
Files of records: which format a file has, and reading and writing all its games.

========= ====================== ============================================================
format    suffix                 what it is
========= ====================== ============================================================
text      ``.ddzn``              the text form, :mod:`tools.records.text`
json      ``.jsonl``, ``.json``  JSON: records, the judge's records, or the platform's logs
icga      ``.icga``              lines of the championship's protocol
page      ``.html``, ``.htm``    the page of a match, as a browser saves it from Botzone
========= ====================== ============================================================

With ``.gz`` after the suffix a file is compressed. The beginning of a file tells its format, and the suffix only
where the beginning does not. The keys of JSON objects tell their formats apart.
"""

import gzip
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from ..shared.bounds import (
    LONGEST_REASON,
    MOST_BYTES,
    MOST_HELD,
    MOST_RECORDS,
    UnreadableError,
    lines_in,
    lines_of,
    unwritable,
)
from ..shared.message import Message, prose
from ..shared.storage.whole_file import check_target, written_whole
from .from_icga import read_deals
from .from_judge import record_of_log, record_of_match
from .from_page import log_of_page
from .json_values import json_values
from .jsonl import record_json, record_of_json
from .record import GameRecord, RecordError
from .text import record_text
from .text_reader import lines_of_text, read_games

READABLE = ("text", "json", "icga", "page")
WRITABLE = ("text", "json")

SUFFIXES = {".ddzn": "text", ".jsonl": "json", ".json": "json", ".icga": "icga", ".html": "page", ".htm": "page"}

STANDARD_INPUT = STANDARD_OUTPUT = Path("-")

_BEGINNINGS = {
    "json": re.compile(r'[{]|\[(["{[0-9]|$)'),
    "text": re.compile(r"[#]|\[[A-Za-z]"),
    "icga": re.compile(r"[<>] [A-Z]|(DOUDIZHUVER|NAME|INFO|DEAL)\b"),
    "page": re.compile(r"<"),
}
"""The beginning of the first line of each format; the first format that fits counts."""


def records_in(path: Path, form: str | None = None, most_bytes: int = MOST_BYTES) -> Iterator[GameRecord]:
    """
    Yields the games of a file, one at a time.

    For example, ``sum(1 for _ in records_in(path))`` counts the games of a file of any size in little memory.

    :raises RecordError: if the file cannot be read, has no game or something else, or is beyond a bound of
        :mod:`tools.shared.bounds`; the sentence names file and line.
    """
    return (record for record, _ in games_in(path, form, most_bytes))


def games_in(path: Path, form: str | None = None, most_bytes: int = MOST_BYTES) -> Iterator[tuple[GameRecord, Any]]:
    """
    Yields the games of a file as :func:`records_in` does, each with the JSON value that it was made of.

    That value is None where the format is not JSON.

    :raises RecordError: as :func:`records_in` does.
    """
    count = 0
    try:
        lines: Iterator[str] = iter(
            lines_in(sys.stdin.buffer) if path == STANDARD_INPUT else lines_of(path, most_bytes)
        )
        if form is None:
            form, lines = _form_and_lines(path, lines)
        for count, game in enumerate(_games(lines, form), 1):
            if count > MOST_RECORDS:
                raise RecordError(Message("it has more than {count} games", count=f"{MOST_RECORDS:,}"))
            yield game
        if not count:
            raise RecordError(Message("there is no game in it"))
    except (RecordError, UnreadableError) as error:
        raise RecordError(Message("{file}: {problem}", file=_named(path), problem=prose(error))) from None


def _named(path: Path) -> str:
    return Message("standard input") if path == STANDARD_INPUT else str(path)


def _form_and_lines(path: Path, lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Gets the format of a file, by how it begins or else by its suffix, and its lines."""
    blank: list[str] = []
    for line in lines:
        begins = line.strip()
        if begins:
            if known_form := next((form for form, start in _BEGINNINGS.items() if start.match(begins)), None):
                return known_form, chain(blank, [line], lines)
            blank.append(line)
            break
        blank.append(line)
    suffix = _suffix_of(path)
    if suffix in SUFFIXES:
        return SUFFIXES[suffix], chain(blank, lines)
    raise RecordError(Message("it begins as no format does"))


def read_records(path: Path, form: str | None = None) -> list[GameRecord]:
    """
    Reads all games of a file of at most :data:`tools.shared.bounds.MOST_HELD` bytes; :func:`records_in` reads any file.

    :raises RecordError: as :func:`records_in` does.
    """
    return list(records_in(path, form, MOST_HELD))


def records_of(text: str, form: str | None = None) -> list[GameRecord]:
    """
    Reads all games of a text in one of the formats :data:`READABLE`; by default its beginning tells which.

    :raises RecordError: if it has something else.
    """
    lines = iter(lines_of_text(text))
    if form is None:
        form, lines = _form_and_lines(STANDARD_INPUT, lines)
    return [record for record, _ in _games(lines, form)]


def check_records_target(path: Path) -> None:
    """
    Makes sure, before games are played for it, that :func:`write_records` could write a file.

    :raises RecordError: if its format is none to write, or it cannot be written.
    """
    text_of([], format_of(path))
    try:
        check_target(path)
    except OSError as error:
        raise RecordError(unwritable(path, error)) from None


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
    try:
        with written_whole(path, make_folder=False) as file:
            return _write(file, texts, path.suffix == ".gz")
    except OSError as error:
        raise RecordError(unwritable(path, error)) from None


def _write(file: BinaryIO, texts: Iterable[str], packed: bool) -> int:
    if packed:
        # Without a name and a time of day the same games give the same bytes.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packing:
            return sum(1 for game in texts if packing.write(game.encode("utf-8")))
    return sum(1 for game in texts if file.write(game.encode("utf-8")))


def chosen(records: Iterable[GameRecord], number: int) -> GameRecord:
    """
    Gets one of *records*, counted from 1; no later one is looked at.

    :raises RecordError: if there is none of that number.
    """
    seen = 0
    for seen, record in enumerate(islice(records, number), 1):
        if seen == number:
            return record
    raise RecordError(Message("there is no game {number}: the file has {count}", number=number, count=seen))


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
        return ("\n" * (index > 0) + record_text(record) for index, record in enumerate(records))
    if form == "json":
        return (record_json(record) + "\n" for record in records)
    raise RecordError(f"format {form!r} cannot be written; there are {', '.join(WRITABLE)}")


def format_of(path: Path) -> str:
    """
    Gets the format that the suffix of a file name says.

    :raises RecordError: if it says none.
    """
    suffix = _suffix_of(path)
    if suffix not in SUFFIXES:
        raise RecordError(f"{path}: {_no_form(suffix)}")
    return SUFFIXES[suffix]


def _suffix_of(path: Path) -> str:
    return path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix


def _no_form(suffix: str) -> str:
    return f"the suffix {suffix!r} says no format; there are {', '.join(SUFFIXES)}"


def _games(lines: Iterable[str], form: str) -> Iterator[tuple[GameRecord, Any]]:
    if form == "text":
        return ((record, None) for record in read_games(lines))
    if form == "icga":
        return ((record, None) for record in read_deals(lines))
    if form == "page":
        return _page_games(lines)
    return _json_games(lines)


def _page_games(lines: Iterable[str]) -> Iterator[tuple[GameRecord, Any]]:
    message = log_of_page(lines)
    yield record_of_log(message), message


def _json_games(lines: Iterable[str]) -> Iterator[tuple[GameRecord, Any]]:
    for number, line, game in json_values(lines):
        try:
            record = _json_record(game)
        except ValueError as error:
            raise RecordError(f"line {number} {line!r:.60}: {error!s:.{LONGEST_REASON}}") from None
        yield record, game


def _json_record(value: Any) -> GameRecord:
    """Reads a JSON object as what its keys say it is."""
    if not isinstance(value, dict):
        raise RecordError("it is not a JSON object")
    if "format" in value:
        return record_of_json(value)
    if "log" in value or "logs" in value:
        return record_of_match(value) if "bots" in value else record_of_log(value)
    raise RecordError("it is neither a record nor a judge's record or a log")
