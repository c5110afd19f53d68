"""
The engine's streams: queries come in line by line, and answers go out line by line as soon as they are known.

One thread reads, so that a query need not wait for the next one. It reads the file descriptor itself: a thread that
waits there cannot hold up the end of the process. stdout gets answers and nothing else.
"""

import os
import threading
from collections.abc import Iterator

from ...shared.bounds import LONGEST_QUERY
from ...shared.json_text import json_line, json_text
from .lanes import Answer, Lanes
from .query import Defaults, QueryError, Terminate, parse_line

_BLOCK = 1 << 16
_LOOK = 0.2
"""Seconds between looks at whether everything is over, so that Ctrl-C is heard."""


def lines_of(descriptor: int) -> Iterator[bytes | None]:
    """Yields each line as soon as it is complete, without its end; None for one that is too long."""
    line, too_long = b"", False
    while block := os.read(descriptor, _BLOCK):
        *complete, tail = block.split(b"\n")
        for part in complete:
            whole = line + part
            yield None if too_long or len(whole) > LONGEST_QUERY else whole
            line, too_long = b"", False
        line += tail
        if len(line) > LONGEST_QUERY:
            line, too_long = b"", True
    if too_long or line:
        yield None if too_long else line


class _Output:
    """Writes answers, each a line of its own; notes when their reader has gone."""

    def __init__(self, descriptor: int, over: threading.Event) -> None:
        self._descriptor = descriptor
        self._over = over
        self._lock = threading.Lock()
        self.closed = False

    def deliver(self, answer: Answer) -> None:
        """Writes an answer; called from any thread."""
        data = json_line(answer)
        with self._lock:
            try:
                while data and not self.closed:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                self.closed = True
                self._over.set()


def serve(jobs: int, defaults: Defaults, source: int = 0, target: int = 1) -> None:
    """
    Answers all queries of *source*, a file descriptor, on *target*, with so many *jobs* at a time.

    It returns when the source has ended and everything is answered, or when the reader of the target has gone.

    :raises KeyboardInterrupt: after Ctrl-C, with all processes ended.
    """
    over = threading.Event()
    output = _Output(target, over)
    lanes = Lanes(jobs, output.deliver)
    threading.Thread(target=_read, args=(source, lanes, output, defaults, over), daemon=True).start()
    try:
        while not over.wait(_LOOK):
            pass
    finally:
        lanes.stop()


def _read(source: int, lanes: Lanes, output: _Output, defaults: Defaults, over: threading.Event) -> None:
    try:
        for number, line in enumerate(lines_of(source), 1):
            if output.closed:
                return
            _take(number, line, lanes, output, defaults)
    except OSError:
        pass  # a source that cannot be read has ended
    lanes.finish()
    over.set()


def _take(number: int, line: bytes | None, lanes: Lanes, output: _Output, defaults: Defaults) -> None:
    """Lets a line wait for its turn, or answers at once what needs no analysis."""
    if line is not None and not line.strip():
        return
    try:
        if line is None:
            raise QueryError(f"the line is longer than {LONGEST_QUERY} bytes")
        query = parse_line(line, defaults)
    except QueryError as error:
        output.deliver({"id": error.id, "error": str(error), "field": error.field, "line": number})
        return
    except Exception as error:
        message = f"this query cannot be read: {error!r}"
        output.deliver({"id": None, "error": message, "field": None, "line": number})
        return
    if isinstance(query, Terminate):
        dropped = lanes.drop(query.target)
        output.deliver({"id": query.id, "terminate": query.target, "dropped": dropped})
    elif not lanes.add(query):
        message = f"a query with the id {json_text(query.id)} is still in flight"
        output.deliver({"id": query.id, "error": message, "field": "id", "line": number})
