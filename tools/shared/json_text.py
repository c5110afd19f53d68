"""
JSON as files have it: on one line, every number finite, and nothing in it that upsets a terminal or an encoder.

All files with much JSON in them go through here: game records, results of matches, logged decisions. A value is None, a
bool, an int, a finite float, a text, or a list or dict of values. A tuple is written as a list, and a key that is a
number as its text. Of keys that come twice the last one counts. No number is beyond a double: other readers take it for
infinity. A text may hold half of a surrogate pair, as the name of a file does.

:func:`checked` makes typed rows of such values: who takes JSON from outside says there, in types, what it must be.
"""

import json
import re
import sys
from itertools import chain
from typing import Any, NoReturn, TypeVar

import msgspec

from ddzbot.protocol.last_resort import shortened

from .bounds import LONGEST_REASON
from .plain import OBEYED, plain

NESTING = 500
"""Levels of lists and objects that a value may have. Python itself gives up at 1000 calls, and some are in use."""

LONGEST_KEPT = 8000
"""Bytes of JSON that a record keeps of what a program says of one move: a game of the longest stays within a line."""

LONGEST_SHOWN = 40
"""Characters of a number that a sentence quotes whole."""

_BEGINNING = 1000

_UNPRINTABLE = re.compile(f"[{OBEYED}]")

# The library for reading writes NaN as null, bytes as text and sets as lists, so it is not the one for writing.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_BEYOND = b"0" * 309
"""A whole number with fewer digits than this is a double's."""

Typed = TypeVar("Typed")


def checked(value: Any, kind: type[Typed], error: type[ValueError] = ValueError) -> Typed:
    """
    Takes a JSON value as what it must be: a msgspec ``Struct``, or any type that msgspec knows.

    :raises ValueError: or another *error* if it is something else; the sentence names the place: "Expected `str`, got
        `int` - at `$.players[2]`".
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as found:
        # The place stands at the end.
        raise error(shortened(plain(str(found)), LONGEST_REASON)) from None


def json_text(value: Any, ascii_only: bool = False) -> str:
    """
    Writes *value* on one line, as short as it can be read back.

    With *ascii_only* every other character is an escape, and otherwise what could upset a terminal or an encoder.

    :raises ValueError: for numbers that are not finite or beyond a double, for a value that contains itself, and for
        more than :data:`NESTING` levels.
    :raises TypeError: for what JSON does not have.
    """
    try:
        text = (_ASCII_ENCODER if ascii_only else _ENCODER).encode(value)
    except RecursionError:
        _refuse_depth(NESTING)
    _check_bounds(_bytes(text), value, NESTING)
    return text if ascii_only else escaped(text)


def escaped(text: str) -> str:
    """Writes as escapes what could upset a terminal or an encoder; *text* is JSON."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def parse_json(text: str, levels: int = NESTING) -> Any:
    """
    Reads one JSON value.

    :raises ValueError: for text that is none, for numbers that are not finite or beyond a double, and for more than so
        many *levels*.
    """
    data = _bytes(text)
    try:
        value = _fast_value(data, text)
    except RecursionError:
        _refuse_depth(levels)
    _check_bounds(data, value, levels)
    return value


def parse_json_at(text: str, start: int) -> tuple[Any, int]:
    """
    Reads the JSON value that begins at *start*, and gets it with the place behind it.

    :raises ValueError: as :func:`parse_json` does.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        _refuse_depth(NESTING)
    _check_bounds(_bytes(text[start:end]), value, NESTING)
    return value, end


def number_text(number: float) -> str:
    """Writes a number as short as it can be read back: ``6`` for 6.0."""
    # Adding zero makes 0 of -0.
    return repr(number + 0.0).removesuffix(".0")


def points_text(points: float, sign: bool = False) -> str:
    """Writes points for people, to a thousandth as Botzone pays them: ``0.145``, or with a *sign* ``+0.145``."""
    text = number_text(round(points, 3))
    return f"+{text}" if sign and not text.startswith("-") else text


def kept(value: Any) -> Any:
    """Gets what a record keeps of *value*: of what is too long, or no JSON for a file, only a text of how it begins."""
    try:
        text = json_text(value)
    except (ValueError, TypeError, RecursionError):
        return f"{value!r:.{_BEGINNING}}"
    return value if len(text.encode("utf-8")) <= LONGEST_KEPT else text[:_BEGINNING]


def _fast_value(data: bytes, text: str) -> Any:
    try:
        return msgspec.json.decode(data)
    except ValueError:
        # Half of a surrogate pair is refused there; what is really wrong is said better here.
        return _DECODER.decode(text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _check_bounds(data: bytes, value: Any, levels: int) -> None:
    """Looks at every part of *value* where *data*, the JSON of it, has brackets or digits enough for a bad one."""
    deep, long = data.count(b"[") + data.count(b"{") > levels, _BEYOND in data.translate(_ZEROS)
    if not (deep or long):
        return
    nodes = [value]
    for _ in range(levels + 1):
        if long:
            for number in nodes:
                if type(number) is int and abs(number) > sys.float_info.max:
                    _refuse_number(str(number))
        nodes = [node for node in nodes if isinstance(node, dict | list | tuple)]
        if not nodes:
            return
        nodes = list(chain.from_iterable(node.values() if isinstance(node, dict) else node for node in nodes))
    _refuse_depth(levels)


def _refuse_depth(levels: int) -> NoReturn:
    raise ValueError(f"it is nested too deeply: more than {levels} levels") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse_number(digits: str) -> NoReturn:
    shown = digits if len(digits) <= LONGEST_SHOWN else f"{digits:.20}... ({len(digits)} characters)"
    raise ValueError(f"{shown} is too large for a number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        _refuse_number(digits)
    return number


def _integer(digits: str) -> int:
    _finite(digits)
    return int(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, parse_int=_integer)
