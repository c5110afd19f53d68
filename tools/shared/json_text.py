"""
JSON as files have it: on one line, every number finite, and nothing in it that upsets a terminal or an encoder.

All JSON of the tools goes through here: files, wires, and what commands print. A value is None, a bool, an int, a
finite float, a text, or a list or dict of values. A tuple is written as a list, and a key that is a number as its text.
Of keys that come twice the last one counts. No number is beyond a double: other readers take it for infinity. A text
may hold half of a surrogate pair, as the name of a file does.

The text is that of the standard library to the last character. orjson reads and writes what it can so, and the standard
library does the rest; all of it where there is no orjson, as in a web page, on PyPy and on a Python that is too new.

:func:`checked` makes typed rows of such values: code that reads JSON from outside declares its types there.
"""

import json
import re
from itertools import chain
from json import JSONDecodeError as JSONDecodeError
from typing import Any, NoReturn, TypeVar

import msgspec

from ddzbot.protocol.last_resort import shortened

from .bounds import LONGEST_REASON
from .plain import OBEYED, plain

try:
    import orjson
except ModuleNotFoundError:
    HAS_ORJSON = False
else:
    HAS_ORJSON = True

NESTING = 500
"""Levels of lists and objects that a value may have. Python itself gives up at 1000 calls, and some are in use."""

LONGEST_KEPT = 8000
"""Bytes of JSON that a record keeps of a program's comment on one move: a game of the longest stays within a line."""

LONGEST_SHOWN = 40
"""Characters of a number that a sentence quotes whole."""

_BEGINNING = 1000

_UNPRINTABLE = re.compile(f"[{OBEYED}]")
_OTHER = re.compile(r"[^\x00-\x7e]")

_LONG = b"0" * 19
"""So many digits may be a whole number beyond 64 bits, of which orjson makes a float."""
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)

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
        written = _written(value)
    except RecursionError:
        _refuse_depth(NESTING)
    return _escaped(written, _OTHER if ascii_only else _UNPRINTABLE)


def json_line(value: Any) -> bytes:
    """
    Writes *value* as a program reads it: one line of ASCII, with its end.

    :raises ValueError: as :func:`json_text` does.
    """
    return json_text(value, ascii_only=True).encode() + b"\n"


def parse_json(text: str, levels: int = NESTING) -> Any:
    """
    Reads one JSON value.

    :raises JSONDecodeError: for text that is none.
    :raises ValueError: for numbers that are not finite or beyond a double, and for more than so many *levels*.
    """
    try:
        value = _read(text)
    except RecursionError:
        _refuse_depth(levels)
    _check_depth(text, value, levels)
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
    _check_depth(text[start:end], value, NESTING)
    return value, end


def number_text(number: float) -> str:
    """Writes a number as short as it can be read back: ``6`` for 6.0."""
    # Adding zero makes 0 of -0.
    return repr(number + 0.0).removesuffix(".0")


def points_text(points: float, sign: bool = False) -> str:
    """Writes points for people, to a thousandth as Botzone pays them: ``0.145``, or with a *sign* ``+0.145``."""
    digits = number_text(round(points, 3))
    return f"+{digits}" if sign and not digits.startswith("-") else digits


def kept(value: Any) -> Any:
    """Gets what a record keeps of *value*: of what is too long, or no JSON for a file, only a text of how it begins."""
    try:
        written = json_text(value)
    except (ValueError, TypeError, RecursionError):
        return f"{value!r:.{_BEGINNING}}"
    return value if len(written.encode("utf-8")) <= LONGEST_KEPT else written[:_BEGINNING]


def _check_depth(text: str, value: Any, levels: int) -> None:
    """Looks at every part of *value* where *text*, the JSON of it, has brackets enough."""
    if text.count("[") + text.count("{") <= levels or _is_shallow(value):
        return
    nodes = [value]
    for _ in range(levels + 1):
        nodes = [node for node in nodes if isinstance(node, dict | list | tuple)]
        if not nodes:
            return
        nodes = list(chain.from_iterable(node.values() if isinstance(node, dict) else node for node in nodes))
    _refuse_depth(levels)


def _escaped(text: str, characters: "re.Pattern[str]") -> str:
    """Writes *characters* of JSON as escapes."""
    if text.isascii() and "\x7f" not in text:
        return text
    return characters.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _refuse_depth(levels: int) -> NoReturn:
    raise ValueError(f"it is nested too deeply: more than {levels} levels") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _refuse_number(digits: str) -> NoReturn:
    digits_shown = digits if len(digits) <= LONGEST_SHOWN else f"{digits:.20}... ({len(digits)} characters)"
    raise ValueError(f"{digits_shown} is too large for a number")


def _finite(digits: str) -> float:
    parsed = float(digits)
    if parsed - parsed != 0:
        _refuse_number(digits)
    return parsed


def _integer(digits: str) -> int:
    _finite(digits)
    return int(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, parse_int=_integer)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _written_by_standard(value: Any) -> str:
    written = _ENCODER.encode(value)
    parse_json(written)  # refuses what could not be read again
    return written


if HAS_ORJSON:
    _DOUBTFUL = (b"null", b"e-", b"0.0000")
    """Where a number may not be finite, which orjson writes as null, or be below 0.0001, which it writes otherwise."""
    _OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME

    def _written(value: Any) -> str:
        try:
            data = orjson.dumps(value, option=_OPTIONS)
        except orjson.JSONEncodeError:
            # Half of a surrogate pair, more than 64 bits or 254 levels, a key that is no text; or it is no JSON.
            return _written_by_standard(value)
        return _ENCODER.encode(value) if any(mark in data for mark in _DOUBTFUL) else data.decode()

    def _read(text: str) -> Any:
        data = text.encode("utf-8", "surrogatepass")
        if _LONG not in data.translate(_ZEROS):
            try:
                return orjson.loads(data)
            except orjson.JSONDecodeError:
                pass  # half of a surrogate pair; other faults have the standard library's own error
        return _DECODER.decode(text)

    def _is_shallow(value: Any) -> bool:
        """Tests that *value* has at most the 254 levels that orjson writes; in a tenth of the time of a closer look."""
        try:
            orjson.dumps(value)
        except orjson.JSONEncodeError:
            return False
        return True

else:

    def _written(value: Any) -> str:
        return _written_by_standard(value)

    def _read(text: str) -> Any:
        return _DECODER.decode(text)

    def _is_shallow(value: Any) -> bool:
        return False
