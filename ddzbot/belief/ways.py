"""
All ways to divide the unseen cards between two hands, weighed by a table; a readable reference implementation of
worlds.c in the kernel.

With two hidden hands a world is how many cards of each rank the first of them holds. Let ``ahead[r][k]`` be the total
weight of all ways to give ``k`` cards of the ranks from ``r`` on to the first hand::

    ahead[15][0] = 1;   ahead[r][k] = sum over n of table[r][n] * ahead[r + 1][k - n]

The total weight of all worlds is ``ahead[0][cards of the first hand]``. A draw goes through the ranks in order: with
``k`` cards left to give, ``n`` of rank ``r`` have the probability ``table[r][n] * ahead[r + 1][k - n] / ahead[r][k]``.
The product of these fractions is the weight of the world over the total, and no world is ever rejected.

Arithmetic is in whole numbers. The bit lengths of the sums of the ranks' weights add up to at most 126, so that the
product over all ranks, and with it every total, is below ``2 ** 126``: two 64-bit words in the kernel. Larger weights
are scaled down (:func:`scaled`), and a possible count never falls to zero.
"""

from functools import reduce
from math import gcd
from typing import List, NamedTuple, Sequence

from ddzbot.belief.certain import BeliefError
from ddzbot.cards import UNIT, Hand
from ddzbot.kernel.rng import Generator

TOTAL_BITS = 126
"""All totals are below 2 to this power."""
WEIGHT_BITS = 24
"""The weights of one rank sum to less than 2 to this power, however few ranks there are."""


class World(NamedTuple):
    """The two hidden hands, in the order of play after the viewer."""

    first: Hand
    second: Hand


def scaled(table: Sequence[Sequence[int]]) -> List[List[int]]:
    """
    Scales the weights of each rank down to what the totals have room for.

    A rank with only one possible count weighs 1. Common factors go first. A weight that then needs less than its even
    share of the 126 bits is kept exactly, and leaves more to the others. For example, with 15 ranks like it the weights
    of one sum to at most 255, and ``[0, 3001, 1000, 0, 0]`` becomes ``[0, 188, 63, 0, 0]``.
    """
    rows = [_reduced(row) for row in table]
    most = (1 << _bits_for_each([sum(row).bit_length() for row in rows if _possible(row) > 1])) - 1
    return [row if sum(row) <= most else _scaled_row(row, most) for row in rows]


def _reduced(row: Sequence[int]) -> List[int]:
    divisor = reduce(gcd, row)
    return [weight // divisor for weight in row] if divisor else list(row)


def _bits_for_each(needed: Sequence[int]) -> int:
    """Shares the bits out: the smallest need is served first, and the rest is shared evenly."""
    left, share = TOTAL_BITS, WEIGHT_BITS
    for served, bits in enumerate(sorted(needed)):
        share = min(WEIGHT_BITS, left // (len(needed) - served))
        if bits > share:
            break
        left -= bits
    return share


def _possible(row: Sequence[int]) -> int:
    return sum(weight > 0 for weight in row)


def _scaled_row(row: Sequence[int], most: int) -> List[int]:
    # Each weight is rounded up, by less than 1.
    total = sum(row)
    return [-(-weight * (most - len(row)) // total) for weight in row]


class Ways:
    """
    The worlds of *unseen* cards with *first_cards* of them in the first hand, weighed by *table*.

    ``table[rank][n]`` is the weight of ``n`` cards of the rank in the first hand, 0 where that cannot be, as
    :func:`scaled` makes it. For example, of the unseen cards 33 with one in each hand there is one world, of weight
    ``table[0][1]``.

    :raises BeliefError: if no world has a weight.
    """

    def __init__(self, unseen: Hand, first_cards: int, table: Sequence[Sequence[int]]) -> None:
        self._unseen = unseen
        self._cards = first_cards
        self._table = table
        self._ahead = _sums_from_last(first_cards, table)
        self._behind: List[List[int]] = []
        self._options = [[(cards, weight) for cards, weight in enumerate(row) if weight] for row in table]
        if not self.total:
            raise BeliefError(f"no world has {first_cards} cards in the first hand and a weight")

    @property
    def total(self) -> int:
        """The sum of the weights of all worlds, below 2 ** 126."""
        return self._ahead[0][self._cards]

    def weight(self, rank: int, cards: int) -> int:
        """Adds up the weights of the worlds in which the first hand holds that many *cards* of *rank*."""
        # The ranks before are summed like those after it, and only when a caller asks.
        self._behind = self._behind or _sums_from_last(self._cards, self._table[::-1])[::-1]
        if not 0 <= cards < len(self._table[rank]):
            return 0
        before, after, left = self._behind[rank], self._ahead[rank + 1], self._cards - cards
        return self._table[rank][cards] * sum(before[copies] * after[left - copies] for copies in range(left + 1))

    def draw(self, generator: Generator) -> World:
        """Draws a world with a probability of exactly its share of the total."""
        first, left = 0, self._cards
        for rank, options in enumerate(self._options):
            cards = options[0][0]
            if len(options) > 1:
                cards = self._draw_count(generator, rank, left)
            left -= cards
            first += cards * UNIT[rank]
        return World(first, self._unseen - first)

    def _draw_count(self, generator: Generator, rank: int, left: int) -> int:
        number = number_below(generator, self._ahead[rank][left])
        later = self._ahead[rank + 1]
        for cards, weight in self._options[rank]:
            number -= weight * later[left - cards] if cards <= left else 0
            if number < 0:
                break
        return cards


def _sums_from_last(first_cards: int, table: Sequence[Sequence[int]]) -> List[List[int]]:
    """Computes ``ahead``, 16 rows for 0 to *first_cards* cards."""
    later = [1] + [0] * first_cards
    rows = [later]
    for row in reversed(table):
        options = [(cards, weight) for cards, weight in enumerate(row) if weight]
        later = [
            sum(weight * later[left - cards] for cards, weight in options if cards <= left)
            for left in range(first_cards + 1)
        ]
        rows.append(later)
    return rows[::-1]


def number_below(generator: Generator, bound: int) -> int:
    """
    Draws a number from 0 to *bound* - 1, each with exactly the same probability, for bounds up to 2 ** 128.

    It takes as many random bits as the largest number has, and again while they make a larger one: below two tries on
    average. A bound of 1 draws nothing.
    """
    bits = (bound - 1).bit_length()
    number = bound if bits else 0
    while number >= bound:
        number = generator.word()
        if bits > 64:
            number |= generator.word() << 64
        number &= (1 << bits) - 1
    return number
