"""
What :mod:`tools.shared.json_text` reads and writes, by the standard library alone: its twin, and judge of odd cases.

A value is None, a bool, an int, a finite float, a text, or a list or dict of values. A tuple is written as a list, and
a key that is a number as its text. Of keys that come twice the last one counts. A number may have a point or none, and
is never beyond a double: other readers take it for infinity. A text may hold half of a surrogate pair; two halves side
by side come back as one character.
"""

import json
import re
from itertools import chain
from typing import Any, NoReturn

from .plain import OBEYED

__all__ = [
    "NESTING",
    "digits_as_zeros",
    "escaped",
    "json_text",
    "nested_too_deeply",
    "parse_json",
    "parse_json_at",
]

NESTING = 500
"""Levels of lists and objects that a value may have. Python itself gives up at 1000 calls, and some are in use."""

LONGEST_SHOWN = 40
"""Characters of a number that a sentence quotes whole."""

_UNPRINTABLE = re.compile(f"[{OBEYED}]")

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))

_SQUARE = bytes.maketrans(b"{}", b"[]")
_NEITHER_BRACKET_NOR_TEXT = bytes({*range(256)} - {*b'[]{}"\\'})
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_LARGEST_WITHOUT_EXPONENT = b"0" * 300
"""A number with fewer digits than this is finite, unless it has an exponent."""


def json_text(value: Any, ascii_only: bool = False) -> str:
    """
    Writes *value* on one line, as short as it can be read back.

    With *ascii_only* every other character is an escape, and otherwise what could upset a terminal or an encoder.

    :raises ValueError: for numbers that are not finite, for a value that contains itself, and for more than
        :data:`NESTING` levels.
    :raises TypeError: for what JSON does not have.
    """
    try:
        text = (_ASCII_ENCODER if ascii_only else _ENCODER).encode(value)
    except RecursionError:
        _refuse_depth()
    data = _bytes(text)
    if nested_too_deeply(data, value):
        _refuse_depth()
    if _LARGEST_WITHOUT_EXPONENT in digits_as_zeros(data):
        _STRICT.decode(text)  # Python writes an integer of any size
    return text if ascii_only else escaped(text)


def escaped(text: str) -> str:
    """Writes as escapes what could upset a terminal or an encoder; *text* is JSON."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def parse_json(text: str, levels: int = NESTING) -> Any:
    """
    Reads one JSON value.

    :raises ValueError: for text that is none, for numbers that are not finite, and for more than so many *levels*.
    """
    data = _bytes(text)
    try:
        value = (_STRICT if _may_overflow(data) else _USUAL).decode(text)
    except RecursionError:
        _refuse_depth(levels)
    if nested_too_deeply(data, value, levels):
        _refuse_depth(levels)
    return value


def parse_json_at(text: str, start: int) -> tuple[Any, int]:
    """
    Reads the JSON value that begins at *start*, and gets it with the place behind it.

    :raises ValueError: as :func:`parse_json` does.
    """
    try:
        value, end = _STRICT.raw_decode(text, start)
    except RecursionError:
        _refuse_depth()
    if nested_too_deeply(_bytes(text[start:end]), value):
        _refuse_depth()
    return value, end


def nested_too_deeply(data: bytes, value: Any, levels: int = NESTING) -> bool:
    """Tells whether *value*, which *data* is the JSON of, has more than so many *levels*."""
    if data.count(b"[") + data.count(b"{") <= levels:
        return False
    # Each round takes the innermost brackets away; what no text obscures is gone after as many rounds as levels.
    rest = data.translate(_SQUARE, _NEITHER_BRACKET_NOR_TEXT).replace(b'""', b"")
    for _ in range(levels):
        before = len(rest)
        rest = rest.replace(b"[]", b"")
        if len(rest) == before:
            break
    return bool(rest) and _levels(value) > levels


def digits_as_zeros(data: bytes) -> bytes:
    """Makes every digit a zero, so that a number of a certain form is found by a plain search."""
    return data.translate(_ZEROS)


def _levels(value: Any) -> int:
    levels, nodes = 0, [value]
    while nodes := [node for node in nodes if isinstance(node, (dict, list, tuple))]:
        levels += 1
        nodes = list(chain.from_iterable(node.values() if isinstance(node, dict) else node for node in nodes))
    return levels


def _may_overflow(data: bytes) -> bool:
    digits = digits_as_zeros(data)
    return b"0e" in digits or b"0E" in digits or _LARGEST_WITHOUT_EXPONENT in digits


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _refuse_depth(levels: int = NESTING) -> NoReturn:
    raise ValueError(f"it is nested too deeply: more than {levels} levels") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        shown = digits if len(digits) <= LONGEST_SHOWN else f"{digits:.20}... ({len(digits)} characters)"
        raise ValueError(f"{shown} is too large for a number")
    return number


def _integer(digits: str) -> int:
    _finite(digits)
    return int(digits)


_USUAL = json.JSONDecoder(parse_constant=_refuse_constant)
_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, parse_int=_integer)
"""The usual one has its own way with numbers, which is faster and lets infinities pass."""
