"""
Reads the page of a match as a browser saves it from Botzone: the log and the names stand in its script.

The page sets ``_rawLogJSON``, a text that holds the log as JSON, ``playerNames``, a list, and ``matchID``, a text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..shared.bounds import LONGEST_REASON
from ..shared.json_text import parse_json, parse_json_at
from .record import RecordError

MARK = "_rawLogJSON"
"""The name without which a page has no log."""

_SET = re.compile(r"""\b(_rawLogJSON|playerNames|matchID)\s*=\s*(?=["'\[])""")
_PLAIN = re.compile(r"'([^'\\]*)'")


def log_of_page(lines: Iterable[str]) -> dict[str, Any]:
    """
    Gets the log of a page in the platform's form: an object with ``log``, and perhaps ``players`` and ``_id``.

    :raises RecordError: for a page without one.
    """
    settings = dict(_settings(lines))
    if MARK not in settings:
        raise RecordError(f"it is no page of a match of Botzone: it does not set {MARK}")
    names = {"log": MARK, "players": "playerNames", "_id": "matchID"}
    message = {key: settings[variable] for key, variable in names.items() if variable in settings}
    return {**message, "log": _log(settings[MARK])}


def _log(text: Any) -> Any:
    try:
        if not isinstance(text, str) or not text.strip():
            raise ValueError("it is empty, as while a match runs")
        return parse_json(text)
    except ValueError as error:
        raise RecordError(f"{MARK} is not a log: {error!s:.{LONGEST_REASON}}") from None


def _settings(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yields what the script sets, as (name, value)."""
    for number, script_line in enumerate(lines, 1):
        for assignment in _SET.finditer(script_line):
            plain = _PLAIN.match(script_line, assignment.end())
            try:
                yield assignment[1], plain[1] if plain else parse_json_at(script_line, assignment.end())[0]
            except ValueError as error:
                raise RecordError(f"line {number}: {assignment[1]} is not JSON: {error!s:.{LONGEST_REASON}}") from None
