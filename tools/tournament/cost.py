"""What a tournament will cost, reckoned from the time of what each player has played, or of a few games before it."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

from ..arena.plan import LETTERS
from ..arena.sets import Row, SetPlayer
from .plan import Tournament
from .results_file import Ranking
from .stages import Stage

__all__ = ["Cost", "cost_of", "seconds_of", "seconds_played"]


class Cost(NamedTuple):
    """What is still to be played, and how long one core takes for it."""

    sets: int
    seconds: float


def seconds_of(tournament: Tournament, players: Iterable[str]) -> dict[str, float]:
    """
    Measures how many seconds each player takes for one set against itself, on a deal of no report.

    A game before it, which is not counted, loads the networks.
    """
    found = {}
    for player in players:
        table = SetPlayer(tournament.plan._replace(contestants=(player, player), sets=2, namespace="probe"))
        try:
            table.outcome(0, 0, 0)
            began = time.perf_counter()
            table.played(0, 1)
            found[player] = time.perf_counter() - began
        finally:
            table.close()
    return found


def seconds_played(tournament: Tournament, rows: Iterable[Iterable[Row]]) -> dict[str, float]:
    """Gets the same of every player that has sets already, from the time of its decisions: half of a set is its own."""
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for pair, played in zip(tournament.pairs, rows, strict=True):
        for row in played:
            for letter, player in zip(LETTERS, pair, strict=True):
                spent[player].append(sum(row["ms"][letter]) / 1000)
    return {player: 2 * fmean(seconds) for player, seconds in spent.items()}


def cost_of(tournament: Tournament, stage: Stage, ranking: Ranking | None, seconds: Mapping[str, float]) -> Cost:
    """
    Reckons what is left: in a set both players make about half of the decisions each.

    As long as nobody is ranked, pairs of neighbours are thought to cost as much as pairs do in the mean.
    """
    of_set = [fmean(seconds.get(player, 0.0) for player in pair) for pair in tournament.pairs]
    left = Counter(pairing for pairing, _ in stage.left())
    cost = Cost(left.total(), sum(sets * of_set[pairing] for pairing, sets in left.items()))
    more = (len(tournament.players) - 1) * (tournament.neighbours - tournament.sets)
    if ranking is None and more > 0:
        cost = Cost(cost.sets + more, cost.seconds + more * fmean(of_set))
    return cost
