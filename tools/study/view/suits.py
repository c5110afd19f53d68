"""
The suits of a game: the judge's records and the platform's logs hold card ids, of which records keep the ranks only.

A card of a page is a text, its rank and then its suit if that is known: ``Th``, ``T``, ``B``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

from msgspec import UNSET

from ddzbot.cards import RANKS, CardsError, Hand, hand_of_ids, hand_text, ids_for, rank_of_id
from ddzbot.game import SEATS

from ...records.from_judge import displays_of

SUITS = "hdsc"
"""Hearts, diamonds, spades, clubs: the suit of an id below 52 is its remainder by 4."""


class CardIds(NamedTuple):
    """The ids of one game, as far as its log shows them."""

    hands: tuple[list[int], list[int], list[int]]
    """By position, as dealt: without the bottom."""
    bottom: list[int]
    moves: list[list[int]]


def code_of_id(card_id: int) -> str:
    """Gets the text of a card id. For example, 0 is ``3h`` and 53 is ``B``."""
    rank = RANKS[rank_of_id(card_id)]
    return rank if rank in "LB" else rank + SUITS[card_id % 4]


def codes_of(cards: Hand) -> list[str]:
    """Gets the texts of cards of unknown suits."""
    return list(hand_text(cards))


class Holding:
    """The cards of one seat, high to low; with ids they have suits."""

    def __init__(self, hand: Hand, ids: Sequence[int] | None) -> None:
        self._hand = hand
        self._ids = list(ids) if ids is not None and is_hand(ids, hand) else None

    def codes(self) -> list[str]:
        """Lists the texts of the cards that are held."""
        if self._ids is None:
            return codes_of(self._hand)[::-1]
        return [code_of_id(card_id) for card_id in sorted(self._ids, key=_strength, reverse=True)]

    def play(self, cards: Hand, after: Hand, ids: Sequence[int] | None) -> list[str]:
        """
        Takes *cards* out, so that *after* is left, and lists their texts.

        The ids of the log count if they fit; without them the lowest ids of each rank are played.
        """
        played = self._chosen(cards, ids)
        self._hand = after
        if played is None:
            self._ids = None
            return codes_of(cards)
        self._ids = [card_id for card_id in self._ids or () if card_id not in played]
        return [code_of_id(card_id) for card_id in played]

    def _chosen(self, cards: Hand, ids: Sequence[int] | None) -> list[int] | None:
        if self._ids is None:
            return None
        if ids is not None and is_hand(ids, cards) and set(ids) <= set(self._ids):
            return list(ids)
        try:
            return ids_for(self._ids, cards)
        except CardsError:
            return None


def card_ids(value: Any) -> CardIds | None:
    """Finds the ids in the JSON value of a game; None where it has no log, or one without a whole deal."""
    displays = displays_of(value)
    if not displays:
        return None
    allocation, bottom = displays[0].allocation, displays[0].publiccard
    if not isinstance(allocation, list) or len(allocation) != SEATS or not all(map(_are_ids, [*allocation, bottom])):
        return None
    # Without an auction the landlord's hand has the bottom in it.
    first, second, third = ([card for card in hand if card not in bottom] for hand in allocation)
    actions = [display.event.action for display in displays[1:] if display.event and display.errorInfo is UNSET]
    return CardIds((first, second, third), bottom, [list(ids) if _are_ids(ids) else [] for ids in actions])


def _are_ids(value: Any) -> TypeGuard[list[int]]:
    try:
        hand_of_ids(value)
    except (CardsError, TypeError):
        return False
    return True


def is_hand(ids: Sequence[int], hand: Hand) -> bool:
    """Checks that *ids* are the ids of *hand*."""
    return _are_ids(ids) and hand_of_ids(ids) == hand


def _strength(card_id: int) -> tuple[int, int]:
    """Orders cards by rank, and within a rank spades, hearts, clubs, diamonds, so that colours take turns."""
    return rank_of_id(card_id), (2, 0, 3, 1)[card_id % 4]
