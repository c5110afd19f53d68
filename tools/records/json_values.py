"""
Takes a file of JSON apart into one value a game: JSON lines, one value over many lines, or an array.

A value may be a log of the platform as it comes from there: an object, pretty-printed or on one line, or an array of
the turns of one match. An array of anything else is an array of games. Of all these only one game is held at a time.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from ..shared.bounds import LONGEST_LINE, LONGEST_REASON, Line
from ..shared.json_text import parse_json
from .record import RecordError

__all__ = ["Found", "is_log", "json_values"]


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
        text = line.text.removeprefix("\ufeff") if line.number == 1 else line.text
        if not text.strip():
            continue
        try:
            value = parse_json(text)
        except ValueError as error:
            yield from _over_lines(line._replace(text=text), left, error)
        else:
            yield from (Found(line.number, text, one, len(text)) for one in _games_of(value))


def _games_of(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [{"log": value}] if is_log(value) else value


def _over_lines(first: Line, left: Iterator[Line], error: ValueError) -> Iterator[Found]:
    """Reads the value that begins in *first* and does not end there, or refuses that line with *error*."""
    opening = first.text.lstrip()[0]
    if opening not in "[{":
        raise _refused(first, error)
    values = _taken(_Parts(first, error, inside_array=opening == "["), first, left)
    return _joined(first, values) if opening == "[" else values


def _taken(parts: "_Parts", first: Line, left: Iterator[Line]) -> Iterator[Found]:
    yield from parts.take(first)
    while not parts.ended:
        line = next(left, None)
        if line is None:
            parts.refuse()
        yield from parts.take(line)


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


class _Parts:
    """Collects a value, or the elements of an array one after the other, from lines."""

    def __init__(self, first: Line, error: ValueError, inside_array: bool) -> None:
        self.ended = False
        self._first = first
        self._error = error
        self._inner = 1 if inside_array else 0
        """How deep the values lie."""
        self._depth = 0
        self._number = 0
        """How many values there were."""
        self._begun = first
        self._texts: list[str] = []
        self._length = 0

    def take(self, line: Line) -> Iterator[Found]:
        """Reads a line, and yields the values that end in it."""
        start = 0
        for token in _TOKEN.finditer(line.text):
            kind = token[0]
            self._depth += (kind in "[{") - (kind in "]}")
            if kind in "[{" and self._depth == self._inner:
                start = token.end()
            elif kind in "]}" and self._depth == 0:
                yield from self._value(line, line.text[start : token.start() if self._inner else token.end()], True)
                self._end(line.text[token.end() :])
                return
            elif kind == "," and self._depth == self._inner:
                yield from self._value(line, line.text[start : token.start()], False)
                start = token.end()
        self._keep(line, line.text[start:])

    def _keep(self, line: Line, text: str) -> None:
        if not self._texts:
            self._begun = line
        if self._texts or text.strip():
            self._texts.append(text)
        self._length += line.bytes
        if self._length > LONGEST_LINE:
            self.refuse()

    def _value(self, line: Line, rest: str, last: bool) -> Iterator[Found]:
        begun = self._begun if self._texts else line
        text = "\n".join([*self._texts, rest])
        self._texts, self._length = [], 0
        if last and not self._number and not text.strip():
            return  # an empty array
        try:
            value = parse_json(text)
        except ValueError as error:
            raise _refused(begun, error) from None
        self._number += 1
        yield Found(begun.number, begun.text, value, len(text))

    def _end(self, rest: str) -> None:
        if rest.strip():
            self.refuse()
        self.ended = True

    def refuse(self) -> NoReturn:
        """Refuses the line in which all began, with the reason why it is not a value by itself."""
        raise _refused(self._first, self._error)


def _refused(line: Line, error: ValueError) -> RecordError:
    return RecordError(f"line {line.number} {line.text!r:.60}: {error!s:.{LONGEST_REASON}}")
