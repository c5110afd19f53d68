"""
What may talk to the server: pages that it served itself, under an address that it answers to.

A page from elsewhere can make a browser send requests here. It cannot choose the ``Origin`` that goes with them, and
so whatever may change something needs one that names this server. By rebinding a name of its own to this address it
could make the two agree; that is why ``Host`` must be an address in numbers, ``localhost`` or a name that was given
on the command line.
"""

import ipaddress
import re
from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ...shared.json_text import json_text

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every answer: load nothing from elsewhere, allow no frame around the page, keep nothing."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?", re.IGNORECASE)


def is_known_host(host: str, names: Collection[str]) -> bool:
    """Checks a ``Host`` header: an address in numbers, ``localhost``, or one of *names*, with or without a port."""
    parts = _HOST.fullmatch(host)
    if not parts:
        return False
    bare = parts[1].strip("[]").lower()
    if bare == "localhost" or bare in names:
        return True
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return False
    return True


def guard(names: Collection[str]) -> Middleware:
    """Makes the middleware that lets only the server's own pages in; *names* are lower-case host names."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        if not is_known_host(host, names):
            return _refused(
                f"host {host!r:.80} is not known here: use the numeric address, or start the server with --name"
            )
        changes = request.method not in ("GET", "HEAD") or "upgrade" in request.headers
        origin = request.headers.get("Origin", "")
        if changes and origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
            return _refused(f"origin {origin!r:.80} is not this server")
        try:
            response = await handler(request)
        except web.HTTPException as answer:
            answer.headers.update(HEADERS)
            raise
        if not response.prepared:
            for header, value in HEADERS.items():
                response.headers.setdefault(header, value)
        return response

    return guarded


def _refused(sentence: str) -> web.Response:
    return web.json_response({"error": sentence}, status=403, headers=HEADERS, dumps=json_text)
