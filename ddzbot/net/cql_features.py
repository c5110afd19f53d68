"""
Features ``cql-1``: what CQL, and the naive networks of the tools, are shown. Frozen; a change is a new version.

All numbers are 0 or 1, so that a situation and a move are each a list of the features that are 1.

A situation has 366 features. *Next* and *previous* are the seats that play after and before the own one:

* 0 to 299: five sets of cards, 60 features each: the own hand, the unseen cards, what next has played, what previous
has
  played, and the move to beat. Feature ``4 * rank + copy`` of a set is 1 where it has more than ``copy`` of that rank;
* 300 to 318: the kind of the move to beat; ``pass`` on a lead;
* 319 and 320: whether next or previous played it;
* 321 to 341 and 342 to 362: how many cards next and previous still hold, 0 to 20;
* 363 to 365: the own seat.

A move has 79 features: its cards as above, and its kind.
"""

from typing import List, NamedTuple, Tuple

from ddzbot.cards import Hand, counts
from ddzbot.game import SEATS
from ddzbot.rules import KIND_NAMES, PASS_KIND, Move
from ddzbot.view import View

NAME = "cql-1"
"""The name of these features in a weights file."""

SETS = 5
CARDS = 60
"""Features of one set of cards."""
KINDS = len(KIND_NAMES)
MOST_LEFT = 20
OWNER_AT = SETS * CARDS + KINDS
LEFT_AT = OWNER_AT + 2
SEAT_AT = LEFT_AT + 2 * (MOST_LEFT + 1)
STATE_FEATURES = SEAT_AT + SEATS
MOVE_FEATURES = CARDS + KINDS
NO_OWNER, NEXT, PREVIOUS = range(3)
"""The player of the move to beat, from the seat to move."""


class Facts(NamedTuple):
    """The knowledge of a seat, in short."""

    cards: Tuple[Hand, Hand, Hand, Hand, Hand]
    """The own hand, unseen, played by next, played by previous, to beat."""
    numbers: Tuple[int, int, int, int, int]
    """The kind of the move to beat, its player, the cards left of next and of previous, and the own seat."""


def facts_of(view: View) -> Facts:
    """Gets the facts of a view."""
    following, previous = (view.seat + 1) % SEATS, (view.seat + 2) % SEATS
    table, owner = view.to_beat, view.table_seat
    played = 0 if table is None else table.cards
    kind = PASS_KIND if table is None else table.kind
    by = NO_OWNER if owner is None else NEXT if owner == following else PREVIOUS
    left = [max(0, min(MOST_LEFT, view.cards_left(seat))) for seat in (following, previous)]
    return Facts(
        (view.hand, view.unseen, view.played(following), view.played(previous), played),
        (kind, by, left[0], left[1], view.seat),
    )


def state_features(facts: Facts) -> List[int]:
    """
    Lists the features of a situation that are 1, ascending.

    For example, a landlord who leads with 20 cards has 20 features of its hand and 34 of what is unseen.
    """
    features: List[int] = []
    for index, cards in enumerate(facts.cards):
        features += cards_features(cards, index * CARDS)
    kind, owner, left_next, left_previous, seat = facts.numbers
    features.append(SETS * CARDS + kind)
    if owner != NO_OWNER:
        features.append(OWNER_AT + owner - NEXT)
    return [*features, LEFT_AT + left_next, LEFT_AT + MOST_LEFT + 1 + left_previous, SEAT_AT + seat]


def move_features(move: Move) -> List[int]:
    """Lists the features of a move that are 1, ascending. For example, the pass has one."""
    return [*cards_features(move.cards, 0), CARDS + move.kind]


def cards_features(cards: Hand, start: int) -> List[int]:
    """Lists the features of a set of cards whose first one is *start*; a rank has four at most."""
    held = counts(cards)
    return [start + 4 * rank + copy for rank, copies in enumerate(held) for copy in range(min(4, copies))]
