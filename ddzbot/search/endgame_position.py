"""
A position with all hands open, as the endgame solver sees it.

There are two or three hands. The landlord, hand 0, plays against all others: a peasant who goes out wins for both.
With two hands the names only tell the hands apart. When all others have passed, the last player to play leads.
"""

from functools import lru_cache
from typing import Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple

from ddzbot.cards import RANK_COUNT, RANKS, Hand, count, hand_text, is_in_a_deck, parse_hand, size
from ddzbot.game import SEATS, Game
from ddzbot.moves import move_of_text, text_of_move
from ddzbot.readable import described, typed_back
from ddzbot.rule_sets import checked_rules
from ddzbot.rules import KIND_NAMES, PASS_KIND, ROCKET, SOLO, Move, RuleSet, legal_moves

LANDLORD = 0
PEASANTS = 1
"""The two sides."""

NOTHING: FrozenSet[int] = frozenset()


FAULTS = (
    NUMBER_OF_HANDS,
    NO_CARDS,
    IN_NO_DECK,
    LARGE_HAND,
    TOO_MANY,
    TOO_MANY_WITH_TABLE,
    NO_SEAT,
    NO_MOVE,
    PASS_TO_BEAT,
    NOBODY_PLAYED,
    OWN_MOVE,
    BANNED,
) = (
    "an endgame has two or three hands, not {count}",
    "{seat} has no cards",
    "{seat} has {hand}: these cards are in no deck",
    "{hand}: no hand has more than {most} cards",
    "the hands have {held} of {rank}; the deck of rules {rules} has {most}",
    "the hands and the table have {held} of {rank}; the deck of rules {rules} has {most}",
    "there is no seat {seat} to move: {count} hands are given",
    "the seat that played a move is given, but not the move",
    "a pass lies on the table, but a pass is nothing to beat",
    "{move}: which of the {count} seats played this move must be given",
    "{move}: {seat} cannot both have played this move and have to beat it",
    "a {kind} cannot be banned: every hand must have a lead",
)
"""Why a position cannot be, with the names of the values in braces."""


class Fault(str):
    """One sentence on why a position cannot be; *key* is one of :data:`FAULTS`, and *values* are those in it."""

    key: str
    values: Dict[str, object]

    def __new__(cls, key: str, **values: object) -> "Fault":
        """Fills the values in."""
        self = super().__new__(cls, key.format(**values))
        self.key, self.values = key, values
        return self

    def __getnewargs_ex__(self) -> Tuple[Tuple[str], Dict[str, object]]:
        """Copies and pickles it with what it was made of."""
        return (self.key,), self.values


class EndgameError(ValueError):
    """Raised for a position that cannot be; the message is one sentence that says why."""


@described(
    rules="The rule set.",
    hands="Two or three hands by seat; the landlord's is the first.",
    seat="The hand to move, from 0.",
    to_beat="The move on the table, None on a lead.",
    table_seat="The hand that played it.",
    banned="Kinds that no hand may play; solos cannot be banned, for then a hand may have no lead.",
)
class Endgame(NamedTuple):
    """
    A position with open hands, none of them empty.

    For example ``Endgame.from_text(STANDARD, ("4667788QK2", "334455QK2"))``: the landlord leads.
    """

    rules: RuleSet
    hands: Tuple[Hand, ...]
    seat: int = 0
    to_beat: Optional[Move] = None
    table_seat: Optional[int] = None
    banned: FrozenSet[int] = NOTHING

    @classmethod
    def from_text(
        cls,
        rules: RuleSet,
        hands: Sequence[str],
        seat: int = 0,
        to_beat: str = "",
        table_seat: Optional[int] = None,
        banned: Sequence[str] = (),
    ) -> "Endgame":
        """
        Reads a position; *to_beat* as the moves of :meth:`ddzbot.game.Game.from_text`, *banned* by the names of kinds.

        For example ``Endgame.from_text(STANDARD, ("3455", "67", "89"), 1, "3", 0, ("bomb",))``. Whether it can be is
        not asked here: :meth:`fault` says it.

        :raises CardsError: for a text that is no cards.
        :raises RulesError: for cards that are no move of the kind that is written after them.
        :raises ValueError: for a kind that does not exist.
        """
        recognised = checked_rules(rules).recognised
        move = move_of_text(to_beat, recognised) if to_beat else None
        kinds = frozenset(map(KIND_NAMES.index, banned))
        return cls(rules, tuple(map(parse_hand, hands)), seat, move, table_seat, kinds)

    def __repr__(self) -> str:
        return typed_back(
            self,
            lambda: {
                "rules": self.rules,
                "hands": tuple(map(hand_text, self.hands)),
                "seat": self.seat,
                "to_beat": "" if self.to_beat is None else text_of_move(self.to_beat, self.rules.recognised),
                "table_seat": self.table_seat,
                "banned": tuple(KIND_NAMES[kind] for kind in sorted(self.banned)),
            },
            seat=0,
            to_beat="",
            table_seat=None,
            banned=(),
        )

    @classmethod
    def of(cls, game: Game) -> "Endgame":
        """Gets the position of a running game."""
        to_beat = game.to_beat
        table_seat = None
        if to_beat is not None:
            table_seat = (game.seat - (2 if game.plays[-1].is_pass else 1)) % SEATS
        return cls(game.rules, game.hands, game.seat, to_beat, table_seat)

    @property
    def side(self) -> int:
        """The side to move."""
        return side_of(self.seat)

    @property
    def winner(self) -> Optional[int]:
        """The side that went out, None while every hand has cards."""
        return next((side_of(seat) for seat, hand in enumerate(self.hands) if not hand), None)

    def legal_moves(self) -> List[Move]:
        """Lists the legal moves, as :func:`ddzbot.rules.legal_moves` does, without those of banned kinds."""
        moves = legal_moves(without(self.rules, self.banned), self.hands[self.seat], self.to_beat)
        if ROCKET in self.banned:
            return [move for move in moves if move.kind != ROCKET]
        return moves

    def played(self, move: Move) -> "Endgame":
        """Gets the position after a legal *move*."""
        after = (self.seat + 1) % len(self.hands)
        if not move.is_pass:
            hands = tuple(hand - move.cards if seat == self.seat else hand for seat, hand in enumerate(self.hands))
            return self._replace(hands=hands, seat=after, to_beat=move, table_seat=self.seat)
        if after == self.table_seat:
            return self._replace(seat=after, to_beat=None, table_seat=None)
        return self._replace(seat=after)

    def fault(self) -> Optional["Fault"]:
        """Gets one sentence on why this position cannot be, None if it can."""
        return self._fault_of_hands() or self._fault_of_table() or self._fault_of_ban()

    def _fault_of_hands(self) -> Optional["Fault"]:
        if not 2 <= len(self.hands) <= SEATS:
            return Fault(NUMBER_OF_HANDS, count=len(self.hands))
        for seat, hand in enumerate(self.hands):
            if not hand:
                return Fault(NO_CARDS, seat=seat_name(self, seat))
            if not is_in_a_deck(hand):
                return Fault(IN_NO_DECK, seat=seat_name(self, seat), hand=f"{hand!r:.60}")
            if size(hand) > self.rules.largest_hand:
                return Fault(LARGE_HAND, hand=hand_text(hand), most=self.rules.largest_hand)
        everything = [*self.hands, *([self.to_beat.cards] if self.to_beat else [])]
        for rank in range(RANK_COUNT):
            held, most = sum(count(cards, rank) for cards in everything), count(self.rules.deck, rank)
            if held > most:
                key = TOO_MANY_WITH_TABLE if self.to_beat else TOO_MANY
                return Fault(key, held=held, rank=RANKS[rank], rules=self.rules.name, most=most)
        return None

    def _fault_of_table(self) -> Optional["Fault"]:
        seats = range(len(self.hands))
        if self.seat not in seats:
            return Fault(NO_SEAT, seat=self.seat, count=len(self.hands))
        if self.to_beat is None:
            return None if self.table_seat is None else Fault(NO_MOVE)
        if self.to_beat.is_pass:
            return Fault(PASS_TO_BEAT)
        if self.table_seat not in seats:
            return Fault(NOBODY_PLAYED, move=str(self.to_beat), count=len(self.hands))
        if self.table_seat == self.seat:
            return Fault(OWN_MOVE, move=str(self.to_beat), seat=seat_name(self, self.seat))
        return None

    def _fault_of_ban(self) -> Optional["Fault"]:
        for kind in (PASS_KIND, SOLO):
            if kind in self.banned:
                return Fault(BANNED, kind=KIND_NAMES[kind])
        return None


def side_of(seat: int) -> int:
    """Gets the side of a seat."""
    return PEASANTS if seat else LANDLORD


def seat_name(endgame: Endgame, seat: int) -> str:
    """Gets a seat's name, which for the second of two hands is just ``peasant``."""
    return seat_names(len(endgame.hands))[seat]


def seat_names(hands: int) -> Tuple[str, ...]:
    """Gets the names of the seats when there are so many hands."""
    return ("landlord", "peasant") if hands == 2 else ("landlord", "landlord_down", "landlord_up")


@lru_cache(maxsize=256)
def without(rules: RuleSet, banned: FrozenSet[int]) -> RuleSet:
    """Gets *rules* without the shapes of *banned* kinds; the rocket is not a shape, and stays."""
    if not banned:
        return rules
    return rules._replace(legal=tuple(shape for shape in rules.legal if shape.kind not in banned))
