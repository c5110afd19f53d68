"""
Takes a file of JSON apart into one value a game: JSON lines, one value over many lines, or an array.

A value may be a log of the platform as it comes from there: an object, pretty-printed or on one line, or an array of
the turns of one match. An array of anything else is an array of games. Of all these only one game is held at a time.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from ..shared.bounds import LONGEST_LINE, LONGEST_REASON, Line
from ..shared.json_text import parse_json
from .record import RecordError


class Found(NamedTuple):
    """A value, and where it begins."""

    number: int
    line: str
    value: Any
    size: int
    """Characters of the value."""


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')


def is_log(value: Any) -> bool:
    """Tells the turns of one match from a list of anything else: the judge speaks first."""
    return isinstance(value, list) and bool(value) and _is_output(value[0])


def _is_output(value: Any) -> bool:
    return isinstance(value, dict) and "output" in value


def json_values(lines: Iterable[Line]) -> Iterator[Found]:
    """
    Yields the values of a file, a log as an object with the key ``log``.

    :raises RecordError: for what is not JSON; the sentence names the line where the value begins.
    """
    left = iter(lines)
    for line in left:
        if not line.text.strip():
            continue
        try:
            value = parse_json(line.text)
        except ValueError as error:
            yield from _over_lines(line, left, error)
        else:
            yield from (Found(line.number, line.text, one, len(line.text)) for one in _games_of(value))


def _games_of(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [{"log": value}] if is_log(value) else value


def _over_lines(first: Line, left: Iterator[Line], error: ValueError) -> Iterator[Found]:
    """Reads the value that begins in *first* and does not end there, or refuses that line with *error*."""
    opening = first.text.lstrip()[0]
    if opening not in "[{":
        raise _refused(first, error)
    if opening == "{":
        return _taken(chain([first], left), _refused(first, error), inside_array=False)
    return _joined(first, _taken(chain([first], left), _refused(first, error), inside_array=True))


def _taken(lines: Iterable[Line], refused: RecordError, inside_array: bool) -> Iterator[Found]:
    """Yields the value of *lines*, or the elements of that array one after the other; *refused* if it does not end."""
    depth = number = length = 0
    begun: Line | None = None
    parts: list[str] = []
    for line in lines:
        start = 0
        for token in _TOKEN.finditer(line.text):
            kind = token[0]
            depth += (kind in "[{") - (kind in "]}")
            ended = kind in "]}" and depth == 0
            if inside_array and kind == "[" and depth == 1:
                start = token.end()
            elif ended or (inside_array and kind == "," and depth == 1):
                text = "\n".join([*parts, line.text[start : token.start() if inside_array else token.end()]])
                if text.strip() or number or not ended:  # not an empty array
                    number += 1
                    yield _found(begun or line, text)
                begun, parts, length, start = None, [], 0, token.end()
            if ended:
                if line.text[start:].strip():
                    raise refused
                return
        if parts or line.text[start:].strip():
            begun = begun or line
            parts.append(line.text[start:])
        length += line.bytes
        if length > LONGEST_LINE:
            raise refused
    raise refused


def _found(begun: Line, text: str) -> Found:
    try:
        return Found(begun.number, begun.text, parse_json(text), len(text))
    except ValueError as error:
        raise _refused(begun, error) from None


def _joined(first: Line, elements: Iterator[Found]) -> Iterator[Found]:
    """Puts the turns of one match together, and yields anything else as it is."""
    log: list[Any] = []
    length = 0
    for found in elements:
        if not log and not _is_output(found.value):
            yield found
            continue
        log.append(found.value)
        length += found.size
        if length > LONGEST_LINE:
            raise RecordError(f"line {first.number}: this log has more than {LONGEST_LINE:,} characters")
    if log:
        yield Found(first.number, first.text, {"log": log}, length)


def _refused(line: Line, error: ValueError) -> RecordError:
    return RecordError(f"line {line.number} {line.text!r:.60}: {error!s:.{LONGEST_REASON}}")
