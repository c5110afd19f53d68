"""
Serving the application at a socket, with few connections that ask for nothing, and not for long.

A connection that has joined a table is known by then; this is about those that send no request, or half of one.
"""

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator

from aiohttp import web
from aiohttp.typedefs import Handler

from .connection import JOIN_SECONDS, MOST_STRANGERS

__all__ = ["SPOKEN", "raise_open_files", "served_at", "speaking"]

SPOKEN: web.AppKey[set[int]] = web.AppKey("spoken")
"""The connections that have sent a request."""

KEEPALIVE_SECONDS = 15.0
"""A connection is kept for the next request so long."""
LOOK_SECONDS = 0.5
MOST_FILES = 16384


@web.middleware
async def speaking(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Notes the connection of each request."""
    request.app[SPOKEN].add(id(request.protocol))
    return await handler(request)


@contextlib.asynccontextmanager
async def served_at(app: web.Application, bound: socket.socket) -> AsyncIterator[None]:
    """Serves the application at a socket that is bound."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1, keepalive_timeout=KEEPALIVE_SECONDS)
    await runner.setup()
    assert runner.server is not None
    watching = asyncio.create_task(_close_silent(runner.server, app[SPOKEN]))
    try:
        await web.SockSite(runner, bound).start()
        yield
    finally:
        watching.cancel()
        await runner.cleanup()


async def _close_silent(server: web.Server, spoken: set[int]) -> None:
    """Closes what sends no request in time, and the oldest of more than a few such connections, again and again."""
    loop = asyncio.get_running_loop()
    since: dict[web.RequestHandler, float] = {}
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        now, here = loop.time(), server.connections
        spoken &= {id(one) for one in here}
        since = {one: since.get(one, now) for one in here if id(one) not in spoken}
        late = [one for one in since if now - since[one] >= JOIN_SECONDS]
        too_many = max(0, len(since) - MOST_STRANGERS)
        for one in {*late, *sorted(since, key=since.__getitem__)[:too_many]}:
            one.force_close()


def raise_open_files() -> None:
    """Lets this process have as many open files and sockets as it may, within reason."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
