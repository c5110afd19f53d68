"""
What each rule set says, written down a second time: from the words of its description, over Counters of letters.

Slow and obvious on purpose. It shares no code with ddzbot.rules and asks other questions: not "which body and which
kickers add up to these cards" but "which ranks occur once, twice, three times and four times".
"""

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

ORDER = "3456789TJQKA2LB"
CHAIN = "3456789TJQKA"
CHAINS = [CHAIN[first:last] for first in range(12) for last in range(first + 2, 13)]

Cards = Counter[str]

SHUTTLES = {"botzone": True, "botzone2": True, "mini": True, "standard": False, "icga": False}
# Kickers for each quad of a shuttle: in legal moves, and in all that must be understood.
LEGAL_WINGS = {"botzone": [1], "botzone2": [2], "mini": [], "standard": [], "icga": []}
RECOGNISED_WINGS = {**LEGAL_WINGS, "mini": [1, 2]}


# By how often the ranks occur: the kind of a single rank, the kind of a chain, and its least length.
BARE_KINDS = {
    1: ("solo", "solo_chain", 5),
    2: ("pair", "pair_chain", 3),
    3: ("trio", "plane", 2),
    4: ("bomb", "shuttle", 2),
}


class Reading(NamedTuple):
    """One way to understand some cards: its kind, its lowest main rank, and how many main cards and kickers it has."""

    kind: str
    lowest: str
    main: int
    kickers: int


def occurring(cards: Cards) -> list[str]:
    """The ranks that occur once, twice, three and four times, each low to high; item 0 is empty."""
    ranks = ["", "", "", "", ""]
    for rank in sorted(cards, key=ORDER.index):
        ranks[cards[rank]] += rank
    return ranks


def is_chain(ranks: str, at_least: int) -> bool:
    return len(ranks) >= at_least and ranks in CHAIN


def stretches(ranks: str) -> list[str]:
    """Every chain of two or more that can be made of *ranks*."""
    if len(ranks) < 2:
        return []
    return [chain for chain in CHAINS if set(chain) <= set(ranks)]


def readings(rules: str, cards: Cards, recognised: bool = False) -> set[Reading]:
    """Everything that *cards* are under the rule set of that name."""
    wings = RECOGNISED_WINGS[rules] if recognised else LEGAL_WINGS[rules]
    found = set(bare(cards, SHUTTLES[rules])) | set(with_strict_kickers(cards, wings))
    if rules == "standard":
        found |= set(with_repeated_solos(cards))
    if rules == "icga" and recognised:
        found |= set(of_the_sample_engine(cards))
    return found


def bare(cards: Cards, shuttles: bool) -> Iterator[Reading]:
    """Moves without kickers: all their ranks occur equally often. The rocket is the one of unequal ranks."""
    if cards == Counter("LB"):
        yield Reading("rocket", "L", 2, 0)
    if len(set(cards.values())) != 1:
        return
    times = max(cards.values())
    ranks = occurring(cards)[times]
    alone, chained, shortest = BARE_KINDS[times]
    if len(ranks) == 1:
        yield Reading(alone, ranks, times, 0)
    elif is_chain(ranks, shortest) and (shuttles or chained != "shuttle"):
        yield Reading(chained, ranks[0], times * len(ranks), 0)


def with_strict_kickers(cards: Cards, wings: list[int]) -> Iterator[Reading]:
    """Both judges' rule: beside the body the ranks ALL occur once or ALL occur twice, in exactly the right number."""
    _, ones, twos, threes, fours = occurring(cards)
    if (ones and twos) or not (ones or twos):
        return
    kickers, word, each = (len(ones), "solo", 1) if ones else (len(twos), "pair", 2)
    if threes and not fours and len(threes) == kickers:
        if kickers == 1:
            yield Reading("trio_" + word, threes, 3, each)
        elif is_chain(threes, 2):
            yield Reading("plane_" + word, threes[0], 3 * kickers, each * kickers)
    if fours and not threes:
        if len(fours) == 1 and kickers == 2:
            yield Reading("four_two_" + word, fours, 4, 2 * each)
        if is_chain(fours, 2) and kickers in [wing * len(fours) for wing in wings]:
            yield Reading("shuttle_" + word, fours[0], 4 * len(fours), each * kickers)


def with_repeated_solos(cards: Cards) -> Iterator[Reading]:
    """The standard rule: solo kickers are any cards of other ranks than the body."""
    for body in stretches(occurring(cards)[3]):
        if cards.total() == 4 * len(body):
            yield Reading("plane_solo", body[0], 3 * len(body), len(body))
    for body in occurring(cards)[4]:
        if cards.total() == 6:
            yield Reading("four_two_solo", body, 4, 2)


def of_the_sample_engine(cards: Cards) -> Iterator[Reading]:
    """The championship's sample engine: solo kickers are any cards, pair kickers any cards that fall into pairs."""
    for body in stretches("".join(rank for rank in ORDER if cards[rank] >= 3)):
        others = cards - Counter(body * 3)
        if others.total() == len(body):
            yield Reading("plane_solo", body[0], 3 * len(body), len(body))
        if others.total() == 2 * len(body) and all_pairs(others):
            yield Reading("plane_pair", body[0], 3 * len(body), 2 * len(body))
    for body in occurring(cards)[4]:
        others = cards - Counter(body * 4)
        if others.total() == 2:
            yield Reading("four_two_solo", body, 4, 2)
        if others.total() == 4 and all_pairs(others):
            yield Reading("four_two_pair", body, 4, 4)


def all_pairs(cards: Cards) -> bool:
    return all(times in (2, 4) for times in cards.values())


def beats(rules: str, cards: Cards, other: Cards) -> bool:
    """Whether *cards* may answer *other*: the rocket, then bombs, then the same shape with a higher body."""
    return answers(frozenset(readings(rules, cards)), frozenset(readings(rules, other, recognised=True)))


@functools.cache
def answers(mine: frozenset[Reading], theirs: frozenset[Reading]) -> bool:
    """The same of two sets of readings."""
    kinds, their_kinds = {reading.kind for reading in mine}, {reading.kind for reading in theirs}
    if "rocket" in kinds | their_kinds:
        return "rocket" in kinds and "rocket" not in their_kinds
    if "bomb" in kinds and "bomb" not in their_kinds:
        return True
    return any(
        (own.kind, own.main, own.kickers) == (another.kind, another.main, another.kickers)
        and ORDER.index(own.lowest) > ORDER.index(another.lowest)
        for own in mine
        for another in theirs
    )


def subsets(hand: str) -> Iterator[Cards]:
    """Every set of cards that *hand* holds, but none at all."""
    held = Counter(hand)
    for taken in product(*(range(copies + 1) for copies in held.values())):
        cards = Counter({rank: times for rank, times in zip(held, taken, strict=True) if times})
        if cards:
            yield cards


def text(cards: Cards) -> str:
    return "".join(sorted(cards.elements(), key=ORDER.index))


def legal(rules: str, hand: str, to_beat: str | None) -> set[str]:
    """Every legal move of *hand*, as text."""
    if to_beat is None:
        return {text(cards) for cards in subsets(hand) if readings(rules, cards)}
    beaten = Counter(to_beat)
    return {"pass"} | {text(cards) for cards in subsets(hand) if beats(rules, cards, beaten)}
