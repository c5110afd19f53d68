"""
A player that looks at the hidden hands: what the best possible belief would be worth, for measuring only.

    python -m tools match tools.lab.cheating:CheatingChampion champion --limit 1500p

It takes part in matches between players of one process, whose table shows the hands to a player with a method
``sees_hands``, and to no other; no judge would.
"""

from typing import Any

from ddzbot.belief.certain import Certain
from ddzbot.belief.models import MOST_OF_A_RANK, Table
from ddzbot.cards import RANK_COUNT, Hand, count
from ddzbot.kernel.binding import Kernel
from ddzbot.players.champion import ChampionPlayer
from ddzbot.players.options import number
from ddzbot.search.certain import NOTHING_PROVED, Proved, Wins
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.view import View


class CheatingChampion(ChampionPlayer):
    """
    The player ``champion`` with its options, but the hidden hands that it plays out are the true ones.

    With *nodes* the solver may look at so many positions of a decision with open hands, and what it finds to win is
    played: perfectly, in games that it can prove from the first card on, as those of 30 cards.
    """

    name = "cheating"
    options_type = None

    def __init__(self, seed: int = 0, nodes: object = 0, **options: Any) -> None:
        if "belief" in options:
            raise ValueError("cheating: it takes no belief, since it knows")
        super().__init__(seed, **options)
        self.options = self.options._replace(belief=self._true_hands)
        self._nodes = number(self.name, "nodes", nodes, 1 << 30) or 0
        self._hands: tuple[Hand, ...] = (0, 0, 0)

    def sees_hands(self, hands: tuple[Hand, ...]) -> None:
        """Takes all hands, by seat, of the position that it will be asked about."""
        self._hands = hands

    def _wins(self, kernel: Kernel, view: View, certain: Certain, deadline: Deadline) -> Wins:
        wins = super()._wins(kernel, view, certain, deadline)
        if wins.move is not None or not self._nodes:
            return wins
        landlord, down, up = self._hands
        position = Endgame(view.rules, (landlord, down, up), view.seat, view.to_beat, view.table_seat)
        solution = Solver(view.rules).solve(position, Deadline(Limit(playouts=self._nodes)))
        return Wins(Proved.TRUE_HANDS, list(solution.winning)) if solution.winning else NOTHING_PROVED

    def _true_hands(self, _view: View, certain: Certain) -> Table:
        """
        Leaves one world, the true one.

        :raises ValueError: if the table has not shown the hands of this position.
        """
        first_hand, second_hand = (self._hands[seat] for seat in certain.seats)
        if not certain.allows(first_hand, second_hand):
            raise ValueError("cheating: the table has not shown the hands of this position")
        cards = range(MOST_OF_A_RANK + 1)
        return [[int(held == count(first_hand, rank)) for held in cards] for rank in range(RANK_COUNT)]
