"""
Which sets are wanted where all meet: first as many of every pair, then more of those that are next to each other.

It follows from the first sets of every pair alone, whoever played them and in whatever order. So a tournament that was
interrupted goes on as if it had not been, and the same seed makes the same one.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ..sums.ratings import ratings
from ..sums.row import Row
from .plan import Plan

CLEAR = 0.975
"""How likely one must be better than the next: then 0 lies outside the 95 % interval of their difference."""


def wanted(plan: Plan, rows: Sequence[Iterable[Row]], scores: Sequence[Mapping[int, float]]) -> list[int]:
    """
    Gets how many sets of each pairing are to be played before more can be said.

    *rows* are what was played of each pairing, and *scores* the score of each of these sets by its number.
    """
    found = every_pair(plan, rows, scores)
    while plan.neighbours > plan.sets and _are_played(found, scores):
        # A field plays in rounds until the order is clear; elsewhere all neighbours play as many sets, once.
        close = _neighbours(plan, found, scores, CLEAR if plan.kind == "field" else None)
        out = broken(plan, rows)
        more = [
            pairing
            for pairing, pair in enumerate(plan.tables)
            if {*pair} in close and not out & {*pair} and found[pairing] < plan.neighbours
        ]
        for pairing in more:
            twice = 2 * found[pairing] if plan.kind == "field" else plan.neighbours
            found[pairing] = min(twice, plan.neighbours)
        if not more or plan.kind != "field":
            break
    return found


def every_pair(plan: Plan, rows: Sequence[Iterable[Row]], scores: Sequence[Mapping[int, float]]) -> list[int]:
    """Gets how many sets of each pairing all play alike; who breaks in a field plays its first ones alone."""
    first = [1] * len(plan.tables)
    if plan.kind == "field" and not _are_played(first, scores):
        return first
    out = broken(plan, rows)
    return [1 if out & {*pair} else plan.sets for pair in plan.tables]


def broken(plan: Plan, rows: Sequence[Iterable[Row]]) -> set[int]:
    """Lists who was at fault in half of its first games of a field, or in more: it costs the others' time."""
    if plan.kind != "field":
        return set()
    games, faults = [0] * len(plan.names), [0] * len(plan.names)
    for pair, played in zip(plan.tables, rows, strict=True):
        for row in played:
            if row.set == 0:
                for letter, who in zip(plan.letters, pair, strict=True):
                    games[who] += sum(letter in game.seating for game in row.games)
                    faults[who] += sum(fault.by == letter for fault in row.faults)
    return {who for who, count in enumerate(faults) if count and 2 * count >= games[who]}


def _are_played(counts: Sequence[int], scores: Sequence[Mapping[int, float]]) -> bool:
    return all(number in seen for count, seen in zip(counts, scores, strict=True) for number in range(count))


def _neighbours(
    plan: Plan, counts: Sequence[int], scores: Sequence[Mapping[int, float]], clear: float | None
) -> list[set[int]]:
    """Lists who is next to whom by so many sets, but for those whose order is *clear*."""
    first = [
        {number: score for number, score in seen.items() if number < count}
        for count, seen in zip(counts, scores, strict=True)
    ]
    found = ratings(len(plan.names), plan.tables, first)
    return [
        {one.contestant, after.contestant}
        for one, after in pairwise(found)
        if one.los is not None and (clear is None or one.los < clear)
    ]
