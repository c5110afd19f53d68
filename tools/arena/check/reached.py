"""What a bot came to in games, and what not."""

from collections import Counter

from ddzbot.cards import size
from ddzbot.game import SEAT_NAMES, SEATS, Game
from ddzbot.rules import KIND_NAMES, ROCKET, SOLO, Move

from ...shared.language import told

__all__ = ["Reached"]

_KINDS = frozenset(range(SOLO, ROCKET + 1))
"""Rows of bombs are too rare to be missed."""
FEW = 4
"""With so many cards left a hand ends soon."""


class Reached:
    """The kinds of moves that a bot led, was asked to beat and laid over others, and its seats with few cards."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self._led: set[int] = set()
        self._laid_over: set[int] = set()
        self._late: set[int] = set()
        self._won: set[int] = set()

    def note(self, before: Game, move: Move) -> None:
        """Notes a move of the bot, and the game before it."""
        table = before.to_beat
        if table is None:
            self._led.add(move.kind)
        else:
            self.asked[table.kind] += 1
            self._laid_over.add(move.kind)
            if size(before.hands[before.seat]) <= FEW and not move.is_pass:
                self._late.add(before.seat)
        if before.hands[before.seat] == move.cards:
            self._won.add(before.seat)

    @property
    def count(self) -> int:
        """How much was reached."""
        kinds = sum(len(kinds & _KINDS) for kinds in (self.asked.keys(), self._led, self._laid_over))
        return kinds + len(self._late) + len(self._won)

    def missing(self) -> list[str]:
        """Says what was not reached, in parts of a sentence."""
        found = []
        for name, kinds in (("led", self._led), ("had to beat", {*self.asked}), ("laid over others", self._laid_over)):
            seen, unseen = kinds & _KINDS, _KINDS - kinds
            if unseen:
                most = len(unseen) <= len(seen)
                few = f"all but {_names(unseen)}" if most else f"only {_names(seen) or told('the pass')}"
                found.append(f"{name} {few}")
        for words, seats in (
            (f"never followed others with its last {FEW} cards as", self._late),
            ("never won as", self._won),
        ):
            names = ", ".join(told(SEAT_NAMES[seat]) for seat in range(SEATS) if seat not in seats)
            found += [f"{words} {names}"] if names else []
        return found


def _names(kinds: frozenset[int] | set[int]) -> str:
    return ", ".join(told(KIND_NAMES[kind]).replace("_", " ") for kind in sorted(kinds))
