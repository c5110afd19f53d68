"""Which games are meant."""

from typing import NamedTuple

from ddzbot.game import SEAT_NAMES, SEATS

from .facts import GameFacts

ANY_FAULT = "any"
PEASANT = "peasant"


class Span(NamedTuple):
    """Whole numbers from one to another, both inclusive; None is no end."""

    low: int | None
    high: int | None

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)


def parse_span(text: str) -> Span:
    """
    Reads ``17``, ``10-19``, ``10-`` or ``-19``.

    :raises ValueError: for anything else.
    """
    low, dash, high = text.strip().partition("-")
    ends = [int(end) if end.isascii() and end.isdigit() else None for end in (low, high)]
    if any(end and bound is None for end, bound in zip((low, high), ends, strict=True)) or not (low or high):
        raise ValueError(f"{text!r} is neither a number such as 17 nor a range such as 10-19, 10- or -19")
    if not dash:
        return Span(ends[0], ends[0])
    if None not in ends and ends[0] > ends[1]:  # type: ignore[operator]
        raise ValueError(f"{text!r} is empty: {low} is more than {high}")
    return Span(ends[0], ends[1])


class Wanted(NamedTuple):
    """What the games must be that are asked for; None and nothing accept every game."""

    lost: str | None = None
    """The player that lost with its side: a letter, or part of a name."""
    players: tuple[tuple[str, str], ...] = ()
    """Players and seats: each a seat or ``peasant`` or nothing for any, and a letter or part of a name."""
    fault: tuple[str, ...] = ()
    """Kinds of faults of which one is there, or ``any``."""
    bombs: int = 0
    """At least so many bombs and rockets."""
    sets: Span | None = None
    numbers: tuple[range, ...] = ()
    """The numbers of the games in the list."""

    def accepts(self, facts: GameFacts) -> bool:
        """Tests whether a game is one of them."""
        return (
            (not self.numbers or any(facts.number in some for some in self.numbers))
            and (self.sets is None or facts.set_number in self.sets)
            and all(_sat(facts, seat, player) for seat, player in self.players)
            and (self.lost is None or _lost(facts, self.lost))
            and facts.bombs >= self.bombs
            and (not self.fault or _has_fault(facts, self.fault))
        )


def parse_player(text: str) -> tuple[str, str]:
    """Reads ``SEAT=PLAYER``, or ``PLAYER`` for any seat, which is an empty one then."""
    seat, equals, player = text.partition("=")
    return (seat, player) if equals and seat in (*SEAT_NAMES, PEASANT) else ("", text)


def _sat(facts: GameFacts, seat: str, player: str) -> bool:
    if not seat:
        return any(facts.is_at(player, position) for position in range(SEATS))
    seats = facts.seats_of(player)
    return any(seats) if seat == PEASANT else SEAT_NAMES.index(seat) in seats


def _lost(facts: GameFacts, player: str) -> bool:
    seats = facts.seats_of(player)
    # A player on both sides has not lost.
    return bool(seats) and all(facts.won(seat) is False for seat in seats)


def _has_fault(facts: GameFacts, kinds: tuple[str, ...]) -> bool:
    return any(fault.kind in kinds or ANY_FAULT in kinds for fault in facts.faults)
