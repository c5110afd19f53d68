"""
Access to a table and its chairs: secret tokens, and bounds on how many connections look on.

Nothing here waits, so that no two connections can take the last place.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct

from ...shared.names import PERSON
from .sentences import RefusedError

MOST_WATCHERS = 60
"""Connections that watch one table."""
MOST_OF_SEAT = 4
"""Connections of one seat; with a further one the oldest ends, so that watchers and old pages keep no player out."""


class Viewer(Protocol):
    """A connection, as far as a room knows it."""

    chair: int | None
    """The chair that it plays for, None for a watcher."""

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message some time soon; never waits."""

    def close(self) -> None:
        """Ends the connection after what was sent."""


class Chair(Struct):
    """A place in the room. Its player keeps it from game to game, and sits at another position in each."""

    who: str
    """:data:`tools.tables.table.table.PERSON`, or the name of a bot."""
    token: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    """The hash of what the person shows to sit here; while it is empty, nothing fits."""
    taken: bool = False
    """A person has sat down; a free chair goes to the first one that comes."""
    points: float = 0.0
    """From all finished games."""

    @property
    def is_person(self) -> bool:
        """Tests whether it is a person's chair, and not a bot's."""
        return self.who == PERSON


def hash_of(token: str) -> str:
    """Gets what is kept of a token; any text has one."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Seats:
    """The chairs of a table; *changed* is called when one has another token or person."""

    def __init__(self, chairs: Sequence[Chair], changed: Callable[[], None]) -> None:
        self.chairs = list(chairs)
        self._changed = changed

    @property
    def free(self) -> list[int]:
        """The chairs of persons who have not come yet."""
        return [index for index, chair in enumerate(self.chairs) if chair.is_person and not chair.taken]

    def invite(self) -> dict[int, str]:
        """Makes a new token for each free chair; only the caller learns them."""
        return {index: self._give(index) for index in self.free}

    def sit(self, token: str) -> tuple[int, str]:
        """
        Takes the chair of *token*, and gets it with the token that it has from now on.

        An invitation ends here: its link shows no cards to others any more. A person may come back with the token
        that came then.

        :raises RefusedError: if it is the token of no chair.
        """
        token_hash = hash_of(token)
        for index, chair in enumerate(self.chairs):
            if chair.is_person and secrets.compare_digest(chair.token, token_hash):
                return index, token if chair.taken else self._take(index)
        raise RefusedError(
            "this link belongs to no seat of the table, or its seat has been taken",
            "这个链接不属于这张牌桌的任何座位，或者已有人用它入座",
        )

    def sit_anywhere(self) -> tuple[int, str] | None:
        """Takes the first free chair, as :meth:`sit` does with its invitation; None if there is none."""
        for index in self.free:
            return index, self._take(index)
        return None

    def _take(self, number: int) -> str:
        self.chairs[number].taken = True
        return self._give(number)

    def _give(self, number: int) -> str:
        """Gives a chair a new token; only its hash stays here."""
        token = secrets.token_urlsafe(18)
        self.chairs[number].token = hash_of(token)
        self._changed()
        return token


class Audience:
    """All connections of a table that have joined."""

    def __init__(self) -> None:
        self._viewers: dict[Viewer, None] = {}

    def __iter__(self) -> Iterator[Viewer]:
        return iter(list(self._viewers))

    def __len__(self) -> int:
        return len(self._viewers)

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer in self._viewers

    @property
    def chairs(self) -> set[int | None]:
        """The chairs with viewers."""
        return {viewer.chair for viewer in self._viewers}

    def at(self, chair: int) -> int:
        """Counts the connections of a chair."""
        return len(self._of(chair))

    def check_watchers(self) -> None:
        """
        Checks that there is room for one more watcher.

        :raises RefusedError: if there is none.
        """
        if len(self._of(None)) >= MOST_WATCHERS:
            raise RefusedError(
                f"the table is full: {MOST_WATCHERS} connections watch it already",
                f"旁观席已满：最多 {MOST_WATCHERS} 个连接",
            )

    def add(self, viewer: Viewer) -> None:
        """
        Lets a viewer in; the oldest connection of a seat makes room for a new one.

        :raises RefusedError: if too many watch.
        """
        if viewer.chair is None:
            self.check_watchers()
        else:
            others = self._of(viewer.chair)
            for oldest in others[: max(0, len(others) + 1 - MOST_OF_SEAT)]:
                self._push_out(oldest)
        self._viewers[viewer] = None

    def discard(self, viewer: Viewer) -> None:
        """Takes a viewer out, if it is not out already."""
        self._viewers.pop(viewer, None)

    def _of(self, chair: int | None) -> list[Viewer]:
        return [viewer for viewer in self._viewers if viewer.chair == chair]

    def _push_out(self, viewer: Viewer) -> None:
        self.discard(viewer)
        error = RefusedError(
            f"this seat is open in more than {MOST_OF_SEAT} places: the oldest one has ended",
            f"这个座位同时打开了 {MOST_OF_SEAT} 个以上的页面：最早的一个已断开",
        )
        viewer.send(error.message(fatal=True))
        viewer.close()
