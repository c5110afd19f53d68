"""
JSON as files have it: on one line, every number finite, and nothing in it that upsets a terminal or an encoder.

All files with much JSON in them go through here: game records, results of matches, logged decisions. orjson does the
work where it is installed. It never changes what is accepted, which value comes back or which bytes are written: what
it refuses or could do otherwise than :mod:`tools.shared.json_twin` is left to that twin, errors too.
"""

import marshal
import re
import sys
from typing import Any

from . import json_twin
from .json_twin import NESTING, digits_as_zeros, escaped, nested_too_deeply, parse_json_at

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]

__all__ = ["LONGEST_KEPT", "finite_number", "json_text", "kept", "number_text", "parse_json", "parse_json_at"]

LONGEST_KEPT = 8000
"""Bytes of JSON that a record keeps of what a program says of one move: a game of the longest stays within a line."""

_BEGINNING = 1000

_MARSHAL = 2
"""The last version of marshal that does not look for objects that occur twice."""

_LONG = b"0" * 19
"""The shortest integer that leaves 64 bits has so many digits; orjson makes a float of it."""

_WITH_EXPONENT = re.compile(rb"(?:^|[\[,:])-?[0-9.]+e")


def json_text(value: Any, ascii_only: bool = False) -> str:
    """
    Writes *value* on one line, as short as it can be read back.

    With *ascii_only* every other character is an escape, and otherwise what could upset a terminal or an encoder.

    :raises ValueError: for numbers that are not finite, for a value that contains itself, and for more than
        :data:`tools.shared.json_twin.NESTING` levels.
    :raises TypeError: for what JSON does not have.
    """
    text = None if orjson is None else _fast_text(value)
    if text is None or (ascii_only and not text.isascii()):
        return json_twin.json_text(value, ascii_only)
    return escaped(text)


def parse_json(text: str, levels: int = NESTING) -> Any:
    """
    Reads one JSON value.

    :raises ValueError: for text that is none, for numbers that are not finite, and for more than so many *levels*.
    """
    if orjson is not None:
        try:
            data = text.encode()
            if not _has_long_integer(data):
                value = orjson.loads(data)
                if not nested_too_deeply(data, value, levels):
                    return value
        except ValueError:
            pass  # the twin accepts some of that, and has one sentence for the rest
    return json_twin.parse_json(text, levels)


def number_text(number: float) -> str:
    """Writes a number as short as it can be read back: ``6`` for 6.0."""
    # Adding zero makes 0 of -0.
    return repr(number + 0.0).removesuffix(".0")


def finite_number(value: Any) -> float:
    """
    Takes a JSON number as a float.

    :raises ValueError: for other values, for ``true`` too, and for what is too large.
    """
    if type(value) not in (int, float) or abs(value) > sys.float_info.max:
        raise ValueError(f"{value!r:.40} is not a finite number")
    return float(value)


def kept(value: Any) -> Any:
    """Gets what a record keeps of *value*: of what is too long, or no JSON for a file, only a text of how it begins."""
    try:
        text = json_text(value)
    except (ValueError, TypeError, RecursionError):
        return f"{value!r:.{_BEGINNING}}"
    return value if len(text.encode("utf-8")) <= LONGEST_KEPT else text[:_BEGINNING]


def _fast_text(value: Any) -> str | None:
    """Writes a value by orjson; None where the twin must see it."""
    try:
        data = orjson.dumps(value)
        # orjson takes types that the twin refuses or writes otherwise; marshal, as fast, takes none of those.
        marshal.dumps(value, _MARSHAL)
    except (TypeError, ValueError):
        return None
    # NaN and infinities have become null: where there is one, all must come back as it was.
    if (b"null" in data and orjson.loads(data) != value) or _may_have_other_floats(data):
        return None
    return data.decode()


def _has_long_integer(data: bytes) -> bool:
    digits = digits_as_zeros(data)
    # As many behind a point are a fraction, and common.
    return digits.count(_LONG) != digits.count(b"." + _LONG)


def _may_have_other_floats(data: bytes) -> bool:
    """Tells whether there may be a float that Python writes with an exponent: orjson has other rules for those."""
    return b"0.0000" in data or (b"0e" in digits_as_zeros(data) and bool(_WITH_EXPONENT.search(data)))
