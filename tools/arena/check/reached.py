"""What a bot came to in games, and what not."""

from collections import Counter
from collections.abc import Collection, Iterable

from ddzbot.cards import size
from ddzbot.game import SEATS, Game
from ddzbot.rules import ROCKET, SOLO, Move

from ...shared.language import kind_word, seat_word
from ...shared.message import Message, joined

_KINDS = frozenset(range(SOLO, ROCKET + 1))
"""Rows of bombs are too rare to be missed."""
FEW = 4
"""With so many cards left a hand ends soon."""


class Reached:
    """The kinds of moves that a bot led, was asked to beat and played over others, and its seats with few cards."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self._led: set[int] = set()
        self._played_over: set[int] = set()
        self._late: set[int] = set()
        self._won: set[int] = set()

    def note(self, before: Game, move: Move) -> None:
        """Notes a move of the bot, and the game before it."""
        table = before.to_beat
        if table is None:
            self._led.add(move.kind)
        else:
            self.asked[table.kind] += 1
            self._played_over.add(move.kind)
            if size(before.hands[before.seat]) <= FEW and not move.is_pass:
                self._late.add(before.seat)
        if before.hands[before.seat] == move.cards:
            self._won.add(before.seat)

    @property
    def count(self) -> int:
        """How much was reached."""
        kinds = sum(len(kinds & _KINDS) for kinds in (self.asked.keys(), self._led, self._played_over))
        return kinds + len(self._late) + len(self._won)

    def missing(self) -> list[Message]:
        """Lists what was not reached, in parts of a sentence."""
        found = []
        for did, kinds in (
            (Message("led"), self._led),
            (Message("had to beat"), {*self.asked}),
            (Message("played over others"), self._played_over),
        ):
            seen, unseen = kinds & _KINDS, _KINDS - kinds
            if unseen and len(unseen) <= len(seen):
                found.append(Message("{did} all but {kinds}", did=did, kinds=_names(unseen)))
            elif unseen:
                found.append(Message("{did} only {kinds}", did=did, kinds=_names(seen) or Message("the pass")))
        if seats := _seats_but(self._late):
            words = "never followed others with its last {count} cards as {seats}"
            found.append(Message(words, count=FEW, seats=seats))
        if seats := _seats_but(self._won):
            found.append(Message("never won as {seats}", seats=seats))
        return found


def _seats_but(seats: Collection[int]) -> str:
    return joined(seat_word(seat) for seat in range(SEATS) if seat not in seats)


def _names(kinds: Iterable[int]) -> str:
    return joined(map(kind_word, sorted(kinds)))
