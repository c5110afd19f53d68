"""Players and work that are bad for a worker."""

import os
import signal
from collections.abc import Iterator

from ddzbot.players.base import Decision
from ddzbot.players.random_player import RandomPlayer
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tools.shared.seeds import deal_seed, player_seed

POISONED = 7
"""The set in which :class:`Poison` kills the process that plays it."""


class Poison(RandomPlayer):
    """As ``random``, but for one decision of the match with seed 3 that ends the process."""

    name = "poison"

    def choose(self, view: View, limit: Limit) -> Decision:
        if self.seed == player_seed(deal_seed(3, "report", POISONED), 0, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, limit)


def squares_but_of_3(numbers: list[int]) -> Iterator[int]:
    for root in numbers:
        if root == 3:
            raise ArithmeticError("3 is odd")
        yield root * root


def leaves_off(numbers: list[int]) -> Iterator[int]:
    """Finds something for the first number only, as a job does that yields no results."""
    yield numbers[0] * numbers[0]
