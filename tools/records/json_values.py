"""
Takes a file of JSON apart into one value a game: JSON lines, values over many lines, or an array of games.

A value may be a log of the platform as it comes from there: an object, pretty-printed or on one line, or an array of
the turns of one match. An array of anything else is an array of games. Of JSON lines only one game is held at a time;
from the first value over many lines on, all that is left of a file.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..shared.bounds import LONGEST_REASON, MOST_HELD
from ..shared.json_text import parse_json, parse_json_at
from .record import RecordError


class Found(NamedTuple):
    """A value, and the line where it, or the array around it, begins."""

    number: int
    line: str
    value: Any


_BLANK = re.compile(r"\s*")


def json_values(lines: Iterable[str]) -> Iterator[Found]:
    """
    Yields the values of a file, a log as an object with the key ``log``.

    :raises RecordError: for what is not JSON; the sentence names the line where the value begins.
    """
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError as error:
            if line.lstrip()[0] not in "[{":
                raise _refused(number, line, error) from None
            yield from _over_lines(number, line, numbered)
        else:
            yield from (Found(number, line, game) for game in _games_of(value))


def is_log(value: Any) -> bool:
    """Tells the turns of one match from a list of anything else: the judge speaks first."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "output" in value[0]


def _games_of(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [{"log": value}] if is_log(value) else value


def _over_lines(first: int, line: str, left: Iterator[tuple[int, str]]) -> Iterator[Found]:
    """Yields the values of all lines that are left, one after another."""
    texts = [line, *_held(first, line, left)]
    text, number, end = "\n".join(texts), first, 0
    while (start := _end_of_blanks(text, end)) < len(text):
        number += text.count("\n", end, start)
        line = texts[number - first]
        try:
            value, end = parse_json_at(text, start)
        except ValueError as error:
            raise _refused(number, line, error) from None
        yield from (Found(number, line, game) for game in _games_of(value))
        number += text.count("\n", start, end)


def _held(number: int, first: str, left: Iterator[tuple[int, str]]) -> Iterator[str]:
    length = len(first.encode())
    for _, line in left:
        length += len(line.encode()) + 1
        if length > MOST_HELD:
            raise RecordError(
                f"line {number} {first!r:.60}: the value that begins here is followed by more than "
                f"{MOST_HELD:,} bytes: put each game on a line of its own"
            )
        yield line


def _end_of_blanks(text: str, start: int) -> int:
    blanks = _BLANK.match(text, start)
    assert blanks is not None
    return blanks.end()


def _refused(number: int, line: str, error: ValueError) -> RecordError:
    return RecordError(f"line {number} {line!r:.60}: {error!s:.{LONGEST_REASON}}")
