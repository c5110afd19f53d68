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
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ddzbot.rules import STANDARD, RuleSet
from tools.json_text import parse_json
from tools.records.from_icga import parse_icga
from tools.records.from_judge import record_of_log, record_of_match
from tools.records.from_rows import record_of_row
from tools.records.jsonl import record_json, record_of_json
from tools.records.record import GameRecord, RecordError
from tools.records.text import records_text
from tools.records.text_reader import parse_records

__all__ = ["READABLE", "WRITABLE", "chosen", "format_of", "read_records", "records_of", "text_of", "write_records"]

READABLE = ("text", "json", "icga")
WRITABLE = ("text", "json")

SUFFIXES = {".ddzn": "text", ".jsonl": "json", ".json": "json", ".icga": "icga"}


def read_records(path: Path, form: str | None = None, rules: RuleSet = STANDARD) -> list[GameRecord]:
    """
    Reads all games of a file. *rules* are those of rows, which do not name any.

    :raises RecordError: if the file cannot be read, or has something else; the sentence names file and line.
    """
    chosen = form or format_of(path)
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: it cannot be read: {error}") from None
    try:
        return records_of(text, chosen, rules)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def records_of(text: str, form: str, rules: RuleSet = STANDARD) -> list[GameRecord]:
    """
    Reads all games of a text in one of the formats :data:`READABLE`.

    :raises RecordError: if it has something else.
    """
    if form == "text":
        return parse_records(text)
    if form == "icga":
        return parse_icga(text)
    return list(_json_records(text, rules))


def write_records(path: Path, records: Iterable[GameRecord], form: str | None = None) -> None:
    """
    Writes games into a file, in place of what it had.

    :raises RecordError: if the format is none to write, or the file cannot be written.
    """
    text = text_of(records, form or format_of(path))
    data = text.encode("utf-8")
    try:
        # Without a time of day the same games give the same bytes.
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    except OSError as error:
        raise RecordError(f"{path}: it cannot be written: {error}") from None


def chosen(records: Sequence[GameRecord], number: int) -> GameRecord:
    """
    Gets one of *records*, counted from 1.

    :raises RecordError: if there is none of that number.
    """
    if number > len(records):
        raise RecordError(f"there is no game {number}: the file has {len(records)}")
    return records[number - 1]


def text_of(records: Iterable[GameRecord], form: str) -> str:
    """
    Writes games in one of the formats :data:`WRITABLE`.

    :raises RecordError: for another format.
    """
    if form == "text":
        return records_text(records)
    if form == "json":
        return "".join(record_json(record) + "\n" for record in records)
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


def _json_records(text: str, rules: RuleSet) -> Iterator[GameRecord]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _json_record(parse_json(line), rules)
            except ValueError as error:
                raise RecordError(f"line {number} {line!r:.60}: {error}") from None


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
