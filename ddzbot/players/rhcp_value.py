"""
The value of a hand to the player ``rhcp``, and its lead: one recursion in both directions.

Ranks count from 0 (``3``) here as everywhere; the program that this restates counts them from 3. A *group* is
a set of cards that it recognises as a move: what rule set ``icga`` lets us play, and four with one pair.

The value of a hand is a sum of points and a number of rounds, compared as one *score*, points - 7 * rounds. The
hand is split by leading from it again and again. Each lead is the candidate that leaves the best rest, and the points
of the candidate itself do not count in that comparison. So a score is the sum over the groups of the split of
(points - 7), which is what the memo holds. A hand of 20 cards needs a few thousand rests at most.

Source: the greedy hand valuation known as RHCP, as the public program doudizhu-C plays it.
"""

from functools import lru_cache
from itertools import combinations
from typing import Dict, Iterator, NamedTuple, Tuple

from ddzbot.cards import ACE, FULL_DECK, LITTLE_JOKER, ROCKET_CARDS, UNIT, Hand
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    ICGA,
    PAIR_CHAIN,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    SOLO_CHAIN,
    Move,
    legal_moves,
)

ROUND_COST = 7
"""The cost of every group of a split, and of a pass."""

CACHE_LIMIT = 200000
"""The memo starts afresh at this many hands, about 25 MB."""

_ONES = sum(UNIT)
_CHAIN = sum(UNIT[: ACE + 1])
_NORMAL = sum(UNIT[:LITTLE_JOKER])
_JOKERS_SHIFT = 4 * LITTLE_JOKER
_ROCKET_BITS = ROCKET_CARDS >> _JOKERS_SHIFT
_RUN = tuple(sum(UNIT[:length]) for length in range(6))
_NO_SCORE = -25 - 21 * ROUND_COST


class HandValue(NamedTuple):
    """The value of a hand: the points of all its groups, and how many groups they are."""

    points: int
    rounds: int


def _four_with_a_pair() -> Iterator[Move]:
    for rank in range(LITTLE_JOKER):
        for kicker in range(LITTLE_JOKER):
            if kicker != rank:
                yield Move(4 * UNIT[rank] + 2 * UNIT[kicker], FOUR_TWO_SOLO, rank, 1)


GROUPS = {move.cards: move for moves in (legal_moves(ICGA, FULL_DECK), _four_with_a_pair()) for move in moves}
"""Every group by its cards."""


def group_points(group: Move) -> int:
    """
    Gets the points of a group: more for higher ranks, negative for low ones.

    For example, the solo ``3`` has -7, ``34567`` has -2, ``333444`` has 1, ``3333`` has 7 and the rocket 20.
    """
    top = group.rank + group.length - 1
    if group.kind in (SOLO_CHAIN, PAIR_CHAIN):
        return top - 6
    if group.kind in (PLANE, PLANE_SOLO, PLANE_PAIR):
        return (top + 1) // 2
    if group.kind in (FOUR_TWO_SOLO, FOUR_TWO_PAIR):
        return top // 2
    if group.kind == BOMB:
        return top + 7
    return 20 if group.kind == ROCKET else top - 7


_GROUP_SCORES = {
    group.cards: group_points(group) - ROUND_COST
    for group in GROUPS.values()
    if group.kind not in (FOUR_TWO_SOLO, FOUR_TWO_PAIR)
}
_SCORES: Dict[Hand, int] = {}


def hand_value(hand: Hand) -> HandValue:
    """
    Values a hand. For example, ``3355`` is two pairs of -7 and -5 points: ``HandValue(-12, 2)``.

    The empty hand is ``HandValue(0, 0)``.
    """
    left = hand
    rounds = 0
    while left:
        left = rest_after_lead(left)
        rounds += 1
    return HandValue(score(hand) + ROUND_COST * rounds, rounds)


def score(hand: Hand) -> int:
    """Gets points - 7 * rounds of :func:`hand_value`, from the memo if it is there: ``3355`` scores -26."""
    if not hand:
        return 0
    points = _SCORES.get(hand)
    if points is None:
        if len(_SCORES) >= CACHE_LIMIT:
            _SCORES.clear()
        left = rest_after_lead(hand)
        points = _SCORES[hand] = _GROUP_SCORES[hand - left] + score(left)
    return points


def holds_rocket_and_one_round(hand: Hand) -> bool:
    """Checks if a hand is the rocket and cards that are one round: the rocket is then played, come what may."""
    return hand >> _JOKERS_SHIFT == _ROCKET_BITS and hand - ROCKET_CARDS in _GROUP_SCORES


def lead(hand: Hand) -> Hand:
    """Chooses the cards that *hand*, which is not empty, leads. For example, ``333445`` leads ``33344``."""
    return hand - rest_after_lead(hand)


def rest_after_lead(hand: Hand) -> Hand:
    """Gets what *hand*, which is not empty, has left after its lead; the last of equally good candidates is led."""
    if hand in _GROUP_SCORES:
        return 0
    if holds_rocket_and_one_round(hand):
        return hand - ROCKET_CARDS
    threes = exactly_three(hand)
    # Ranks below the jokers that are held once or twice: their two low bits differ.
    few = (hand ^ (hand >> 1)) & _NORMAL
    if threes:
        candidates = _with_kickers(hand, threes)
    elif few:
        candidates = _with_lowest(hand, few & -few)
    else:
        return hand - _joker_or_bomb(hand)
    best = _NO_SCORE
    chosen = hand
    remembered = _SCORES.get
    for cards in candidates:
        left = hand - cards
        points = remembered(left)
        if points is None:
            points = score(left)
        if points >= best:
            best = points
            chosen = left
    return chosen


def _with_kickers(hand: Hand, threes: Hand) -> Iterator[Hand]:
    """Yields every group with kickers whose lowest body rank is held exactly three times, in the order tried."""
    solos = at_least(hand, 1)
    pairs = at_least(hand, 2)
    chained = at_least(hand, 3) & _CHAIN
    for unit in units(threes):
        trio = 3 * unit
        for kicker in units(solos ^ unit):
            yield trio + kicker
        for kicker in units(pairs ^ unit):
            yield trio + 2 * kicker
        runs = [length for length in (2, 3, 4) if chained & _RUN[length] * unit == _RUN[length] * unit]
        for length in runs:
            run = _RUN[length] * unit
            for kickers in combinations(units(solos & ~run), length):
                yield 3 * run + sum(kickers)
        for length in runs[:2]:
            run = _RUN[length] * unit
            for kickers in combinations(units(pairs & ~run), length):
                yield 3 * run + 2 * sum(kickers)


def _with_lowest(hand: Hand, unit: Hand) -> Iterator[Hand]:
    """Yields the groups without kickers that start at a rank held once or twice, in the order tried."""
    yield unit
    pairs = at_least(hand, 2)
    if pairs & unit:
        yield 2 * unit
    yield from _chains(at_least(hand, 1), unit, 5)
    for run in _chains(pairs, unit, 3):
        yield 2 * run


def _chains(held: Hand, unit: Hand, shortest: int) -> Iterator[Hand]:
    held &= _CHAIN
    run = _RUN[shortest] * unit
    while held & run == run:
        yield run
        run = run << 4 | unit


def _joker_or_bomb(hand: Hand) -> Hand:
    """Leads from bombs and jokers alone: a joker that is the only one, else the smallest bomb."""
    jokers = hand >> _JOKERS_SHIFT
    if jokers and jokers != _ROCKET_BITS:
        return jokers << _JOKERS_SHIFT
    return bombs(hand)[0]


def bombs(hand: Hand) -> Tuple[Hand, ...]:
    """Lists the bombs of a hand, the smallest first."""
    return tuple(4 * unit for unit in units(at_least(hand, 4)))


def at_least(hand: Hand, copies: int) -> Hand:
    """Marks with one card each rank that is held *copies* times or more; *copies* is 1 to 4."""
    if copies == 1:
        return (hand | hand >> 1 | hand >> 2) & _ONES
    if copies == 2:
        return (hand >> 1 | hand >> 2) & _ONES
    if copies == 3:
        return (hand & hand >> 1 | hand >> 2) & _ONES
    return hand >> 2 & _ONES


def exactly_three(hand: Hand) -> Hand:
    """Marks with one card each rank that is held three times."""
    return hand & hand >> 1 & _ONES


@lru_cache(maxsize=8192)
def units(marks: Hand) -> Tuple[Hand, ...]:
    """Lists the marked ranks of :func:`at_least` as hands of one card, ascending."""
    return tuple(unit for unit in UNIT if marks & unit)
