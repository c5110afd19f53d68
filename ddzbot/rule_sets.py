"""
The rule sets as data: what each platform deals, allows, understands and pays.

A rule set has two grammars. ``legal`` is what we may play; ``recognised`` is a superset that we must understand when
others play it. All that platforms disagree about is in their rows (:mod:`ddzbot.moves`) and in the other fields of
:class:`RuleSet`; no other module asks for the name of a rule set.

Sources: the actual behaviour of the two Botzone judges (`botzone`, `botzone2`), the move list common in papers
(`standard`), the 30-card course game (`mini`), and the sample engine of the Chinese championship (`icga`).
"""

from typing import Any, Dict, NamedTuple, Tuple

from ddzbot.cards import FULL_DECK, ROCKET_CARDS, UNIT, Hand
from ddzbot.moves import (
    ANY,
    BOMB,
    DISTINCT,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    PAIR,
    PAIR_CHAIN,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    REPEATED,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    RulesError,
    Shape,
    grammar,
)
from ddzbot.readable import call_text, described, plain


class Scoring(NamedTuple):
    """The payment of a platform; every triple is in seat order (landlord, landlord_down, landlord_up)."""

    landlord_wins: Tuple[int, int, int]
    peasants_win: Tuple[int, int, int]
    landlord_fault: Tuple[float, float, float]
    peasant_fault: Tuple[float, float, float]
    bombs_double: bool
    spring_doubles: bool
    """Spring (both peasants never played) and anti-spring (the landlord played once) double the score."""
    trick_points: Dict[int, int]
    """Hundredths of a point by kind, paid for each move to winners and losers; the peasants share theirs."""
    long_shuttle_points: int
    """Hundredths added for a shuttle of three or more quads."""


@described(
    name="The name, as ``rule_set`` takes it.",
    deck="All cards of the game.",
    dealt="Cards dealt to each player before the landlord takes the bottom.",
    bottom_size="Cards of the bottom.",
    bidding="Whether a game begins with an auction.",
    open_bids="Whether all hear every bid; otherwise a bidder hears the earlier ones, and all hear the winner's.",
    legal="The legal shapes: solos, pairs, trios, bombs, and further ones.",
    recognised="The shapes that are read when others play them; a superset of ``legal``.",
    scoring="The payment.",
)
class RuleSet(NamedTuple):
    """Everything that differs between platforms."""

    name: str
    deck: Hand
    dealt: int
    bottom_size: int
    bidding: bool
    open_bids: bool
    legal: Tuple[Shape, ...]
    recognised: Tuple[Shape, ...]
    scoring: Scoring

    @property
    def largest_hand(self) -> int:
        """The landlord's first hand, and so the most cards that one move can have."""
        return self.dealt + self.bottom_size

    def pays_as(self, other: "RuleSet") -> bool:
        """Checks if a game is paid the same under both, so that points learned under one hold for the other."""
        return (self.scoring, self.bidding) == (other.scoring, other.bidding)

    def seat_cards(self, seat: int) -> int:
        """Counts the cards that *seat* starts the play with."""
        return self.largest_hand if seat == 0 else self.dealt

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> "Tuple[Any, Tuple[Any, ...]]":
        """Pickles a rule set that has a name by that: its copies are the one of their process, and found at once."""
        registered = RULE_SETS.get(self.name) if isinstance(self.name, str) else None
        return (rule_set, (self.name,)) if registered == self else (RuleSet, tuple(self))

    def __repr__(self) -> str:
        """Writes ``rule_set('botzone')``, and what differs where it is a changed copy."""
        registered = RULE_SETS.get(self.name) if isinstance(self.name, str) else None
        if registered is None:
            return plain(self)
        fields = zip(self._fields, self, registered)
        changed = {field: own for field, own, usual in fields if own is not usual and own != usual}
        call = call_text("rule_set", self.name)
        return call_text(f"{call}._replace", **changed) if changed else call


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

_botzone = grammar(DISTINCT, DISTINCT, True, (1,), (1,))
_botzone2 = grammar(DISTINCT, DISTINCT, True, (2,), (2,))
_standard = grammar(REPEATED, DISTINCT, False, (), ())
_shuttles_bare = grammar(DISTINCT, DISTINCT, True, (), ())
_shuttles_both = grammar(DISTINCT, DISTINCT, True, (1, 2), (1, 2))
_no_shuttles = grammar(DISTINCT, DISTINCT, False, (), ())
_loose_without_shuttles = grammar(ANY, REPEATED, False, (), ())

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


def checked_rules(given: object) -> RuleSet:
    """
    Takes a rule set.

    :raises TypeError: for anything else, such as the name of one.
    """
    if not isinstance(given, RuleSet):
        raise TypeError(f"rules must be a RuleSet, such as rule_set('botzone'), not {given!r:.60}")
    return given
