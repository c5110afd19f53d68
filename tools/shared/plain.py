"""Text of strangers as a terminal may have it: what a terminal would obey is shown as an escape."""

import io
import re
import sys

OBEYED = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Inside the brackets of a pattern: control characters beyond ASCII, of lines and of direction, and half characters."""

_IN_A_LINE = re.compile(f"[\0-\x1f{OBEYED}]")
_NO_TEXT = re.compile("[\udc80-\udcff]")
_IN_LINES = re.compile(f"[\0-\x08\x0b-\x1f{OBEYED}]")


def plain(text: str) -> str:
    """Gets *text* as a part of one line, with ``\\x1b`` for an escape character and ``\\x0a`` for the end of a line."""
    return _IN_A_LINE.sub(_escape, text)


def plain_name(text: str) -> str:
    """Gets the name of a file, or a sentence with one, as :func:`plain`; bytes that are no text look like ``\\xce``."""
    return plain(_NO_TEXT.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text))


def plain_lines(text: str) -> str:
    """Gets *text* so that its lines and tabs stay."""
    return _IN_LINES.sub(_escape, text)


def write_any_character() -> None:
    """Lets no character end a command: what the encoding of stdout or stderr lacks is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _escape(found: "re.Match[str]") -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
