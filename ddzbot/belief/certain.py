"""The certain facts about the two hidden hands of a view: sizes, known cards, and bounds for each rank."""

from typing import List, NamedTuple, Tuple

from ddzbot.cards import Hand, contains, count, counts, hand_of_counts, hand_text, size
from ddzbot.game import SEATS
from ddzbot.view import View


class BeliefError(ValueError):
    """Raised where no world fits a view or a model is unknown; the message is one sentence."""


class Certain(NamedTuple):
    """
    The facts about the hidden hands.

    The hidden seats are in order of play: the first is the one that plays after the viewer. For example, for
    landlord_down they are landlord_up and the landlord.
    """

    seats: Tuple[int, int]
    sizes: Tuple[int, int]
    """The number of cards of each."""
    unseen: Hand
    """The cards of both together."""
    known: Tuple[Hand, Hand]
    """Cards that were seen to go to a seat and have not been played: for peasants, what is left of the bottom."""
    least: Tuple[Hand, Hand]
    """For each rank the fewest cards that the seat can hold: these cards it holds for certain."""
    most: Tuple[Hand, Hand]
    """For each rank the most cards that the seat can hold."""

    def allows(self, first: Hand, second: Hand) -> bool:
        """Checks if the hidden hands can be *first* and *second*, in the order of :attr:`seats`."""
        return (
            first + second == self.unseen
            and (size(first), size(second)) == self.sizes
            and contains(first, self.known[0])
            and contains(second, self.known[1])
        )


def what_is_certain(view: View) -> Certain:
    """
    Gets the facts that follow for certain from *view*.

    For example, a peasant who sees the bottom ``22L`` and has seen the landlord play one ``2`` knows that the
    landlord still holds ``2L``. Where the bottom is unknown (an empty one), nothing follows from it.

    :raises BeliefError: for a view that contradicts itself.
    """
    contradiction = view.contradiction()
    if contradiction:
        raise BeliefError(contradiction)
    first, second = seats = ((view.seat + 1) % SEATS, (view.seat + 2) % SEATS)
    sizes = (view.cards_left(first), view.cards_left(second))
    unseen = view.unseen
    known = (_known_to_hold(view, first), _known_to_hold(view, second))
    for cards, room in zip(known, sizes):
        if size(cards) > room:
            raise BeliefError(f"the landlord holds {room} cards and cannot have {hand_text(cards)} of the bottom left")
    least, most = _bounds(unseen, sizes[0], known)
    return Certain(seats, sizes, unseen, known, (least, unseen - most), (most, unseen - least))


def _known_to_hold(view: View, seat: int) -> Hand:
    return 0 if seat else view.bottom_left


def with_known_cards(certain: Certain, place: int, cards: Hand) -> Certain:
    """
    Gets the facts as they were if the hidden seat of that *place*, 0 or 1, surely held these *cards* too.

    For example, to suppose ``99`` in a hand of two cards leaves it nothing else. They must be free cards, and the hand
    must have room for them.
    """
    first, second = certain.known
    known = (first + cards, second) if place == 0 else (first, second + cards)
    least, most = _bounds(certain.unseen, certain.sizes[0], known)
    bounds = (least, certain.unseen - most), (most, certain.unseen - least)
    return certain._replace(known=known, least=bounds[0], most=bounds[1])


def _bounds(unseen: Hand, first_size: int, known: Tuple[Hand, Hand]) -> Tuple[Hand, Hand]:
    """
    Gets the fewest and the most cards of each rank in the first hidden hand.

    A rank can be no lower than what the other ranks, all at their most, leave of the hand, and no higher than what
    they leave at their least. One step is exact, because the hand size is the only tie between ranks.
    """
    highest = unseen - known[1]
    short_of_most, above_least = size(highest) - first_size, first_size - size(known[0])
    least: List[int] = []
    most: List[int] = []
    for low, high in zip(counts(known[0]), counts(highest)):
        least.append(max(low, high - short_of_most))
        most.append(min(high, low + above_least))
    return hand_of_counts(least), hand_of_counts(most)


def free_cards(certain: Certain, rank: int) -> int:
    """Counts the unseen cards of *rank* that are not known to be in either hidden hand."""
    return count(certain.unseen, rank) - count(certain.known[0], rank) - count(certain.known[1], rank)
