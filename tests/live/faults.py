"""
What goes wrong between a client and the mock server, by a seeded plan, and what the server saw of it.

A fault is drawn for every GET. In half of them the answers of the GET have counted, in the others they have not, and
the client cannot know.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing that goes wrong."""

    kind: str
    counted: bool
    """The answers of the GET are taken before it goes wrong; for a start, the match begins."""
    hides: bool = True
    """The client cannot know if they were."""


KINDS = (
    Fault("dropped before it was read", False),
    Fault("dropped after it was read", True),
    Fault("cut off in the middle", True),
    Fault("HTTP 502 before it was read", False),
    Fault("HTTP 502 after it was read", True),
    Fault("HTTP 503 before it was read", False),
    Fault("garbage", True),
    Fault("empty though there is news", True),
    Fault("slow", True, False),
    Fault("in small pieces", True, False),
    Fault("a request twice", True, False),
    Fault("bad lines", True, False),
)
START_KINDS = (
    Fault("start dropped before it began", False),
    Fault("start dropped after it began", True),
    Fault("start refused for now", False),
)
MATCH_KINDS = (Fault("match broken off", False),)


class FaultDraw:
    """Draws faults; the same seed and the same GETs in the same order have the same faults."""

    def __init__(self, seed: int, share: float = 0.0) -> None:
        """Takes the *share* of GETs with a fault, from 0 to 1; of starts too, and a fifth of it of matches."""
        self._random = random.Random(f"faults/{seed}")
        self._share = share

    def for_poll(self) -> Fault | None:
        """Draws the fault of a poll."""
        return self._drawn(KINDS, self._share)

    def for_start(self) -> Fault | None:
        """Draws the fault of a start."""
        return self._drawn(START_KINDS, self._share)

    def for_match(self) -> int | None:
        """Draws the number of the request at which a match is broken off, if it is."""
        return self._random.randint(1, 6) if self._drawn(MATCH_KINDS, self._share / 5) else None

    def seconds(self, most: float) -> float:
        """Draws how long something takes."""
        return self._random.uniform(0.0, most)

    def _drawn(self, kinds: tuple[Fault, ...], share: float) -> Fault | None:
        # Both are drawn each time, so that another share changes nothing but which faults happen.
        drawn, kind = self._random.random(), self._random.choice(kinds)
        return kind if drawn < share else None


@dataclass
class ServerTally:
    """What the server saw; strict where a real one would not even notice."""

    started: int = 0
    finished: int = 0
    broken_off: int = 0
    lost: list[str] = field(default_factory=list)
    """A sentence for each match in which the client was at fault: it answered illegally, or not in time."""
    doubled: list[str] = field(default_factory=list)
    """A sentence for each answer to a request that had another one, or that was given before its request was seen."""
    resent: int = 0
    """Answers that came once more, exactly as before, and changed nothing."""
    answers: int = 0
    polls: int = 0
    faults: Counter[str] = field(default_factory=Counter)
