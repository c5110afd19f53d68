"""The possible moves of a shape: bodies by rank and length, and the kickers to choose from."""

from typing import List, NamedTuple, Optional

from ddzbot.cards import Hand, contains
from ddzbot.rules import Move, Shape, kicker_choice


class Body(NamedTuple):
    """A move without its kickers, and the kickers that the rest of the deck offers it."""

    shape: Shape
    rank: int
    length: int
    cards: Hand
    kickers: List[Hand]

    @property
    def number(self) -> int:
        """The number of its kickers."""
        return self.length * self.shape.per_group

    def within(self, deck: Hand) -> Optional["Body"]:
        """Gets the same body with the kickers that *deck* offers it; None if that has not got the cards."""
        return _of(self.shape, self.rank, self.length, deck)

    def move(self, kickers: Hand) -> Move:
        """Makes the move with these *kickers*."""
        return Move(self.cards + kickers, self.shape.kind, self.rank, self.length)


def bodies(shape: Shape, deck: Hand, most: int, length: Optional[int] = None) -> List[Body]:
    """Lists the bodies of moves of up to *most* cards from *deck*, the shorter first, or those of one *length*."""
    longest = min(shape.max_length, most // shape.cards_per_rank)
    listed = []
    for ranks in range(shape.min_length, longest + 1) if length is None else range(length, min(length, longest) + 1):
        for rank in range(shape.top_rank - ranks + 2):
            body = _of(shape, rank, ranks, deck)
            if body:
                listed.append(body)
    return listed


def _of(shape: Shape, rank: int, length: int, deck: Hand) -> Optional[Body]:
    cards = shape.body(rank, length)
    if not contains(deck, cards):
        return None
    body = Body(shape, rank, length, cards, kicker_choice(shape, deck - cards, cards))
    return body if len(body.kickers) >= body.number else None
