"""
Reads the English text of a message again, as files keep it: which message it is, and its values.

Forms are the keys that a text may have, each with the values that are messages themselves, and the forms of those::

    FORMS = {"{player} {what}": {"player": {"player {number}": {}}, "what": {"took longer than {seconds} s": {}}}}
    read("player 2 took longer than 1 s", FORMS)

Any other value stands as it is, and nothing looks it up.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any

from .message import Message

Forms = Mapping[str, "Forms"]

OTHERS = "{others}"
"""In the place of a key: what others say, which is no message."""

_ONE_WORD = {"code", "length", "limit", "most", "number", "rules", "seconds", "used", "verdict"}
"""Values without blanks and parentheses; any other may be any text."""


def read(text: str, forms: Forms) -> Message | None:
    """Makes the message of a text, by the first form that fits; None if none does."""
    for key, parts in forms.items():
        match = re.fullmatch(_pattern(key, parts, named=True), text, re.DOTALL)
        if match and key != OTHERS:
            values: dict[str, Any] = match.groupdict()
            return Message(key, **values | {name: read(values[name], parts[name]) or values[name] for name in parts})
    return None


def _pattern(key: str, parts: Forms, named: bool = False) -> str:
    """Writes the expression of all texts of a key, *named* with a group for each value."""
    if key == OTHERS:
        return ".*?"
    pattern = ""
    for literal, name, _, _ in Formatter().parse(key):
        pattern += re.escape(literal)
        if name is not None:
            pattern += (f"(?P<{name}>" if named else "(?:") + _value(name, parts) + ")"
    return pattern


def _value(name: str, parts: Forms) -> str:
    if name in parts:
        return "|".join(_pattern(key, inner) for key, inner in parts[name].items())
    return r"[^\s()]+" if name in _ONE_WORD else ".*?"
