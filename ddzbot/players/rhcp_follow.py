"""
The follows of the player ``rhcp``: the answer that leaves the best rest, or a bomb, or a pass.

It looks at its own hand and at the cards to beat, and at nothing else: not at their player, nor at how many cards
the others hold. A pass is charged one extra round.
"""

from itertools import combinations
from typing import Iterator, List, Tuple

from ddzbot.cards import ROCKET_CARDS, UNIT, Hand, contains
from ddzbot.players.rhcp_value import (
    GROUPS,
    ROUND_COST,
    at_least,
    bombs,
    exactly_three,
    hand_value,
    holds_rocket_and_one_round,
    score,
    units,
)
from ddzbot.rules import BOMB, FOUR_TWO_PAIR, ICGA, PLANE_PAIR, PLANE_SOLO, ROCKET, SOLO_CHAIN, Move

_SHAPES = {shape.kind: shape for shape in ICGA.legal}
# Points above which the rocket is played for want of an answer, and a bomb on four with two pairs come what may.
_ROCKET_POINTS = 20
_BOMB_POINTS = 14


def follow(hand: Hand, played: Hand) -> Hand:
    """
    Chooses the cards to play on *played*, 0 for the pass.

    For example, ``4555`` answers ``3`` with ``4``, and passes on ``222``.
    """
    if holds_rocket_and_one_round(hand):
        return ROCKET_CARDS
    group = GROUPS.get(played)
    if group is None or group.kind == ROCKET:
        return 0
    if group.kind == BOMB:
        return next((bomb for bomb in bombs(hand) if bomb > played), _rocket(hand))
    if _goes_out(hand, group):
        return hand
    best = score(hand) - ROUND_COST
    chosen = 0
    for cards in _answers(hand, group):
        points = score(hand - cards)
        if points >= best:
            best, chosen = points, cards
    if group.kind == FOUR_TWO_PAIR:
        return _on_four_two_pair(hand, chosen)
    return chosen or _bomb_or_rocket(hand, best)


def _goes_out(hand: Hand, group: Move) -> bool:
    """Checks if the whole hand is played at once: as an answer of the same kind, or as a bomb or the rocket."""
    own = GROUPS.get(hand)
    if own is None:
        return False
    if own.kind in (BOMB, ROCKET):
        return group.kind != SOLO_CHAIN
    return own.kind == group.kind and own.length == group.length and own.rank > group.rank


def _answers(hand: Hand, group: Move) -> Iterator[Hand]:
    """
    Yields every answer of the same kind and length, in the order tried: by rank, then by kickers.

    The original answers no plane of 20 cards here. That needs no rule: 20 cards are a whole hand, which is played
    before.
    """
    shape = _SHAPES[group.kind]
    length = group.length
    for rank in range(group.rank + 1, shape.top_rank - length + 2):
        run = sum(UNIT[rank : rank + length])
        if group.kind == PLANE_SOLO:
            held = exactly_three(hand) & run == run
        else:
            held = contains(hand, shape.group * run)
        if held and shape.kicker:
            marks = at_least(hand, shape.kicker) & ~run
            for kickers in _kicker_sets(group.kind, units(marks), length * shape.per_group):
                yield shape.group * run + shape.kicker * sum(kickers)
        elif held:
            yield shape.group * run


def _kicker_sets(kind: int, kickers: Tuple[Hand, ...], number: int) -> List[Tuple[Hand, ...]]:
    """
    Lists the choices of *number* kickers in the order tried, where the last of equals wins.

    A plane tries them in every order of playing, so that a set is tried last when its highest kicker comes first: sets
    with the highest kicker come last. The other kinds try each set once, the lowest kicker first.
    """
    if kind in (PLANE_SOLO, PLANE_PAIR):
        return list(combinations(kickers[::-1], number))[::-1]
    return list(combinations(kickers, number))


def _on_four_two_pair(hand: Hand, answer: Hand) -> Hand:
    """Prefers the smallest bomb, else the rocket, to the *answer* found: if there is none, or with a good rest."""
    blast = next(iter(bombs(hand)), _rocket(hand))
    if hand_value(hand - answer).points > _BOMB_POINTS:
        return blast or answer
    return answer or blast


def _bomb_or_rocket(hand: Hand, best: int) -> Hand:
    """Chooses the last bomb that does not score below *best* or leaves points above 0; else perhaps the rocket."""
    chosen = 0
    for bomb in bombs(hand):
        points = score(hand - bomb)
        if points >= best or hand_value(hand - bomb).points > 0:
            best, chosen = points, bomb
    if not chosen and hand_value(hand).points > _ROCKET_POINTS:
        return _rocket(hand)
    return chosen


def _rocket(hand: Hand) -> Hand:
    return ROCKET_CARDS if contains(hand, ROCKET_CARDS) else 0
