"""
One match as this side knows it: every request and response so far, and how far the last answer has come.

The platform sends only the newest request, without a number. So this module decides what a request is that looks like
the last one: the same again, because an answer was lost, or the next one. Two passes after a lead look alike each time;
every other request names cards, and no card is played twice.
"""

import enum
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from msgspec import Struct, field

from ddzbot.protocol.botzone import begins_match, rebuild

from ...shared.storage.form import Form

TWO_PASSES: dict[str, Any] = {"history": [[], []]}


ENOUGH = 2
"""A request that comes so often after its answer was sent is one that the site wants answered still."""


class Delivery(str, enum.Enum):
    """How far the answer to the last request has come."""

    THINKING = "thinking"
    """There is none yet."""
    READY = "ready"
    """It goes with the next poll."""
    SENT = "sent"
    """It went with a poll that came back whole: the site has it."""
    UNSURE = "unsure"
    """It went with a poll that failed. The site is asked without it whether it still wants one."""


class History(NamedTuple):
    """What the judge's protocol makes a view of: one request more than responses, where it is our turn."""

    requests: list[Any]
    responses: list[Any]


class Taken(enum.Enum):
    """What a request turned out to be."""

    NEW = "new"
    AGAIN = "again"
    """The last one once more."""
    STALE = "stale"
    """One that was answered long ago."""


class LiveMatch(Struct):
    """A running match, as it is kept on disk too."""

    id: str
    begun: str
    """When this client first heard of it, ISO 8601."""
    requests: list[Any] = field(default_factory=list)
    responses: list[Any] = field(default_factory=list)
    """As many as requests, or one less; None where the site continued without ours."""
    notes: list[dict[str, Any]] = field(default_factory=list)
    """For each response its notes: ``seconds``, ``debug``."""
    players: list[str] = field(default_factory=list)
    """The invited players, by position; empty if the match was not started from here."""
    delivery: Delivery = Delivery.THINKING
    sendings: int = 0
    """How often the last answer was sent."""
    repeated: int = 0
    """How often its request came again since then."""
    doubtful: list[int] = field(default_factory=list)
    """Places of requests that may have been the one before once more."""

    @property
    def turn(self) -> int:
        """The number of the request that is to be answered, or was last; from 1."""
        return len(self.requests)

    @property
    def is_answered(self) -> bool:
        """Tests whether the last request has a response."""
        return len(self.responses) == len(self.requests)

    def take(self, request: Any) -> Taken:
        """Takes a request of the site, and gets its kind. A new one is to be answered."""
        if isinstance(request, dict) and isinstance(request.get("requests"), list) and request["requests"]:
            return self._take_envelope(request["requests"], request.get("responses"))
        if self.requests and request == self.requests[-1] and not self._may_be_next(request):
            self._again()
            return Taken.AGAIN
        if request != TWO_PASSES and request in self.requests:
            return Taken.STALE
        if begins_match(request, self.requests):
            self.requests, self.responses, self.notes, self.doubtful = [], [], [], []
        elif not self.is_answered:
            self._answered(None, {})
        elif request == TWO_PASSES == self.requests[-1] and self.delivery is Delivery.UNSURE:
            self.doubtful.append(self.turn)
        self._new([*self.requests, request], self.responses)
        return Taken.NEW

    def _may_be_next(self, request: Any) -> bool:
        """
        Tests whether a request like the last one may be the next: that is so for two passes after a lead of ours.

        If our answer was lost, it is the last one after all. A move that is legal after our lead is legal in its place
        as well, so that playing on is safe; :func:`consistent` puts the history right when that shows.
        """
        sent = self.is_answered and self.delivery in (Delivery.SENT, Delivery.UNSURE)
        return request == TWO_PASSES and sent and bool(self.responses[-1])

    def _again(self) -> None:
        if self.delivery in (Delivery.SENT, Delivery.UNSURE):
            # One may have crossed with our answer. The next poll goes without, and shows if the site wants it.
            self.repeated += 1
            self.delivery = Delivery.READY if self.repeated >= ENOUGH else Delivery.UNSURE

    def _take_envelope(self, requests: list[Any], responses: Any) -> Taken:
        """Takes all requests and responses at once, which are the site's own and so the truth."""
        counted = list(responses) if isinstance(responses, list) else []
        if len(counted) != len(requests) - 1:
            return Taken.STALE
        if len(requests) < self.turn:
            return Taken.STALE
        if len(requests) == self.turn and requests[-1] == self.requests[-1]:
            self.responses[: len(counted)] = counted
            self._again()
            return Taken.AGAIN
        self._new(list(requests), counted)
        self.doubtful = []
        return Taken.NEW

    def _new(self, requests: list[Any], responses: list[Any]) -> None:
        self.requests, self.responses = requests, list(responses)
        self.notes = (self.notes + [{} for _ in responses])[: len(responses)]
        self.delivery, self.sendings, self.repeated = Delivery.THINKING, 0, 0

    def answer(self, response: Any, note: Mapping[str, Any]) -> None:
        """Takes our response to the last request; it is ready to be sent."""
        self._answered(response, note)
        self.delivery = Delivery.READY

    def _answered(self, response: Any, note: Mapping[str, Any]) -> None:
        self.responses.append(response)
        self.notes.append(dict(note))

    def went(self, arrived: bool) -> None:
        """Notes that the answer went with a poll, which *arrived* or failed."""
        self.sendings += 1
        self.repeated = 0
        self.delivery = Delivery.SENT if arrived else Delivery.UNSURE

    def silence(self) -> None:
        """Notes that nothing was heard for a while: a site that repeats no request may still wait for the answer."""
        if self.delivery is Delivery.UNSURE:
            self.delivery = Delivery.READY

    def histories(self) -> list[History]:
        """Lists what may have happened, the likeliest first: each doubtful request may have been the one before."""
        histories = []
        for count in range(len(self.doubtful) + 1):
            for chosen in combinations(reversed(self.doubtful), count):
                # The response that the first of two such requests got was lost.
                lost = {index - 1 for index in chosen}
                requests = [request for index, request in enumerate(self.requests) if index not in chosen]
                responses = [response for index, response in enumerate(self.responses) if index not in lost]
                histories.append(History(requests, responses))
        return histories

    def unsent(self) -> None:
        """
        Begins anew with a match that was kept: what was ready or sent is unsure, as this process sent none of it.

        :raises ValueError: if requests and responses do not fit each other.
        """
        if len(self.responses) not in (len(self.requests), len(self.requests) - 1) and self.requests:
            raise ValueError("requests and responses do not fit each other")
        if self.delivery is not Delivery.THINKING:
            self.delivery = Delivery.UNSURE


FORM = Form(LiveMatch, "ddzbot-live-match", 1)
"""How a match is kept on disk."""


def consistent(histories: Sequence[History]) -> History:
    """Gets the first history that makes sense; the first of all if none does."""
    for history in histories:
        try:
            rebuild(*history)
        except ValueError:
            continue
        return history
    return histories[0]
