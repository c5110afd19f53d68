"""
Serving the application at a socket: to many connections but not to any number of them, and to none for ever.

A connection that says nothing, or takes nothing of what is sent to it, ends after a while; and at once where there is
no room for another one.
"""

import asyncio
import contextlib
import logging
import math
import resource
import socket
import struct
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from .connection import JOIN_SECONDS, MOST_STRANGERS
from .guard import source_of

KEEPALIVE_SECONDS = 15.0
"""A connection is kept for the next request so long."""
STALLED_SECONDS = 30.0
"""A connection that takes nothing of what is sent to it ends after so long."""
LAGGING_SECONDS = 2.0
"""The same where there is no room for another one."""
LOOK_SECONDS = 0.5
MOST_FILES = 16384
MOST_CONNECTIONS = 4096
"""Of all together, and at most half of the open files that the system grants: tables and bots need some too."""
MOST_OF_SOURCE = 256
"""From one network address."""
BACKLOG = 64
"""Connections that are taken in one go, before anybody counts them."""
LOG_SECONDS = 60.0
"""Between two lines of the log that say the same."""

RESET = struct.pack("ii", 1, 0)
"""For ``SO_LINGER``: to close is to throw away."""
FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\ntoo many connections\n"


@web.middleware
async def speaking(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Notes what a connection asks for."""
    assert isinstance(request.protocol, _Guest)
    with request.protocol.asking():
        return await handler(request)


def at_table(request: web.Request) -> None:
    """Notes that a connection is at a table: from now on it may wait without being idle."""
    assert isinstance(request.protocol, _Guest)
    request.protocol.at_table = True


@contextlib.asynccontextmanager
async def served_at(app: web.Application, bound: socket.socket) -> AsyncIterator[None]:
    """Serves the application at a socket that is bound."""
    # Who has left needs no page, and no turn to have one made.
    runner = web.AppRunner(app, shutdown_timeout=1, handler_cancellation=True)
    await runner.setup()
    assert runner.server is not None
    guests = _Guests(runner.server)
    watching = asyncio.create_task(guests.watch())
    listening = await asyncio.get_running_loop().create_server(guests.new, sock=bound, backlog=BACKLOG)
    try:
        yield
    finally:
        listening.close()
        watching.cancel()
        await runner.cleanup()


class _Guest(web.RequestHandler):
    """A connection, and since when nobody gets anything done with it."""

    def __init__(self, guests: "_Guests", manager: web.Server) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(manager, loop=loop, keepalive_timeout=KEEPALIVE_SECONDS, access_log=None)  # type: ignore[arg-type]
        self.source = ""
        self.spoke = False
        """It has sent a request."""
        self.idle_since = time.monotonic()
        """When it last asked for something, was answered, or took a part of what is sent to it; at a table: now."""
        self.at_table = False
        self._guests = guests
        self._pipe: asyncio.Transport | None = None
        self._asking = False
        self._unsent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins, if there is room."""
        assert isinstance(transport, asyncio.Transport)
        self._pipe = transport
        self.source = source_of((transport.get_extra_info("peername") or [None])[0])
        if self._guests.let_in(self):
            super().connection_made(transport)
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Ends."""
        self._guests.let_go(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """Ends at once: what was not sent is thrown away, by the system too."""
        assert self._pipe is not None
        self._guests.let_go(self)
        if self.spoke:
            self._pipe.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._pipe.abort()

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Holds while a request is being answered."""
        self.spoke, self._asking, self.idle_since = True, True, time.monotonic()
        try:
            yield
        finally:
            self.at_table, self._asking, self.idle_since = False, False, time.monotonic()

    def look(self, now: float) -> None:
        """Notes what became of it since the last look."""
        assert self._pipe is not None
        before, self._unsent = self._unsent, self._pipe.get_write_buffer_size()
        if self._unsent < before or (self.at_table and not self._unsent):
            self.idle_since = now

    def is_late(self, now: float) -> bool:
        """Tells whether it has been idle for too long; between two requests that is decided elsewhere."""
        bound = STALLED_SECONDS if self._unsent else math.inf if self.spoke else JOIN_SECONDS
        return now - self.idle_since >= bound

    def may_go(self, now: float) -> bool:
        """Tells whether it may end to make room for another one."""
        return now - self.idle_since >= LAGGING_SECONDS or not (self._unsent or self._asking)

    def log_exception(self, *said: Any, **more: Any) -> None:
        """Says in one line what a client did wrong, nothing of one that has left, and all of our own faults."""
        error = more.get("exc_info")
        if isinstance(error, (HttpProcessingError, web.RequestPayloadError)):
            kind = type(error).__name__
            self._guests.say(f"malformed request ({kind})", f"from {self.source or 'this machine'}")
        elif not isinstance(error, ConnectionError):
            super().log_exception(*said, **more)


class _Guests:
    """The connections of a server."""

    def __init__(self, manager: web.Server) -> None:
        self._manager = manager
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self._most = MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files // 2)
        self._here: dict[_Guest, None] = {}
        self._of: Counter[str] = Counter()
        self._may_go: dict[_Guest, None] = {}
        """At the last look; who has been idle for the longest time comes first."""
        self._said: dict[str, tuple[float, int]] = {}

    def new(self) -> _Guest:
        """Makes a connection that has yet to be let in."""
        return _Guest(self, self._manager)

    def let_in(self, guest: _Guest) -> bool:
        """Lets a connection in if there is room, or somebody may go to make some."""
        source_full = bool(guest.source) and self._of[guest.source] >= MOST_OF_SOURCE
        if source_full or len(self._here) >= self._most:
            now = time.monotonic()
            others = (one for one in self._may_go if not source_full or one.source == guest.source)
            other = next((one for one in others if one.may_go(now)), None)
            if other is None:
                self.say("too many connections", f"one more from {guest.source or 'this machine'} is refused")
                return False
            other.end()
        self._here[guest] = None
        self._of[guest.source] += 1
        return True

    def let_go(self, guest: _Guest) -> None:
        """Forgets a connection, which may be forgotten already."""
        self._may_go.pop(guest, None)
        if guest in self._here:
            del self._here[guest]
            self._of[guest.source] -= 1
            if not self._of[guest.source]:
                del self._of[guest.source]

    async def watch(self) -> None:
        """Ends what is late, and the oldest of more than a few that sent no request yet, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            for guest in self._here:
                guest.look(now)
            guests = sorted(self._here, key=lambda guest: guest.idle_since)
            silent = [guest for guest in guests if not guest.spoke]
            late = [guest for guest in guests if guest.is_late(now)]
            for guest in {*late, *silent[: max(0, len(silent) - MOST_STRANGERS)]}:
                guest.end()
            self._may_go = {guest: None for guest in guests if guest in self._here and guest.may_go(now)}

    def say(self, what: str, more: str) -> None:
        """Says something in the log, and the same thing again only after a while."""
        now = time.monotonic()
        last, unsaid = self._said.get(what, (-math.inf, 0))
        if now - last < LOG_SECONDS:
            self._said[what] = last, unsaid + 1
        else:
            self._said[what] = now, 0
            logging.warning("%s: %s%s", what, more, f", after {unsaid} more" if unsaid else "")


def raise_open_files() -> None:
    """Lets this process have as many open files and sockets as it may, within reason."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
