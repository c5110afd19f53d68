"""
The rule sets as data: kinds of move, their shapes, and what each platform allows, understands and pays.

A rule set has two grammars. ``legal`` is what we may lay; ``recognised`` is a superset that we must
understand when others lay it. A grammar is a tuple of :class:`Shape` objects, and a shape is a row of numbers:
how often the body holds each rank, how long its chain is, and which kickers go with it. All that platforms disagree
about is in those rows and in the other fields of :class:`RuleSet`; no other module asks for the name of a rule set.

Sources: the actual behaviour of the two Botzone judges (`botzone`, `botzone2`), the move list common in papers
(`standard`), the 30-card course game (`mini`), and the sample engine of the Chinese championship (`icga`).
"""

from typing import Dict, NamedTuple, Tuple

from ddzbot.cards import ACE, BIG_JOKER, FULL_DECK, ROCKET_CARDS, TWO, UNIT, Hand, hand_text, size

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
"""The move that lays no card."""

DISTINCT = 0
"""Kicker rule: every kicker has a rank of its own, and none of them occurs in the body."""
REPEATED = 1
"""Kicker rule: kickers may share a rank, but none of them occurs in the body."""
ANY = 2
"""Kicker rule: any cards."""


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

    def pays_as(self, other: "RuleSet") -> bool:
        """Tells whether a game is paid the same under both, so that points learned under one hold for the other."""
        return (self.scoring, self.bidding) == (other.scoring, other.bidding)

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
LOOSEST = _grammar(ANY, REPEATED, True, (1, 2), (1, 2))
"""What could be meant at all: it names what a refused set of cards looks like."""
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
"""Every rule set by its name."""


def rule_set(name: str) -> RuleSet:
    """
    Gets a rule set by its name.

    :raises RulesError: for a name that is not in :data:`RULE_SETS`.
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        raise RulesError("rule set {!r:.60} is unknown; there are {}".format(name, ", ".join(RULE_SETS))) from None
