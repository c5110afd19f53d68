"""The matches of a client: those that run, those that are over, their sums and their records."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone

from ddzbot.game import SEAT_NAMES
from ddzbot.view import View

from ...records.record import RecordError
from .games import Games, last_turn, record_of_live
from .match import LiveMatch, Taken
from .store import Store
from .tally import Tally
from .wire import Ended, Request

REMEMBERED = 10_000
"""Names of matches that are over, by which an end that comes twice is known."""


class MatchRegistry:
    """
    Takes the site's news of matches, and keeps them: on disk while they run, and as records when they are over.

    *player* and *tags* go into the records; *forget* is called with the name of each match that is over.
    """

    def __init__(
        self,
        store: Store,
        games: Games | None,
        say: Callable[[str], None],
        player: str,
        tags: Mapping[str, str],
        forget: Callable[[str], None],
    ) -> None:
        self.matches: dict[str, LiveMatch] = {}
        """Those that run, by name."""
        self.tally = Tally()
        self._store, self._games, self._say = store, games, say
        self._player, self._tags, self._forget = player, dict(tags), forget
        self._over: deque[str] = deque(maxlen=REMEMBERED)
        self._heard: dict[str, float] = {}

    def load(self) -> list[LiveMatch]:
        """Resumes the matches that were running when the last client ended."""
        for match in self._store.running():
            self.matches[match.id] = match
            self._say(f"match {match.id} resumes at request {match.turn}")
        return list(self.matches.values())

    def save(self, match: LiveMatch) -> None:
        """Keeps a match as it is."""
        self._store.save(match)

    def begin(self, name: str, players: Sequence[str]) -> None:
        """Takes a match that was started from here."""
        if name not in self._over:
            match = self.matches.setdefault(name, LiveMatch(name, _now()))
            match.players = list(players)
            self._store.save(match)
            self._say(f"match {name} was started")

    def take_request(self, request: Request, adopted: Callable[[], list[str] | None]) -> LiveMatch | None:
        """
        Takes a request, and gets the match if it is to be answered.

        *adopted* gets the players of a match that was not announced.
        """
        if request.match in self._over:
            return None
        self._heard[request.match] = time.monotonic()
        match = self.matches.get(request.match)
        if match is None:
            match = self.matches[request.match] = LiveMatch(request.match, _now(), players=adopted() or [])
            self._say(f"match {match.id} begins")
        if match.take(request.request) is not Taken.NEW:
            return None
        self._store.save(match)
        return match

    def take_end(self, ended: Ended, adopted: Callable[[], list[str] | None]) -> bool:
        """Takes the end of a match; returns if that was news. *adopted* is as in :meth:`take_request`."""
        if ended.match in self._over:
            return False
        match = self._drop(ended.match)
        if match is None and (players := adopted()) is not None:
            match = LiveMatch(ended.match, _now(), players=players)
        if match is None:
            self._say(f"match {ended.match} has ended, of which nothing was known here: {_scores(ended)}")
            return False
        role = role_of(match)
        won = self.tally.add(role, ended.position, ended.scores)
        outcome = "was broken off" if won is None else "is won" if won else "is lost"
        self._say(f"match {match.id} {outcome}{f' as {role}' if role else ''}: {_scores(ended)}")
        self._keep(match, ended)
        return True

    def give_up(self, now: float, patience: float) -> None:
        """Sets matches aside of which nothing was heard for *patience* seconds; *now* is monotonic time."""
        for match in list(self.matches.values()):
            if now - self._heard.setdefault(match.id, now) > patience:
                self._drop(match.id)
                self._store.set_aside(match.id, f"nothing was heard of it for {patience:g} s")

    def _drop(self, name: str) -> LiveMatch | None:
        """Forgets a match but for its name."""
        self._over.append(name)
        self._heard.pop(name, None)
        self._forget(name)
        return self.matches.pop(name, None)

    def _keep(self, match: LiveMatch, ended: Ended) -> None:
        """Writes the record, and only then forgets the match."""
        try:
            if self._games is not None and match.requests:
                tags = {"Position": str(ended.position), **self._tags}
                self._games.add(match.id, record_of_live(match, ended, self._player, tags))
        except Exception as error:  # whatever the site sent, the other matches continue
            self._store.save(match)
            self._store.set_aside(match.id, f"its record cannot be written: {error}")
        else:
            self._store.remove(match.id)


def role_of(match: LiveMatch) -> str:
    """Gets the name of our seat; empty while that is not known."""
    try:
        view = last_turn(match).turn.view
    except RecordError:
        return ""
    return SEAT_NAMES[view.seat] if isinstance(view, View) else ""


def _scores(ended: Ended) -> str:
    return " ".join(f"{score:g}" for score in ended.scores) or "no scores"


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
