"""
Observations and choices as rows of small numbers, the same that src/env/env.c writes.

Cards are fifteen counts, from 3 to the big joker. *Next* and *previous* are the seats that play after and before one.
"""

from typing import List, Sequence, Union

from ddzbot.cards import RANK_COUNT, Hand, counts
from ddzbot.game import SEATS
from ddzbot.rules import BOMB, KIND_NAMES, PASS, ROCKET, Move, RuleSet
from ddzbot.view import BidView, View

SEEN = 120
"""Numbers of what a player sees: 15 each of the cards below, then one each of the rest, then zeros."""
SEEN_CARDS = ("hand", "others", "played", "played_by_next", "played_by_previous", "bottom", "to_beat")
"""The own hand, what the two others hold, what each has played, after the auction the bottom, and what is to beat."""
SEEN_REST = (
    *("role", "left", "left_of_next", "left_of_previous", "kind", "played_by", "bombs", "stake"),
    *("first_bid", "second_bid", "position"),
)
"""
The role (0 landlord, 1 down, 2 up, 3 in the auction), cards that are left, the kind of the move to beat and the player
who played it (0 none, 1 next, 2 previous, 3 oneself), bombs so far, the stake (0 in the auction), in the auction the
first two bids (0 not yet, else 1 more than the bid), and the place at the table.
"""
CHOICE = 16
"""Numbers of a choice: fifteen counts and the kind."""
BID_KIND = len(KIND_NAMES)
"""The kind of the bid of 0; those of 1, 2 and 3 follow."""
IN_AUCTION = 3

Choice = Union[Move, int]
"""Type alias: a move, or a bid."""


_DIGITS = bytes(range(ord("0"))) + bytes(range(10)) + bytes(range(ord("0") + 10, 256))
"""What a count is as a byte, by the digit that stands for it."""


_ZEROS = bytes(SEEN - len(SEEN_CARDS) * RANK_COUNT - len(SEEN_REST))


def seen(view: Union[View, BidView]) -> List[int]:
    """
    Lists what a player sees in a view, all from the moves that it has seen.

    This is the definition; the kernel gives the same.
    """
    if isinstance(view, BidView):
        return list(seen_in_auction(view.rules, view.hand, view.bids, len(view.bids)))
    seat, to_beat = view.seat, view.to_beat or PASS
    order = [(seat + step) % SEATS for step in range(SEATS)]
    cards = [view.hand, view.unseen, *map(view.played, order), view.bottom, to_beat.cards]
    played_by = view.table_seat
    rest = (
        *(seat, *map(view.cards_left, order), to_beat.kind),
        0 if played_by is None else order.index(played_by) or SEATS,
        sum(move.kind in (BOMB, ROCKET) for move in view.plays),
        *(view.stake, 0, 0, (view.landlord_position + seat) % SEATS),
    )
    numbers = [number for each in cards for number in counts(each)]
    numbers += rest
    return numbers + [0] * (SEEN - len(numbers))


def seen_in_auction(rules: RuleSet, hand: Hand, bids: Sequence[int], position: int) -> bytearray:
    """Gets what the player at a position sees while others bid."""
    heard = [1 + bid for bid in bids[: SEATS - 1]] + [0, 0]
    rest = (IN_AUCTION, *[rules.dealt] * SEATS, PASS.kind, 0, 0, 0, *heard[: SEATS - 1], position)
    return row((hand, rules.deck - hand, 0, 0, 0, 0, 0), rest)


def row(cards: Sequence[Hand], rest: Sequence[int]) -> bytearray:
    """Gets the numbers of :data:`SEEN_CARDS` and :data:`SEEN_REST`, and the zeros behind them."""
    # A hand has a digit a rank: written as one number, all are read at once, in a fifth of the time.
    first, second, third, fourth, fifth, sixth, seventh = cards
    above = fifth << 240 | sixth << 300 | seventh << 360 | 1 << 420
    digits = hex(first | second << 60 | third << 120 | fourth << 180 | above)
    return bytearray(digits[:2:-1].encode().translate(_DIGITS) + bytes(rest) + _ZEROS)


def choice_row(choice: Choice) -> List[int]:
    """Lists the numbers of a choice."""
    if isinstance(choice, Move):
        return [*counts(choice.cards), choice.kind]
    return [*counts(0), BID_KIND + choice]
