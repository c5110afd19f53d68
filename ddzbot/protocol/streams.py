"""
The standard streams of the bot: where its lines come from, where its answers go, and dead ends for all the rest.

Some judges read stdout and stderr as one stream, where one stray byte loses the game. So the answers get a file
descriptor of their own, above the three standard ones, and both standard streams lead nowhere from then on: for this
interpreter, for the libraries that it loads, and for C code. A judge may also start the bot with any of the three
closed; what it opened is used, and the others are filled, since the next file would take their place.
"""

import contextlib
import io
import os
import sys
from typing import Any, BinaryIO

_STANDARD = (0, 1, 2)


class Streams:
    """Lines in, answers out; made once, before anything else writes or opens a file."""

    def __init__(self) -> None:
        for descriptor in (0, 1):
            _make_waiting(descriptor)
        opened = [sys.__stdin__ is not None, sys.__stdout__ is not None, sys.__stderr__ is not None]
        stdin, stdout, _ = opened
        self._answers = _above_standard(1) if stdout else None
        nowhere = _nowhere()
        for descriptor in _STANDARD:
            if descriptor or not stdin:
                os.dup2(nowhere, descriptor)
        if nowhere not in _STANDARD:
            os.close(nowhere)
        stdin_bytes: Any = getattr(sys.__stdin__, "buffer", None)
        self.lines: BinaryIO = stdin_bytes or io.BytesIO()
        """The stream of the judge's lines; empty if it sends none."""

    def answer(self, text: str) -> bool:
        """Writes text and a line end; returns whether the reader may have got it."""
        data = text.encode("ascii") + b"\n"
        try:
            while data and self._answers is not None:
                data = data[os.write(self._answers, data) :]
        except OSError:
            return False
        return self._answers is not None


def _above_standard(descriptor: int) -> int:
    """Duplicates a descriptor to one that is no standard stream, though one of these may be free."""
    lower = []
    copy = os.dup(descriptor)
    while copy in _STANDARD:
        lower.append(copy)
        copy = os.dup(descriptor)
    for unwanted in lower:
        os.close(unwanted)
    return copy


def _make_waiting(descriptor: int) -> None:
    """Has reads and writes wait; where the judge shares a pipe that does not wait, a line to come looks like none."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError, AttributeError):  # it is closed, or the system knows no such thing
            os.set_blocking(descriptor, True)


def _nowhere() -> int:
    """Opens a dead end to write to, and to read nothing from."""
    try:
        return os.open(os.devnull, os.O_RDWR)
    except OSError:  # a jail may have no devices; a pipe without a reader refuses what is written
        reader, writer = os.pipe()
        os.close(reader)
        return writer
