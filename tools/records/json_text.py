"""JSON as records have it: on one line, every number finite, and nothing in it that upsets a terminal or an encoder."""

import json
import re
import sys
from typing import Any

__all__ = ["DECODER", "finite_number", "json_text", "number_text", "parse_json"]

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def json_text(value: Any) -> str:
    """
    Writes *value* as short as it can be read back.

    :raises ValueError: for NaN and infinities, :raises TypeError: for what JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
        raise ValueError(f"{value!r:.40} is no finite number")
    return float(value)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def parse_json(text: str) -> Any:
    """
    Reads one JSON value.

    :raises ValueError: for text that is none, for NaN and infinities, and for values nested beyond reason.
    """
    try:
        return DECODER.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
