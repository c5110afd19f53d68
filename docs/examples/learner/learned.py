"""Plays by what learn.py learned, wherever Python 3.6 runs: each number that is seen adds a row of a table."""

import array
import pkgutil

from ddzbot.env.layout import CHOICE, SEEN, SEEN_CARDS, choice_row, seen
from ddzbot.players.base import Decision, Player

HIDDEN, VALUES, ROLES = 64, 21, 3
ROLE = 15 * len(SEEN_CARDS)
"""Where a row of what is seen has the role of its player."""
ROWS = ROLES * (SEEN + CHOICE) * VALUES


def numbers(role, first, values):
    """Gets the rows of the table for values that stand from place *first* on: one each by role, place and value."""
    begin = (role * (SEEN + CHOICE) + first) * VALUES
    return [begin + place * VALUES + min(value, VALUES - 1) for place, value in enumerate(values)]


class Learned(Player):
    """Makes the move that the network thinks most likely to win."""

    name = "learned"

    def __init__(self, seed=0):
        super().__init__(seed)
        table = array.array("f", pkgutil.get_data(__name__, "learned.weights"))
        self.rows = [table[at : at + HIDDEN] for at in range(0, len(table), HIDDEN)]
        self.last = self.rows.pop()

    def choose(self, view, limit):
        """Values every legal move."""
        moves, here = view.legal_moves(), self.sums(numbers(view.seat, 0, seen(view)))
        worth = [self.worth(here, numbers(view.seat, SEEN, choice_row(move))) for move in moves]
        best = max(range(len(moves)), key=worth.__getitem__)
        return Decision(moves[best], {"logit": round(worth[best], 2), "moves": len(moves)})

    def sums(self, numbers):
        return [sum(column) for column in zip(*(self.rows[number] for number in numbers))]

    def worth(self, here, numbers):
        return sum(max(0.0, a + b) * out for a, b, out in zip(here, self.sums(numbers), self.last))
