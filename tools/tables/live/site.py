"""
The platform over HTTP: one GET at a time that waits for news, and short ones that start matches.

Nothing of the HTTP library gets out of here: its exceptions and objects may name the address, and the address has the
secret inside. Every problem is a sentence of ours, and every text of the server has the secret taken out.
"""

import asyncio
import logging
import re
from collections.abc import Mapping
from types import TracebackType
from typing import NamedTuple
from urllib.parse import urlsplit

import aiohttp

from ddzbot import __version__

from ...shared.plain import plain
from .account import Account
from .wire import LONGEST_BODY, GarbledError, Polled, match_id, parse_poll

CONNECT_SECONDS = 15.0
START_SECONDS = 60.0
LONGEST_TEXT = 160
LONGEST_WAIT = 3600.0
"""A site that asks for more patience gets so much."""

# The library logs bytes of the site, and so the secret if the site sends it back.
for _name in ("aiohttp.client", "aiohttp.internal"):
    logging.getLogger(_name).disabled = True

_SECONDS = re.compile(r"(\d{1,6})\s*(?:s\b|sec|seconds|秒)", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")


class TroubleError(Exception):
    """Something that may go away: wait and ask again. The message is one sentence."""


class QuietError(TroubleError):
    """Nothing was heard for as long as a poll may last."""


class WaitError(TroubleError):
    """The site refuses for now."""

    def __init__(self, sentence: str, seconds: float | None = None, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.seconds = seconds
        """How long to wait, if the site names a time."""
        self.lasting = lasting
        """What was asked makes no sense to the site, and hardly ever will."""


class RefusedError(Exception):
    """The site does not let this account in, and never has."""


class _Reply(NamedTuple):
    status: int
    text: str
    leads_to: str
    """The site that a redirect names; empty if it names none."""
    retry_after: str


class Site:
    """The interface of one account; an asynchronous context manager."""

    def __init__(self, account: Account, poll_seconds: float) -> None:
        self.account = account
        self.reached = False
        """The site has let the account in at least once: a later refusal may pass."""
        self._poll_seconds = poll_seconds
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Site":
        # A connection for each GET: one that is used again may have been dropped meanwhile.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(force_close=True),
            middlewares=(_once,),
            headers={"User-Agent": f"ddzbot/{__version__}", "Accept": "text/plain, */*"},
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def poll(self, answers: Mapping[str, str]) -> Polled:
        """
        Hands over *answers* (headers), and waits for news.

        :raises QuietError: if the server neither sent news nor ended the poll.
        :raises TroubleError: if the connection or the server failed, or what came is no poll; it is unknown if the
            answers counted.
        :raises RefusedError: if the account is none.
        """
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=self._poll_seconds)
        reply = await self._get("localai", answers, timeout)
        if reply.status != 200:
            raise self._problem(reply)
        try:
            polled = parse_poll(reply.text)
        except GarbledError as error:
            raise TroubleError(str(error)) from None
        self.reached = True
        return polled

    async def start(self, wish: Mapping[str, str]) -> str:
        """
        Starts a match and gets its name.

        :raises WaitError: if the site does not start one now.
        :raises TroubleError: if the connection or the server failed; the match may have been started.
        :raises RefusedError: if the account is none.
        """
        reply = await self._get("runmatch", wish, aiohttp.ClientTimeout(total=START_SECONDS))
        match = match_id(reply.text) if reply.status == 200 else None
        if match is not None:
            self.reached = True
            return match
        message = _line(reply.text)
        if reply.status == 200:
            raise WaitError(f"the site started no match: {message or 'it gives no reason'}", _seconds_in(reply.text))
        problem = self._problem(reply)
        if isinstance(problem, TroubleError) and 400 <= reply.status < 500:
            raise WaitError(
                f"the site starts no match (HTTP {reply.status}): {message or 'it gives no reason'}",
                _seconds_in(reply.retry_after + "s") or _seconds_in(reply.text),
                lasting=reply.status == 400,
            )
        raise problem

    async def _get(self, what: str, headers: Mapping[str, str], timeout: aiohttp.ClientTimeout) -> _Reply:
        assert self._session is not None
        try:
            async with self._session.get(
                self.account.address(what), headers=dict(headers), timeout=timeout, allow_redirects=False
            ) as reply:
                # More than the bound is cut off, and then no poll any more.
                body = b""
                async for part in reply.content.iter_any():
                    body += part
                    if len(body) > LONGEST_BODY:
                        raise TroubleError(f"{self.account.host} sends more than {LONGEST_BODY:,} bytes")
                parts = (
                    body.decode("utf-8", "replace"),
                    _site_of(reply.headers.get("Location", "")),
                    reply.headers.get("Retry-After", ""),
                )
                return _Reply(reply.status, *map(self.account.secret.out_of, parts))
        except (TroubleError, asyncio.CancelledError):
            raise
        except aiohttp.ConnectionTimeoutError:
            raise TroubleError(f"{self.account.host} does not take the connection in time") from None
        except asyncio.TimeoutError:
            raise QuietError(f"{self.account.host} was silent") from None
        except aiohttp.ClientConnectorError as error:
            reason = error.os_error.strerror or type(error.os_error).__name__
            raise TroubleError(f"{self.account.host} cannot be reached: {reason}") from None
        except aiohttp.ClientPayloadError:
            raise TroubleError(f"{self.account.host} dropped the connection") from None
        except Exception as error:  # whatever it is, its text may name the address
            raise TroubleError(f"{self.account.host}: the request failed ({type(error).__name__})") from None

    def _problem(self, reply: _Reply) -> Exception:
        host, message = self.account.host, _line(reply.text)
        refusal = self._refusal(reply, message)
        if refusal:
            # After the account was let in it is a proxy on the way, or a site that is being mended.
            return TroubleError(refusal) if self.reached else RefusedError(refusal)
        if reply.status in (502, 503, 504):
            return WaitError(
                f"{host} is down or in maintenance (HTTP {reply.status})", _seconds_in(f"{reply.retry_after}s")
            )
        return TroubleError(f"{host} answers HTTP {reply.status}: {message or 'nothing'}")

    def _refusal(self, reply: _Reply, message: str) -> str:
        """Gets the reason why the site will not let the account in; empty if it does not refuse that."""
        host, user = self.account.host, self.account.user
        if 300 <= reply.status < 400:
            # Not followed: it might lead to a place that should not learn the secret.
            sentence = f"{host} sends on to {_line(reply.leads_to) or 'another address'} (HTTP {reply.status})"
            return sentence if self.reached else f"{sentence}: name that with --site if you trust it"
        if reply.status != 401:
            return ""
        if "level" in reply.text.lower():
            return f"{host}: the level of user {user} is too low for a local AI (HTTP 401)"
        if "secret" in reply.text.lower():
            return f"{host}: there is no user {user}, or the secret is another one (HTTP 401)"
        return f"{host} does not let user {user} in (HTTP 401): {message or 'it gives no reason'}"


async def _once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Has a GET fail when its connection is dropped: by itself, the library sends it and its answers a second time."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
        raise TroubleError(f"{request.url.authority} dropped the connection") from None


def _site_of(location: str) -> str:
    """Gets the site of an address that a stranger wrote; empty if there is none in it."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _seconds_in(text: str) -> float | None:
    wait = _SECONDS.search(text)
    return min(float(wait[1]), LONGEST_WAIT) if wait else None


def _line(text: str) -> str:
    """Gets the text of a server as one short line for people."""
    sentence = " ".join(_TAG.sub(" ", text).split())
    excerpt = plain(sentence[:LONGEST_TEXT])
    return excerpt + "..." if len(sentence) > LONGEST_TEXT else excerpt
