"""
The readable specification of the game: rule sets, moves, what beats what, and every legal move.

A rule set has two grammars. ``legal`` is what we may lay; ``recognised`` is a superset that we must
understand when others lay it. A grammar is a tuple of :class:`Shape` objects, and a shape is a row of numbers:
how often the body holds each rank, how long its chain is, and which kickers go with it. All that platforms disagree
about is in those rows and in the other fields of :class:`RuleSet`; no other module asks for the name of a rule set.

A set of cards may have several readings. Under ``standard``, ``333444555666`` is a plane of four or a plane of
three with three kickers. Moves are therefore compared by all their readings, and a move's identity is its cards.

Sources: the actual behaviour of the two Botzone judges (`botzone`, `botzone2`), the move list common in papers
(`standard`), the 30-card course game (`mini`), and the sample engine of the Chinese championship (`icga`).
"""

from itertools import combinations
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ddzbot.cards import (
    ACE,
    BIG_JOKER,
    FULL_DECK,
    LITTLE_JOKER,
    RANK_COUNT,
    ROCKET_CARDS,
    TWO,
    UNIT,
    Hand,
    contains,
    count,
    hand_text,
    parse_hand,
    size,
)

KIND_NAMES = (
    "pass",
    "solo",
    "pair",
    "trio",
    "trio_solo",
    "trio_pair",
    "solo_chain",
    "pair_chain",
    "plane",
    "plane_solo",
    "plane_pair",
    "four_two_solo",
    "four_two_pair",
    "bomb",
    "rocket",
    "shuttle",
    "shuttle_solo",
    "shuttle_pair",
    "unknown",
)
"""The name of each kind of move; a kind is an index into this tuple."""

(
    PASS_KIND,
    SOLO,
    PAIR,
    TRIO,
    TRIO_SOLO,
    TRIO_PAIR,
    SOLO_CHAIN,
    PAIR_CHAIN,
    PLANE,
    PLANE_SOLO,
    PLANE_PAIR,
    FOUR_TWO_SOLO,
    FOUR_TWO_PAIR,
    BOMB,
    ROCKET,
    SHUTTLE,
    SHUTTLE_SOLO,
    SHUTTLE_PAIR,
    UNKNOWN,
) = range(len(KIND_NAMES))


class RulesError(ValueError):
    """Raised for a move or a rule set that cannot be understood; the message is one sentence that names it."""


class Move(NamedTuple):
    """One reading of a set of cards laid at once, or the pass."""

    cards: Hand
    kind: int
    """Index into :data:`KIND_NAMES`."""
    rank: int
    """The lowest rank of the body; -1 for the pass and for moves of unknown kind."""
    length: int
    """The number of ranks in the body: 1 without a chain, 0 for the pass and for unknown kinds."""

    @property
    def size(self) -> int:
        """The number of cards laid."""
        return size(self.cards)

    @property
    def is_pass(self) -> bool:
        """Tells the pass from a move that lays cards."""
        return not self.cards

    def __str__(self) -> str:
        return hand_text(self.cards) or "pass"


PASS = Move(0, PASS_KIND, -1, 0)

DISTINCT = 0
"""Kicker rule: every kicker has a rank of its own, and none of them occurs in the body."""
REPEATED = 1
"""Kicker rule: kickers may share a rank, but none of them occurs in the body."""
ANY = 2
"""Kicker rule: any cards."""

_KICKER_TEXT = (
    "must be of different ranks outside its body",
    "must be outside its body",
    "may be any cards",
)


class Shape(NamedTuple):
    """One kind of move as numbers: a body of equal groups in consecutive ranks, and its kickers."""

    kind: int
    group: int
    """How many cards of each body rank: 1 to 4."""
    min_length: int
    max_length: int
    """The number of consecutive body ranks; both are 1 when the kind has no chain."""
    kicker: int
    """Cards of one kicker: 0 (there are none), 1 (solo) or 2 (pair)."""
    per_group: int
    """Kickers for each body rank."""
    kicker_rule: int

    @property
    def cards_per_rank(self) -> int:
        """How many cards, kickers included, a move has for each rank of its body."""
        return self.group + self.kicker * self.per_group

    @property
    def top_rank(self) -> int:
        """The highest rank a body may hold: no 2 in a chain, no joker in a group."""
        if self.max_length > 1:
            return ACE
        return BIG_JOKER if self.group == 1 else TWO

    def length_for(self, cards: int) -> int:
        """Gets the chain length at which this shape has that many cards, or 0 if there is none."""
        length, rest = divmod(cards, self.cards_per_rank)
        return length if rest == 0 and self.min_length <= length <= self.max_length else 0


class Scoring(NamedTuple):
    """How a platform pays; every triple is in seat order (landlord, landlord_down, landlord_up)."""

    landlord_wins: Tuple[int, int, int]
    peasants_win: Tuple[int, int, int]
    landlord_fault: Tuple[float, float, float]
    peasant_fault: Tuple[float, float, float]
    bombs_double: bool
    spring_doubles: bool
    """Spring (both peasants never played) and anti-spring (the landlord played once) double the score."""
    trick_points: Dict[int, int]
    """Hundredths of a point by kind, paid for each move whoever wins; the peasants share theirs."""
    long_shuttle_points: int
    """Hundredths added for a shuttle of three or more quads."""


class RuleSet(NamedTuple):
    """Everything that differs between platforms."""

    name: str
    deck: Hand
    dealt: int
    """Cards dealt to each player before the landlord takes the bottom."""
    bottom_size: int
    bidding: bool
    open_bids: bool
    """Everybody hears every bid; otherwise a bidder hears the earlier bids, and all hear who won at what."""
    legal: Tuple[Shape, ...]
    """What we may lay."""
    recognised: Tuple[Shape, ...]
    """What we understand when others lay it; a superset of ``legal``."""
    scoring: Scoring

    @property
    def largest_hand(self) -> int:
        """The landlord's first hand, and so the most cards that one move can have."""
        return self.dealt + self.bottom_size

    def seat_cards(self, seat: int) -> int:
        """Counts the cards that *seat* starts the play with."""
        return self.largest_hand if seat == 0 else self.dealt

    def __hash__(self) -> int:
        return hash(self.name)


def _grammar(
    kicker_rule: int,
    pair_rule: int,
    shuttles: bool,
    shuttle_solos: Tuple[int, ...],
    shuttle_pairs: Tuple[int, ...],
) -> Tuple[Shape, ...]:
    shapes = [
        Shape(SOLO, 1, 1, 1, 0, 0, DISTINCT),
        Shape(PAIR, 2, 1, 1, 0, 0, DISTINCT),
        Shape(TRIO, 3, 1, 1, 0, 0, DISTINCT),
        Shape(TRIO_SOLO, 3, 1, 1, 1, 1, DISTINCT),
        Shape(TRIO_PAIR, 3, 1, 1, 2, 1, DISTINCT),
        Shape(SOLO_CHAIN, 1, 5, 12, 0, 0, DISTINCT),
        Shape(PAIR_CHAIN, 2, 3, 12, 0, 0, DISTINCT),
        Shape(PLANE, 3, 2, 12, 0, 0, DISTINCT),
        Shape(PLANE_SOLO, 3, 2, 12, 1, 1, kicker_rule),
        Shape(PLANE_PAIR, 3, 2, 12, 2, 1, pair_rule),
        Shape(FOUR_TWO_SOLO, 4, 1, 1, 1, 2, kicker_rule),
        Shape(FOUR_TWO_PAIR, 4, 1, 1, 2, 2, pair_rule),
        Shape(BOMB, 4, 1, 1, 0, 0, DISTINCT),
    ]
    if shuttles:
        shapes.append(Shape(SHUTTLE, 4, 2, 12, 0, 0, DISTINCT))
    shapes += [Shape(SHUTTLE_SOLO, 4, 2, 12, 1, each, kicker_rule) for each in shuttle_solos]
    shapes += [Shape(SHUTTLE_PAIR, 4, 2, 12, 2, each, pair_rule) for each in shuttle_pairs]
    return tuple(shapes)


_BOTZONE_POINTS = {
    SOLO: 1,
    PAIR: 2,
    TRIO: 4,
    TRIO_SOLO: 4,
    TRIO_PAIR: 4,
    SOLO_CHAIN: 6,
    PAIR_CHAIN: 6,
    PLANE: 8,
    PLANE_SOLO: 8,
    PLANE_PAIR: 8,
    FOUR_TWO_SOLO: 8,
    FOUR_TWO_PAIR: 8,
    BOMB: 10,
    ROCKET: 16,
    SHUTTLE: 10,
    SHUTTLE_SOLO: 10,
    SHUTTLE_PAIR: 10,
}

_POINTS = Scoring((2, 0, 0), (0, 2, 2), (-1, 2.5, 2.5), (2.5, -1, -1), False, False, _BOTZONE_POINTS, 10)
_STAKES = Scoring((2, -1, -1), (-2, 1, 1), (-2, 1, 1), (2, -1, -1), True, True, {}, 0)
_STAKES_WITHOUT_SPRING = _STAKES._replace(spring_doubles=False)

_MINI_DECK = sum(4 * UNIT[rank] for rank in range(6, 13)) + ROCKET_CARDS

_botzone = _grammar(DISTINCT, DISTINCT, True, (1,), (1,))
_botzone2 = _grammar(DISTINCT, DISTINCT, True, (2,), (2,))
_standard = _grammar(REPEATED, DISTINCT, False, (), ())
_shuttles_bare = _grammar(DISTINCT, DISTINCT, True, (), ())
_shuttles_both = _grammar(DISTINCT, DISTINCT, True, (1, 2), (1, 2))
_no_shuttles = _grammar(DISTINCT, DISTINCT, False, (), ())
_loosest = _grammar(ANY, REPEATED, True, (1, 2), (1, 2))
_loose_without_shuttles = _grammar(ANY, REPEATED, False, (), ())

BOTZONE = RuleSet("botzone", FULL_DECK, 17, 3, False, False, _botzone, _botzone, _POINTS)
"""Botzone's FightTheLandlord: no bidding, small scores, shuttles with one kicker a quad."""
BOTZONE2 = RuleSet("botzone2", FULL_DECK, 17, 3, True, False, _botzone2, _botzone2, _STAKES)
"""Botzone's FightTheLandlord2: bidding, doubling, shuttles with two kickers a quad."""
MINI = RuleSet("mini", _MINI_DECK, 9, 3, False, False, _shuttles_bare, _shuttles_both, _POINTS)
"""The 30-card game of 9..A 2 L B, 12 cards against 9 and 9."""
STANDARD = RuleSet("standard", FULL_DECK, 17, 3, False, False, _standard, _standard, _STAKES_WITHOUT_SPRING)
"""The rules of most papers and puzzles: solo kickers may share a rank, no shuttles."""
ICGA = RuleSet("icga", FULL_DECK, 17, 3, True, True, _no_shuttles, _loose_without_shuttles, _STAKES)
"""The Chinese championship: only what both Botzone and the sample engine accept; looser kickers are understood."""

RULE_SETS = {rules.name: rules for rules in (BOTZONE, BOTZONE2, MINI, STANDARD, ICGA)}


def rule_set(name: str) -> RuleSet:
    """
    Gets a rule set by its name.

    :raises RulesError: for a name that is not in :data:`RULE_SETS`.
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        raise RulesError("rule set {!r} is unknown; there are {}".format(name, ", ".join(RULE_SETS))) from None


# What a set of cards is.


def classify(rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
    """
    Lists every reading of *cards* as a move, none if they are no move.

    The legal grammar is asked, or with *recognised* the wider one. No cards at all are the pass.
    """
    return _readings(rules.recognised if recognised else rules.legal, cards)


def read_move(rules: RuleSet, cards: Hand) -> Move:
    """Gets the first recognised reading of what somebody laid; a move of kind ``unknown`` if there is none."""
    readings = _readings(rules.recognised, cards)
    return readings[0] if readings else Move(cards, UNKNOWN, -1, 0)


def parse_move(rules: RuleSet, text: str) -> Move:
    """
    Reads ``pass`` or the text form of cards. For example, ``34567`` is a solo chain.

    :raises CardsError: if the text is no cards.
    :raises RulesError: if the cards are no move that the rule set recognises.
    """
    if text == "pass":
        return PASS
    move = read_move(rules, parse_hand(text))
    if move.kind in (PASS_KIND, UNKNOWN):
        raise RulesError(f"{text!r} is no move (rules {rules.name})")
    return move


def _readings(grammar: Tuple[Shape, ...], cards: Hand) -> List[Move]:
    if not cards:
        return [PASS]
    if cards == ROCKET_CARDS:
        return [Move(cards, ROCKET, LITTLE_JOKER, 1)]
    total = size(cards)
    found = []
    for shape in grammar:
        length = shape.length_for(total)
        if length:
            for rank in range(shape.top_rank - length + 2):
                body = _body(shape, rank, length)
                if contains(cards, body) and _are_kickers(shape, cards - body, body):
                    found.append(Move(cards, shape.kind, rank, length))
    return found


def _body(shape: Shape, rank: int, length: int) -> Hand:
    return _RUN[length] * shape.group << (4 * rank)


_RUN = tuple(sum(UNIT[:length]) for length in range(RANK_COUNT + 1))


def _are_kickers(shape: Shape, rest: Hand, body: Hand) -> bool:
    """Checks the kicker rule alone: that the number of cards is right follows from the length."""
    for rank in range(RANK_COUNT):
        held = count(rest, rank)
        if not held:
            continue
        if held % shape.kicker or (shape.kicker_rule == DISTINCT and held != shape.kicker):
            return False
        if shape.kicker_rule != ANY and count(body, rank):
            return False
    return True


# What beats what.


def beats(rules: RuleSet, cards: Hand, to_beat: Hand) -> bool:
    """
    Checks if laying *cards* is a legal answer to *to_beat*.

    Any legal reading of the one may beat any recognised reading of the other. For example, ``44`` beats
    ``33``, and any bomb beats both. Cards of unknown kind are beaten by bombs and the rocket only.
    """
    others = classify(rules, to_beat, recognised=True) or [Move(to_beat, UNKNOWN, -1, 0)]
    return any(reading_beats(move, other) for move in classify(rules, cards) for other in others)


def reading_beats(move: Move, other: Move) -> bool:
    """Checks if one reading beats another: rocket, then bombs, then the same kind and size at a higher rank."""
    if move.kind == PASS_KIND or other.kind == ROCKET:
        return False
    if move.kind == ROCKET or other.kind == PASS_KIND:
        return True
    if move.kind == BOMB and other.kind != BOMB:
        return True
    return (
        move.kind == other.kind and move.length == other.length and move.size == other.size and move.rank > other.rank
    )


def explain(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Optional[Move] = None) -> Optional[str]:
    """Gets one sentence that says why *cards* may not be laid from *hand* now, or None if they may."""
    text = hand_text(cards)
    if not cards:
        return None if to_beat else "a lead cannot be a pass"
    if not contains(hand, cards):
        return f"{text}: the hand {hand_text(hand)} does not hold these cards"
    readings = classify(rules, cards)
    if not readings:
        return _explain_no_move(rules, cards)
    if not to_beat or beats(rules, cards, to_beat.cards):
        return None
    move = readings[0]
    if move.kind != to_beat.kind:
        return f"{text}: a {KIND_NAMES[move.kind]} cannot answer the {KIND_NAMES[to_beat.kind]} {to_beat}"
    if move.size != to_beat.size:
        return f"{text}: the answer to {to_beat} must have {to_beat.size} cards"
    return f"{text}: it does not beat {to_beat}"


def _explain_no_move(rules: RuleSet, cards: Hand) -> str:
    legal = {shape.kind: shape for shape in rules.legal}
    for reading in _readings(_loosest, cards):
        name = KIND_NAMES[reading.kind]
        if reading.kind not in legal:
            return f"{reading}: a {name} is no legal move (rules {rules.name})"
        shape = legal[reading.kind]
        if shape.length_for(reading.size) != reading.length:
            return f"{reading}: a {name} takes {shape.per_group} kickers a quad (rules {rules.name})"
        return f"{reading}: the kickers of a {name} {_KICKER_TEXT[shape.kicker_rule]} (rules {rules.name})"
    return f"{hand_text(cards)}: these cards are no move (rules {rules.name})"


# Every legal move.


def legal_moves(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
    """
    Lists every legal move, each set of cards once, in a fixed order.

    Without *to_beat* the hand leads and must not pass. Otherwise the pass comes first, then the answers of the
    same kind by rank, then bombs, then the rocket. *to_beat* may be of unknown kind.
    """
    if to_beat is None:
        moves = _leads(rules, hand)
        found = {}  # type: Dict[Hand, Move]
    else:
        moves = _follows(rules, hand, to_beat)
        found = {0: PASS}
    for move in moves:
        found.setdefault(move.cards, move)
    if contains(hand, ROCKET_CARDS) and (to_beat is None or to_beat.kind != ROCKET):
        found[ROCKET_CARDS] = Move(ROCKET_CARDS, ROCKET, LITTLE_JOKER, 1)
    return list(found.values())


def _leads(rules: RuleSet, hand: Hand) -> Iterator[Move]:
    for shape in rules.legal:
        longest = min(shape.max_length, rules.largest_hand // shape.cards_per_rank)
        for length in range(shape.min_length, longest + 1):
            yield from _laid(shape, hand, 0, length)


def _follows(rules: RuleSet, hand: Hand, to_beat: Move) -> Iterator[Move]:
    total = to_beat.size
    for other in classify(rules, to_beat.cards, recognised=True):
        for shape in rules.legal:
            if shape.kind == other.kind and shape.length_for(total) == other.length:
                for move in _laid(shape, hand, other.rank + 1, other.length):
                    yield move
    if to_beat.kind not in (BOMB, ROCKET):
        for shape in rules.legal:
            if shape.kind == BOMB:
                for move in _laid(shape, hand, 0, 1):
                    yield move


def _laid(shape: Shape, hand: Hand, lowest: int, length: int) -> Iterator[Move]:
    """Yields the moves of one shape and length whose body starts at rank *lowest* or higher."""
    for rank in range(lowest, shape.top_rank - length + 2):
        body = _body(shape, rank, length)
        if contains(hand, body):
            for kickers in _kicker_sets(shape, hand - body, body, length * shape.per_group):
                yield Move(body + kickers, shape.kind, rank, length)


def _kicker_sets(shape: Shape, rest: Hand, body: Hand, number: int) -> List[Hand]:
    """Lists the sets of *number* kickers that *rest* holds, as the shape's kicker rule allows them."""
    if not number:
        return [0]
    units = []
    for rank in range(RANK_COUNT):
        copies = count(rest, rank) // shape.kicker
        if copies and (shape.kicker_rule == ANY or not count(body, rank)):
            units += [UNIT[rank] * shape.kicker] * (1 if shape.kicker_rule == DISTINCT else copies)
    chosen = [sum(kickers) for kickers in combinations(units, number)]
    return chosen if shape.kicker_rule == DISTINCT else list(dict.fromkeys(chosen))
