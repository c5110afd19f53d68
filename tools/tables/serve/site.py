"""
Serving the application at a socket: to so many connections, and to none that asks for nothing or takes nothing.

So no client can bring the server down. Bounds for each network address, and TLS, are for a server in front.
"""

import asyncio
import contextlib
import logging
import math
import socket
import sys
import time
from collections.abc import AsyncIterator

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

if sys.platform != "win32":
    import resource

MOST_CONNECTIONS = 1024
"""At most half of the open files that the system grants: tables and bots need some too."""
MOST_FILES = 16384
KEEPALIVE_SECONDS = 15.0
"""A connection is kept for the next request so long."""
SILENT_SECONDS = 10.0
"""A connection that has not asked for anything ends after so long."""
STALLED_SECONDS = 30.0
"""A connection that takes nothing of what is sent to it ends after so long."""
LOOK_SECONDS = 0.5
LOG_SECONDS = 60.0
"""Between two lines of the log about malformed requests."""

FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\ntoo many connections\n"
SPOKEN: web.AppKey[set[asyncio.BaseProtocol]] = web.AppKey("spoken")
"""The connections that have sent a request."""


@web.middleware
async def speaking(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Notes that a connection asks for something."""
    request.app[SPOKEN].add(request.protocol)
    return await handler(request)


@contextlib.asynccontextmanager
async def served_at(app: web.Application, bound: socket.socket) -> AsyncIterator[None]:
    """Serves the application at a socket that is bound."""
    # A browser that has left needs no page, and no turn to have one made.
    runner = web.AppRunner(
        app,
        access_log=None,
        handler_cancellation=True,
        keepalive_timeout=KEEPALIVE_SECONDS,
        logger=_logger(),
        shutdown_timeout=1,
    )
    await runner.setup()
    assert runner.server is not None
    connections = _Connections(runner.server, app[SPOKEN])
    watching = asyncio.create_task(connections.watch())
    listening = await asyncio.get_running_loop().create_server(connections.new, sock=bound)
    try:
        yield
    finally:
        listening.close()
        watching.cancel()
        await runner.cleanup()


class _Full(asyncio.Protocol):
    """A connection for which there is no room."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the refusal, and ends."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(FULL)
        transport.close()


class _Connections:
    """The connections of a server, of which *spoken* have sent a request."""

    def __init__(self, server: web.Server, spoken: set[asyncio.BaseProtocol]) -> None:
        self._server, self._spoken = server, spoken
        self._most = min(MOST_CONNECTIONS, _open_files() // 2)
        self._idle: dict[web.RequestHandler, tuple[float, int]] = {}
        """Since when nothing is done with each connection, and how many bytes wait to be sent to it."""

    def new(self) -> asyncio.BaseProtocol:
        """Makes the protocol of a connection that comes in."""
        return _Full() if len(self._server.connections) >= self._most else self._server()

    async def watch(self) -> None:
        """Ends idle connections, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._end_idle(time.monotonic())

    def _end_idle(self, now: float) -> None:
        here = self._server.connections
        self._spoken.intersection_update(here)
        self._idle = {connection: self._looked_at(connection, now) for connection in here}
        for connection, (since, unsent) in self._idle.items():
            bound = STALLED_SECONDS if unsent else math.inf if connection in self._spoken else SILENT_SECONDS
            if now - since >= bound and connection.transport is not None:
                connection.transport.abort()

    def _looked_at(self, connection: web.RequestHandler, now: float) -> tuple[float, int]:
        since, before = self._idle.get(connection, (now, 0))
        unsent = 0 if connection.transport is None else connection.transport.get_write_buffer_size()
        if unsent < before or (connection in self._spoken and not unsent):
            since = now
        return since, unsent


def _logger() -> logging.Logger:
    """Makes the log of a server."""
    logger = logging.Logger("ddzbot.serve")
    logger.parent = logging.getLogger()
    logger.addFilter(_Malformed().kept)
    return logger


class _Malformed:
    """The log of malformed requests: one line a kind and minute, as a stranger may send any number."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def kept(self, record: logging.LogRecord) -> bool:
        """Makes the lines shorter; True for those to keep. All else is kept as it is."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, (HttpProcessingError, web.RequestPayloadError)):
            return not isinstance(error, ConnectionError)
        kind, now = type(error).__name__, time.monotonic()
        record.msg, record.args, record.exc_info = "malformed request (%s)", (kind,), None
        if now - self._logged.get(kind, -math.inf) < LOG_SECONDS:
            return False
        self._logged[kind] = now
        return True


def _open_files() -> int:
    """Gets how many files and sockets this process may have open; a system without such a limit has plenty."""
    if sys.platform == "win32":
        return MOST_FILES
    else:
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def raise_open_files() -> None:
    """Lets this process have as many open files and sockets as it may, within reason."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < limit:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
