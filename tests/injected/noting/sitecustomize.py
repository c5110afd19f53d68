"""
Notes the errors that a fault itself raises: every Python of a test imports this, if it is on its path.

A name, an attribute or an argument that there is not, raised in the lines of a fault or in what they call, says that
the fault is broken: any test sees it that comes past it.
"""

import json
import os
import sys
import threading
from types import FrameType
from typing import Any

_BROKEN = (AttributeError, NameError, TypeError, ImportError, SyntaxError)
_VARIABLE = "DDZ_FAULT"
"""Its value is JSON: the file of the fault, its first and last line, and the file for notes."""


def _watch(path: str, first: int, last: int, notes: str) -> None:
    def in_frame(frame: FrameType, event: str, given: Any) -> Any:
        if event == "exception" and issubclass(given[0], _BROKEN) and first <= frame.f_lineno <= last:
            with open(notes, "a", encoding="utf-8") as file:
                file.write(f"line {frame.f_lineno}: {given[0].__name__}: {given[1]}\n")
        return in_frame

    def at_call(frame: FrameType, event: str, given: Any) -> Any:
        return in_frame if frame.f_code.co_filename == path else None

    threading.settrace(at_call)
    sys.settrace(at_call)


if _VARIABLE in os.environ:
    _watch(*json.loads(os.environ[_VARIABLE]))
