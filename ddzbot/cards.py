"""
Ranks, card ids, and hands as rank counts in one integer.

A hand (type alias :data:`Hand`) is a multiset of ranks, kept as an ``int`` with four bits a rank: bits
``4 * r`` to ``4 * r + 3`` count the cards of rank ``r``. Ranks run from 0 (``3``) to 14 (``B``, the big
joker). Suits matter nowhere but in the card ids of the Botzone and ICGA protocols, 0 to 53: ``id // 4`` is the
rank of the ids below 52, 52 is the little joker and 53 the big one.

Because a count is at most 4, the top bit of each four is free, which makes "does this hand hold those
cards" one subtraction (:func:`contains`). The C kernel uses the same layout.
"""

from operator import mul
from typing import Iterable, List

Hand = int
"""Type alias: a multiset of ranks, four bits a rank."""

RANKS = "3456789TJQKA2LB"
"""The text form of each rank, weakest first; ``L`` is the little (black) joker and ``B`` the big (red) one."""

RANK_COUNT = 15
ACE = 11
TWO = 12
LITTLE_JOKER = 13
BIG_JOKER = 14

UNIT = tuple(1 << (4 * rank) for rank in range(RANK_COUNT))
"""``UNIT[r]`` is the hand of one card of rank ``r``; ``2 * UNIT[r]`` is the pair."""

ROCKET_CARDS = UNIT[LITTLE_JOKER] + UNIT[BIG_JOKER]

FULL_DECK = sum(4 * UNIT[rank] for rank in range(LITTLE_JOKER)) + ROCKET_CARDS
"""All 54 cards."""

CARD_IDS = 54

_GUARD = sum(8 * unit for unit in UNIT)
_EVEN = 0x0F0F0F0F0F0F0F0F
_BYTES = 0x0101010101010101
_INDEX = {text: rank for rank, text in enumerate(RANKS)}
_CARD = {text: UNIT[rank] for text, rank in _INDEX.items()}


class CardsError(ValueError):
    """Raised for text or ids that are no cards; the message is one sentence that names the input."""


def count(hand: Hand, rank: int) -> int:
    """Counts the cards of *rank* in *hand*. For example, rank 0 in ``3334`` counts 3."""
    return (hand >> (4 * rank)) & 15


def counts(hand: Hand) -> List[int]:
    """Lists the count of every rank, a list of 15."""
    return [(hand >> (4 * rank)) & 15 for rank in range(RANK_COUNT)]


def hand_of_counts(numbers: Iterable[int]) -> Hand:
    """Builds a hand from its 15 counts, the inverse of :func:`counts`."""
    return sum(number << (4 * rank) for rank, number in enumerate(numbers))


def size(hand: Hand) -> int:
    """Counts all cards of *hand*."""
    pairs = (hand & _EVEN) + ((hand >> 4) & _EVEN)
    return ((pairs * _BYTES) >> 56) & 255


def contains(hand: Hand, cards: Hand) -> bool:
    """
    Checks if *hand* holds at least *cards*.

    Each rank is subtracted in its own four bits; the guard bit above a count survives exactly when no
    borrow was needed.
    """
    return ((hand | _GUARD) - cards) & _GUARD == _GUARD


def is_in_a_deck(cards: int) -> bool:
    """Checks that a number, whatever it is, stands for cards of one deck of 54."""
    return 0 <= cards <= FULL_DECK and not cards & _GUARD and contains(FULL_DECK, cards)


def hand_text(hand: Hand) -> str:
    """Gets the text form, ranks low to high. For example, ``334455QK2LB``; the empty hand is ``""``."""
    return "".join(map(mul, RANKS, counts(hand)))


def parse_hand(text: str) -> Hand:
    """
    Reads the text form, in any order of ranks.

    :raises CardsError: for a letter that is not a rank, a fifth card of a rank or a second joker of a kind.
    """
    try:
        hand = sum(map(_CARD.__getitem__, text))
    except KeyError:
        return _read_by_letters(text)
    # Sixteen of a rank would run into the next one.
    if is_in_a_deck(hand) and (len(text) < 16 or size(hand) == len(text)):
        return hand
    return _read_by_letters(text)


def _read_by_letters(text: str) -> Hand:
    """Reads the text form slowly, and names the first letter that is wrong."""
    hand = 0
    for letter in text:
        rank = _INDEX.get(letter)
        if rank is None:
            raise CardsError(f"cards {text!r:.60}: {letter!r:.60} is not a rank; ranks are {RANKS}")
        hand += UNIT[rank]
        if not contains(FULL_DECK, hand):
            raise CardsError(f"cards {text!r:.60}: the deck has fewer {letter}")
    return hand


def rank_of_id(card_id: int) -> int:
    """Gets the rank of a card id. For example, ids 0 to 3 are the four 3s and 53 is the big joker."""
    return card_id // 4 if card_id < 52 else card_id - 39


def hand_of_ids(ids: Iterable[int]) -> Hand:
    """
    Builds the hand of some card ids.

    :raises CardsError: for an id outside 0 to 53, an id that is not an integer, and an id that occurs twice.
    """
    hand = 0
    seen = 0
    for card_id in ids:
        if type(card_id) is not int or not 0 <= card_id < CARD_IDS:
            raise CardsError(f"card id {card_id!r:.60} is not an integer from 0 to 53")
        if seen >> card_id & 1:
            raise CardsError(f"card id {card_id} occurs twice")
        seen |= 1 << card_id
        hand += UNIT[rank_of_id(card_id)]
    return hand


def ids_for(own_ids: Iterable[int], cards: Hand) -> List[int]:
    """
    Chooses ids from *own_ids* that make up *cards*: of each rank the lowest ids, ascending.

    :raises CardsError: if *own_ids* does not hold *cards*.
    """
    missing = cards
    chosen = []
    for card_id in sorted(own_ids):
        unit_shift = 4 * rank_of_id(card_id)
        if (missing >> unit_shift) & 15:
            missing -= 1 << unit_shift
            chosen.append(card_id)
    if missing:
        raise CardsError(f"the ids {sorted(own_ids)} lack {hand_text(missing)}")
    return chosen
