"""
The features of the fast network, version ``fast-2``: a situation as its mover sees it after one legal move.

This is the readable definition; ddzbot/kernel/src/net/net_features.c computes the same. Every feature is a number below
:data:`FEATURES` that is there or not. A set of cards takes one number for each card: ``4 * rank + k - 1`` is there when
there are at least k cards of the rank, so that ``3334`` is {0, 1, 2, 4}. "Next" and "previous" are the seats that move
after and before the mover. The meaning of a number never changes, because packed networks rely on it.
"""

from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ddzbot.cards import BIG_JOKER, RANKS, ROCKET_CARDS, Hand, contains, counts
from ddzbot.game import SEATS
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    KIND_NAMES,
    PAIR,
    PAIR_CHAIN,
    PASS,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    Move,
)
from ddzbot.split import fewest_moves
from ddzbot.view import View

NAME = "fast-2"
"""The version, as weights files name it."""
FEATURES = 896
"""Numbers; the last few mean nothing."""

_CARDS = 4 * BIG_JOKER + 1
_KINDS = len(KIND_NAMES)
_HAND_SIZES = 21
_RANK_OR_NONE = len(RANKS) + 1
_MOST_FEWEST = 15
_MOST_BOMBS = 6
_MOST_SOLOS, _MOST_TOP_SOLOS = 7, 4
_MOST_PAIRS, _MOST_TOP_PAIRS = 5, 3
_MOST_TRIOS, _MOST_TOP_TRIOS, _MOST_OWN_BOMBS = 4, 3, 2


class Group(NamedTuple):
    """Features that mean the same thing of different cards, kinds or numbers."""

    first: int
    size: int
    meaning: str


def _placed(groups: Sequence[Tuple[int, str]]) -> List[Group]:
    placed: List[Group] = []
    for size, meaning in groups:
        placed.append(Group(placed[-1].first + placed[-1].size if placed else 0, size, meaning))
    return placed


GROUPS = _placed(
    [
        (_CARDS, "own hand after the move"),
        (_CARDS, "the move's cards"),
        (_CARDS, "unseen cards"),
        (_CARDS, "cards that next has played"),
        (_CARDS, "cards that previous has played"),
        (_CARDS, "next's last move; nothing after a pass"),
        (_CARDS, "previous' last move"),
        (_CARDS, "cards that next has played as leads"),
        (_CARDS, "cards that previous has played as leads"),
        (_CARDS, "bottom cards that the landlord still holds"),
        (_KINDS, "kind of the move"),
        (_KINDS, "kind of what must be beaten, the pass on a lead"),
        (SEATS, "the player of the move to beat: none, next, previous"),
        (1, "next's last move was a pass"),
        (1, "previous' last move was a pass"),
        (_HAND_SIZES, "own cards after the move"),
        (_HAND_SIZES, "next's cards"),
        (_HAND_SIZES, "previous' cards"),
        (_MOST_FEWEST + 1, "fewest moves of the own hand after the move, at most 15"),
        (_MOST_BOMBS, "at least 1, 2, ... 6 bombs and rockets were played"),
        (SEATS, "the stake, 1 to 3"),
        (4 * _RANK_OR_NONE, "lowest enemy solo, then pair, that next passed on; then previous; 15 each: none"),
        (1, "the move plays cards, and no unseen body of its kind and length is higher"),
        (1, "the unseen cards have a bomb or the rocket"),
        (
            (_MOST_SOLOS + 1) * (_MOST_TOP_SOLOS + 1),
            "5 * own lone cards after the move + those that no unseen card beats",
        ),
        ((_MOST_PAIRS + 1) * (_MOST_TOP_PAIRS + 1), "4 * own ranks of two cards + those that no unseen pair beats"),
        (
            (_MOST_TRIOS + 1) * (_MOST_TOP_TRIOS + 1) * (_MOST_OWN_BOMBS + 1),
            "12 * own ranks of three + 3 * those that no unseen trio beats + own bombs and rockets",
        ),
    ]
)
"""All groups in order. For example ``GROUPS[1]`` begins at 57."""

(
    _HAND,
    _PLAYED,
    _UNSEEN,
    _PLAYED_NEXT,
    _PLAYED_PREVIOUS,
    _LAST_NEXT,
    _LAST_PREVIOUS,
    _LED_NEXT,
    _LED_PREVIOUS,
    _BOTTOM,
    _KIND,
    _TO_BEAT,
    _HOLDER,
    _PASSED_NEXT,
    _PASSED_PREVIOUS,
    _OWN_LEFT,
    _NEXT_LEFT,
    _PREVIOUS_LEFT,
    _FEWEST,
    _BOMBS,
    _STAKE,
    _DECLINED,
    _ON_TOP,
    _BLASTS,
    _SOLOS,
    _PAIRS,
    _TRIOS,
) = (group.first for group in GROUPS)

_BODY = {
    **dict.fromkeys((SOLO, SOLO_CHAIN), 1),
    **dict.fromkeys((PAIR, PAIR_CHAIN), 2),
    **dict.fromkeys((TRIO, TRIO_SOLO, TRIO_PAIR, PLANE, PLANE_SOLO, PLANE_PAIR), 3),
    **dict.fromkeys((FOUR_TWO_SOLO, FOUR_TWO_PAIR, BOMB, SHUTTLE, SHUTTLE_SOLO, SHUTTLE_PAIR), 4),
}
"""The cards of a rank in the body of each kind."""


def features(view: View, move: Move) -> List[int]:
    """Lists the features of *view* after a legal *move*, in ascending order."""
    return sorted([*state_features(view), *move_features(view, move)])


def _of_cards(first: int, cards: Hand) -> Iterator[int]:
    for rank, copies in enumerate(counts(cards)):
        for copy in range(copies):
            yield first + 4 * rank + copy


def state_features(view: View) -> List[int]:
    """Lists the features that are the same whatever the move is."""
    return list(_of_state(view))


def move_features(view: View, move: Move) -> List[int]:
    """Lists the features that the move decides."""
    return list(_of_move(view, move))


def _of_state(view: View) -> Iterator[int]:
    to_beat = view.to_beat
    unseen = view.unseen
    yield from _of_cards(_UNSEEN, unseen)
    yield from _of_other(view, (view.seat + 1) % SEATS, 0)
    yield from _of_other(view, (view.seat + 2) % SEATS, 1)
    yield from _of_cards(_BOTTOM, view.bottom_left)
    yield _TO_BEAT + (to_beat or PASS).kind
    yield _HOLDER + (0 if view.table_seat is None else (view.table_seat - view.seat) % SEATS)
    bombs = sum(move.kind in (BOMB, ROCKET) for move in view.plays)
    yield from range(_BOMBS, _BOMBS + min(bombs, _MOST_BOMBS))
    yield _STAKE + view.stake - 1
    if contains(unseen, ROCKET_CARDS) or 4 in counts(unseen):
        yield _BLASTS


def _of_other(view: View, seat: int, place: int) -> Iterator[int]:
    """Lists what is known of another seat; *place* is 0 for next and 1 for previous."""
    moves = view.plays[seat::SEATS]
    newest = moves[-1] if moves else None
    leads = sum(move.cards for index, move in _moves_of(view, seat) if _must_beat(view, index) is None)
    yield from _of_cards(_PLAYED_NEXT + place * _CARDS, view.played(seat))
    yield from _of_cards(_LAST_NEXT + place * _CARDS, newest.cards if newest else 0)
    yield from _of_cards(_LED_NEXT + place * _CARDS, leads)
    if newest and newest.is_pass:
        yield _PASSED_NEXT + place
    yield _NEXT_LEFT + place * _HAND_SIZES + view.cards_left(seat)
    for which, kind in enumerate((SOLO, PAIR)):
        yield _DECLINED + (2 * place + which) * _RANK_OR_NONE + _lowest_declined(view, seat, kind)


def _moves_of(view: View, seat: int) -> Iterator[Tuple[int, Move]]:
    for index in range(seat, len(view.plays), SEATS):
        yield index, view.plays[index]


def _holder(view: View, index: int) -> Optional[int]:
    """Gets the index of the move that had to be beaten at *index*, or None on a lead."""
    for back in (1, 2):
        if index >= back and not view.plays[index - back].is_pass:
            return index - back
    return None


def _must_beat(view: View, index: int) -> Optional[Move]:
    holder = _holder(view, index)
    return None if holder is None else view.plays[holder]


def _lowest_declined(view: View, seat: int, kind: int) -> int:
    lowest = len(RANKS)
    for index, move in _moves_of(view, seat):
        holder = _holder(view, index)
        if move.is_pass and holder is not None and (holder % SEATS == 0) != (seat == 0):
            refused = view.plays[holder]
            lowest = min(lowest, refused.rank) if refused.kind == kind else lowest
    return lowest


def _of_move(view: View, move: Move) -> Iterator[int]:
    after = view.hand - move.cards
    yield from _of_cards(_HAND, after)
    yield from _of_cards(_PLAYED, move.cards)
    yield _KIND + move.kind
    yield _OWN_LEFT + sum(counts(after))
    yield _FEWEST + min(fewest_moves(view.rules, after), _MOST_FEWEST)
    if not move.is_pass and is_on_top(move, view.unseen):
        yield _ON_TOP
    yield from _of_sets(after, view.unseen)


def _of_sets(hand: Hand, unseen: Hand) -> Iterator[int]:
    """Lists how many ranks the hand has one, two and three cards of, and how many of them nothing unseen beats."""
    blasts = counts(hand).count(4) + contains(hand, ROCKET_CARDS)
    solos, pairs, trios = (_sets_and_tops(hand, unseen, copies) for copies in (1, 2, 3))
    yield _SOLOS + min(solos[0], _MOST_SOLOS) * (_MOST_TOP_SOLOS + 1) + min(solos[1], _MOST_TOP_SOLOS)
    yield _PAIRS + min(pairs[0], _MOST_PAIRS) * (_MOST_TOP_PAIRS + 1) + min(pairs[1], _MOST_TOP_PAIRS)
    of_trios = min(trios[0], _MOST_TRIOS) * (_MOST_TOP_TRIOS + 1) + min(trios[1], _MOST_TOP_TRIOS)
    yield _TRIOS + of_trios * (_MOST_OWN_BOMBS + 1) + min(blasts, _MOST_OWN_BOMBS)


def _sets_and_tops(hand: Hand, unseen: Hand, copies: int) -> Tuple[int, int]:
    highest = max((rank for rank, held in enumerate(counts(unseen)) if held >= copies), default=-1)
    sets = [rank for rank, held in enumerate(counts(hand)) if held == copies]
    return len(sets), sum(rank >= highest for rank in sets)


def is_on_top(move: Move, unseen: Hand) -> bool:
    """Checks that the unseen cards have no higher body of the kind and length of *move*; bombs do not matter."""
    if move.kind == ROCKET:
        return True
    if move.kind not in _BODY:
        return False
    held = [copies >= _BODY[move.kind] for copies in counts(unseen)]
    last_start = RANKS.index("A") + 1 - move.length if move.length > 1 else BIG_JOKER
    starts = range(move.rank + 1, last_start + 1)
    return not any(all(held[start : start + move.length]) for start in starts)
