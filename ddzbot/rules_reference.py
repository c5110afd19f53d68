"""
The readable specification of the game: what a set of cards is, what beats what, and every legal move.

Differences between platforms are data, in :mod:`ddzbot.rule_sets`; this module applies it. Callers ask
:mod:`ddzbot.rules`, which gives the same answers by a faster way where there is one; the kernel is proved against this.

A set of cards may have several readings. Under ``standard``, ``333444555666`` is a plane of four or a plane of
three with three kickers. Moves are therefore compared by all their readings, and a move's identity is its cards.
"""

from functools import lru_cache
from itertools import combinations
from typing import Dict, Iterator, List, Optional, Tuple

from ddzbot import illegal_moves
from ddzbot.cards import LITTLE_JOKER, RANK_COUNT, ROCKET_CARDS, UNIT, Hand, contains, count, hand_text
from ddzbot.illegal_moves import Refusal
from ddzbot.moves import (
    ANY,
    BOMB,
    DISTINCT,
    KIND_NAMES,
    LOOSEST,
    PASS,
    PASS_KIND,
    ROCKET,
    UNKNOWN,
    Move,
    RulesError,
    Shape,
    readings,
)
from ddzbot.rule_sets import RuleSet

_CACHE = 1 << 12
"""Sets of cards whose readings are kept: 1.2 MB when full, and 4,800 games have 1,500."""

# What a set of cards is.


def classify(rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
    """
    Lists every reading of *cards* as a move, none if they are not a move.

    The legal grammar is asked, or with *recognised* the wider one. No cards at all are the pass.
    """
    return list(_readings(rules, cards, recognised))


@lru_cache(maxsize=_CACHE)
def _readings(rules: RuleSet, cards: Hand, recognised: bool) -> Tuple[Move, ...]:
    return tuple(readings(rules.recognised if recognised else rules.legal, cards))


# What beats what.


def beats(rules: RuleSet, cards: Hand, to_beat: Hand) -> bool:
    """
    Checks if playing *cards* is a legal answer to *to_beat*.

    Any legal reading of the one may beat any recognised reading of the other. For example, ``44`` beats
    ``33``, and any bomb beats both. Cards of unknown kind are beaten by bombs and the rocket only.

    :raises RulesError: if *to_beat* has no cards: a pass is nothing to beat.
    """
    _demand_cards(to_beat)
    others = classify(rules, to_beat, recognised=True) or [Move(to_beat, UNKNOWN, -1, 0)]
    return any(reading_beats(move, beaten) for move in classify(rules, cards) for beaten in others)


def reading_beats(move: Move, other: Move) -> bool:
    """Checks if one reading beats another: rocket, then bombs, then the same kind and size at a higher rank."""
    if move.kind == PASS_KIND or other.kind == ROCKET:
        return False
    if move.kind == ROCKET or other.kind == PASS_KIND:
        return True
    if move.kind == BOMB and other.kind != BOMB:
        return True
    return (
        move.kind == other.kind and move.rank > other.rank and move.length == other.length and move.size == other.size
    )


def _demand_cards(to_beat: Hand) -> None:
    if not to_beat:
        raise RulesError("to_beat: a pass is nothing to beat: give the move before it, or None on a lead")


def explain(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Optional[Move] = None) -> Optional[Refusal]:
    """
    Gets why *cards* may not be played from *hand* now, which is one sentence as a text, or None if they may.

    :raises RulesError: if *to_beat* is a pass.
    """
    if to_beat is not None:
        _demand_cards(to_beat.cards)
    if not cards:
        return None if to_beat else Refusal(illegal_moves.PASS_ON_A_LEAD, rules.name, "")
    written = hand_text(cards)
    if not contains(hand, cards):
        return Refusal(illegal_moves.NOT_HELD, rules.name, written, hand=hand_text(hand))
    own = classify(rules, cards)
    if not own:
        return _why_no_move(rules, cards)
    if not to_beat or beats(rules, cards, to_beat.cards):
        return None
    move = own[0]
    kind, beaten, beaten_kind = KIND_NAMES[move.kind], str(to_beat), KIND_NAMES[to_beat.kind]
    if move.kind != to_beat.kind:
        return Refusal(illegal_moves.OTHER_KIND, rules.name, written, kind=kind, beaten=beaten, beaten_kind=beaten_kind)
    if move.size != to_beat.size:
        return Refusal(illegal_moves.OTHER_LENGTH, rules.name, written, kind=kind, beaten=beaten, number=to_beat.size)
    return Refusal(illegal_moves.TOO_LOW, rules.name, written, kind=kind, beaten=beaten)


def _why_no_move(rules: RuleSet, cards: Hand) -> Refusal:
    legal = {shape.kind: shape for shape in rules.legal}
    for reading in readings(LOOSEST, cards):
        written, kind = str(reading), KIND_NAMES[reading.kind]
        if reading.kind not in legal:
            return Refusal(illegal_moves.NO_SUCH_KIND, rules.name, written, kind=kind)
        shape = legal[reading.kind]
        if shape.length_for(reading.size) != reading.length:
            return Refusal(illegal_moves.NUMBER_OF_KICKERS, rules.name, written, kind=kind, number=shape.per_group)
        return Refusal(illegal_moves.KICKERS, rules.name, written, kind=kind, kicker_rule=shape.kicker_rule)
    return Refusal(illegal_moves.NO_MOVE, rules.name, hand_text(cards))


# Every legal move.


def legal_moves(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
    """
    Lists every legal move, each set of cards once, in a fixed order.

    Without *to_beat* the hand leads and must not pass. Otherwise the pass comes first, then the answers of the
    same kind by rank, then bombs, then the rocket. *to_beat* may be of unknown kind.

    :raises RulesError: if *to_beat* is a pass: it does not tell whether the hand leads, or what lies below the pass.
    """
    if to_beat is None:
        moves = _leads(rules, hand)
        by_cards: Dict[Hand, Move] = {}
    else:
        _demand_cards(to_beat.cards)
        moves = _follows(rules, hand, to_beat)
        by_cards = {0: PASS}
    for move in moves:
        by_cards.setdefault(move.cards, move)
    if contains(hand, ROCKET_CARDS) and (to_beat is None or to_beat.kind != ROCKET):
        by_cards[ROCKET_CARDS] = Move(ROCKET_CARDS, ROCKET, LITTLE_JOKER, 1)
    return list(by_cards.values())


def _leads(rules: RuleSet, hand: Hand) -> Iterator[Move]:
    for shape in rules.legal:
        longest = min(shape.max_length, rules.largest_hand // shape.cards_per_rank)
        for length in range(shape.min_length, longest + 1):
            moves = [*_played(shape, hand, 0, length)]
            if not moves:
                break  # whoever holds a longer chain holds a shorter one
            yield from moves


def _follows(rules: RuleSet, hand: Hand, to_beat: Move) -> Iterator[Move]:
    total = to_beat.size
    for beaten in _readings(rules, to_beat.cards, True):
        for shape in rules.legal:
            if shape.kind == beaten.kind and shape.length_for(total) == beaten.length:
                for move in _played(shape, hand, beaten.rank + 1, beaten.length):
                    yield move
    if to_beat.kind not in (BOMB, ROCKET):
        for shape in rules.legal:
            if shape.kind == BOMB:
                for move in _played(shape, hand, 0, 1):
                    yield move


def _played(shape: Shape, hand: Hand, lowest: int, length: int) -> Iterator[Move]:
    """Yields the moves of one shape and length whose body starts at rank *lowest* or higher."""
    for rank in range(lowest, shape.top_rank - length + 2):
        body = shape.body(rank, length)
        if contains(hand, body):
            for kickers in _kicker_sets(shape, hand - body, body, length * shape.per_group):
                yield Move(body + kickers, shape.kind, rank, length)


def _kicker_sets(shape: Shape, rest: Hand, body: Hand, number: int) -> List[Hand]:
    """Lists the sets of *number* kickers that *rest* holds, as the shape's kicker rule allows them."""
    if not number:
        return [0]
    chosen = [sum(kickers) for kickers in combinations(kicker_choice(shape, rest, body), number)]
    return chosen if shape.kicker_rule == DISTINCT else list(dict.fromkeys(chosen))


def kicker_choice(shape: Shape, rest: Hand, body: Hand) -> List[Hand]:
    """
    Lists the kickers in *rest* that may go with *body*, each as often as the shape's kicker rule allows it.

    For example, beside the body ``333444`` the rest ``4556`` offers ``5``, ``6`` when kickers must be distinct and
    ``5``, ``5``, ``6`` when they may be repeated. A shape without kickers has none.
    """
    if not shape.kicker:
        return []
    kickers: List[Hand] = []
    for rank in range(RANK_COUNT):
        copies = count(rest, rank) // shape.kicker
        if copies and (shape.kicker_rule == ANY or not count(body, rank)):
            kickers += [UNIT[rank] * shape.kicker] * (1 if shape.kicker_rule == DISTINCT else copies)
    return kickers
