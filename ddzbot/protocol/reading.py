"""
Reads a line of the judge within bounds, so that no line costs the time of the turn.

No game has lines of a hundredth of these lengths. The reader cuts a value beyond a bound out of the line, or refuses
it, and reads the rest: a number of a million digits in a field that is not used must not lose the game.
"""

import gc
import json
import re
from typing import Any, List

MOST_BYTES = 1 << 20
"""Of a line; the rest of a longer one is not read. The hardest line takes CPython 3.6 half a second."""
MOST_DIGITS = 400
"""Of a number; a longer one is read as 0. To convert n digits takes n * n steps."""
MOST_DEPTH = 100
"""Levels of objects and lists; what lies deeper is read as null. The parser of JSON gives up at some hundreds."""

_LONG_NUMBER = re.compile(rf"(?<!\d)\d{{{MOST_DIGITS + 1},}}")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def read_json(line: str) -> Any:
    """
    Parses a line.

    :raises ValueError: for what is not JSON.
    """
    text = _LONG_NUMBER.sub("0", line)
    # Looking for cycles among a million lists takes as long as parsing them, and there are none.
    collects = gc.isenabled()
    gc.disable()
    try:
        return json.loads(text)
    except RecursionError:
        return json.loads(_shallow(text))
    finally:
        if collects:
            gc.enable()


def _shallow(text: str) -> str:
    """Puts null in the place of everything that lies below :data:`MOST_DEPTH` levels."""
    kept: List[str] = []
    depth = begin = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "[{":
            depth += 1
            if depth == MOST_DEPTH + 1:
                kept.append(text[begin : token.start()])
        elif mark in "]}":
            if depth == MOST_DEPTH + 1:
                kept.append("null")
                begin = token.end()
            depth -= 1
    return "".join(kept if depth > MOST_DEPTH else [*kept, text[begin:]])
