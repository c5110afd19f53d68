"""
The platform's interface for local AIs: what a long poll brings, and how answers and wishes go into headers.

A poll brings plain text. Its first line has two numbers: how many matches have a request, and how many have ended.
Then come two lines for each request, the match and the request itself, and one line for each end: the match, the own
position, the number of players (0 if the match was broken off), and the score of each.

From the site's page on local AIs and its samples: these lines, and the headers ``X-Match-``, ``X-Game``, ``X-Player-``
and ``X-Initdata``. From programs of others: the name of a started match comes plain or as JSON under ``matchid``, and
a request is that of one turn, as on the page, or an envelope with all before it. Guessed: a response is the bare
JSON value in both games, since the page shows only games with plain lines; and the site sends a waiting request with
every poll, ignores an answer for a match that is not waiting, and loses no news when a client ends a poll.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...shared.json_text import json_text, parse_json

LONGEST_BODY = 1 << 22
"""Bytes of a poll; all requests of a hundred matches are less."""
MOST_MATCHES = 1000
LONGEST_EXCERPT = 60

_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_COUNTS = re.compile(r"(\d{1,6})\s+(\d{1,6})")


class GarbledError(ValueError):
    """Raised for a text that is no poll at all; the message is one sentence."""


class Request(NamedTuple):
    """A request as it came."""

    match: str
    request: Any
    """JSON: of this turn, or an envelope with all requests and responses."""


class Ended(NamedTuple):
    """The end of a match."""

    match: str
    position: int
    scores: tuple[float, ...]
    """By position; empty if the match was broken off."""


class Polled(NamedTuple):
    """What a poll brought."""

    requests: list[Request]
    ended: list[Ended]
    problems: list[str]
    """A sentence for each line that was passed over."""

    @property
    def is_quiet(self) -> bool:
        """Tests for a poll that the server ended because nothing had happened."""
        return not (self.requests or self.ended or self.problems)


def parse_poll(text: str) -> Polled:
    """
    Reads what a poll brought; lines that make no sense are passed over.

    :raises GarbledError: if its first line has not the two numbers.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
    counts = _COUNTS.fullmatch(lines[0].strip())
    if not counts or max(int(counts[1]), int(counts[2])) > MOST_MATCHES:
        raise GarbledError(f"the site's answer begins with {_excerpt(lines[0])}, not with two numbers")
    running, over = int(counts[1]), int(counts[2])
    polled = Polled([], [], [])
    if len(lines) != 1 + 2 * running + over:
        polled.problems.append(
            f"the site names {running} requests and {over} ends, but sends {len(lines) - 1} lines with them"
        )
    for begin in range(1, 1 + 2 * running, 2):
        _take_request(lines[begin : begin + 2], polled)
    for end in lines[1 + 2 * running : 1 + 2 * running + over]:
        _take_end(end, polled)
    return polled


def _take_request(pair: Sequence[str], polled: Polled) -> None:
    if len(pair) < 2:
        return
    match, content = pair[0].strip(), pair[1]
    try:
        if not _ID.fullmatch(match):
            raise ValueError(f"{_excerpt(match)} is no name of a match")
        request = parse_json(content)
        # Where the platform keeps a request as text, it comes with quotes around it.
        polled.requests.append(Request(match, parse_json(request) if isinstance(request, str) else request))
    except ValueError as error:
        polled.problems.append(f"passed over a request of match {_excerpt(match)}: {_excerpt(content)}: {error!s:.120}")


def _take_end(line: str, polled: Polled) -> None:
    fields = line.split()
    try:
        match, position, players, *scores = fields
        paid = tuple(float(score) for score in scores)
        if not _ID.fullmatch(match) or len(paid) < int(players) or not all(map(math.isfinite, paid)):
            raise ValueError
        if int(players) and int(position) not in range(int(players)):
            raise ValueError
        polled.ended.append(Ended(match, int(position), paid[: int(players)]))
    except ValueError:
        polled.problems.append(f"passed over {_excerpt(line)}, which is no end of a match")


def answer_header(match: str, response: Any) -> tuple[str, str]:
    """Gets the header that answers: its name, and the response as JSON on one line of ASCII."""
    return f"X-Match-{match}", json_text(response, ascii_only=True)


def wish_headers(game: str, players: Sequence[str], initdata: str = "") -> dict[str, str]:
    """Gets the headers that start a match; *players* are bot IDs by position, and ``me`` once."""
    headers = {"X-Game": game, **{f"X-Player-{position}": player for position, player in enumerate(players)}}
    return {**headers, "X-Initdata": initdata} if initdata else headers


def match_id(text: str) -> str | None:
    """Reads the answer to a wish: the name of the match, alone or in a JSON object under ``matchid``; None if none."""
    answer: Any = text.strip()
    if answer.startswith(("{", '"')):
        try:
            answer = parse_json(answer)
        except ValueError:
            return None
        if isinstance(answer, dict):
            answer = next((answer[key] for key in ("matchid", "match_id", "id", "_id") if key in answer), None)
    return answer if isinstance(answer, str) and _ID.fullmatch(answer) else None


def _excerpt(text: str) -> str:
    excerpt = ascii(text[:LONGEST_EXCERPT])
    return excerpt + "..." if len(text) > LONGEST_EXCERPT else excerpt
