"""What a bot came to, and what not."""

from collections import Counter
from collections.abc import Collection, Iterable

from ddzbot.cards import size
from ddzbot.game import SEATS, Game
from ddzbot.rules import ROCKET, SOLO

from ...judge.game import Turn
from ...shared.language import kind_word, seat_word
from ...shared.message import Message, joined

_KINDS = frozenset(range(SOLO, ROCKET + 1))
"""Rows of bombs are too rare to be missed."""
FEW = 4
"""With so many cards left a hand ends soon."""


class Reached:
    """The kinds of moves that a bot led, was asked to beat and played over others, its bids, and what it did late."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self._led: set[int] = set()
        self._played_over: set[int] = set()
        self._late: set[int] = set()
        self._won: set[int] = set()
        self._bids: set[int] = set()

    def note(self, before: Game | None, turn: Turn) -> None:
        """Notes a turn of the bot, and the game before it; None is an auction."""
        if before is None:
            self._bids.add(turn.answer.response if turn.answer else 0)
            return
        assert turn.game
        move, table, hand = turn.game.plays[-1], before.to_beat, before.hands[before.seat]
        if table is None:
            self._led.add(move.kind)
        else:
            self.asked[table.kind] += 1
            self._played_over.add(move.kind)
            if size(hand) <= FEW and not move.is_pass:
                self._late.add(before.seat)
        if hand == move.cards:
            self._won.add(before.seat)

    @property
    def count(self) -> int:
        """How much was reached."""
        kinds = sum(len(kinds & _KINDS) for kinds in (self.asked.keys(), self._led, self._played_over))
        return kinds + len(self._late) + len(self._won)

    def missing(self) -> list[Message]:
        """Names what was not reached."""
        gaps = []
        for action, kinds in (
            (Message("leads"), self._led),
            (Message("moves to beat"), {*self.asked}),
            (Message("moves over others"), self._played_over),
        ):
            seen, unseen = kinds & _KINDS, _KINDS - kinds
            if not seen:
                gaps.append(action)
            elif len(unseen) > len(seen):
                gaps.append(Message("{what} of all but {kinds}", what=action, kinds=_names(seen)))
            elif unseen:
                gaps.append(Message("{what} of {kinds}", what=action, kinds=_names(unseen)))
        if seats := _seats_but(self._late):
            gaps.append(Message("moves over others with its last {count} cards as {seats}", count=FEW, seats=seats))
        if seats := _seats_but(self._won):
            gaps.append(Message("a win as {seats}", seats=seats))
        if self._bids == {0}:
            gaps.append(Message("a bid above 0"))
        return gaps


def _seats_but(seats: Collection[int]) -> str:
    return joined(seat_word(seat) for seat in range(SEATS) if seat not in seats)


def _names(kinds: Iterable[int]) -> str:
    return joined(map(kind_word, sorted(kinds)))
