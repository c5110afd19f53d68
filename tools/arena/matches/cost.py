"""What a match will cost, reckoned from the time of what each player has played, or of a few games before it."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

from ...shared.contestants import Contestant
from ..stats.row import Row
from .plan import Match, Plan
from .runner import Progress
from .sets import SetPlayer


class Cost(NamedTuple):
    """What is still to be played, and how long one core takes for it."""

    sets: int
    seconds: float


def seconds_of(plan: Plan, players: Iterable[Contestant]) -> dict[str, float]:
    """
    Measures how many seconds each player takes for one set against itself, on a deal of no report.

    A game before it, which is not counted, loads the networks.
    """
    seconds = {}
    for player in players:
        table = SetPlayer(Match(plan.rules, (player, player), 2, plan.seed, "probe", plan.limit))
        try:
            table.outcome(0, 0, 0)
            began = time.perf_counter()
            table.played(0, 1)
            seconds[player.spec] = time.perf_counter() - began
        finally:
            table.close()
    return seconds


def seconds_played(plan: Plan, rows: Iterable[Iterable[Row]]) -> dict[str, float]:
    """
    Gets the seconds of a set for every player that has sets already, from the time of its decisions, as if all players
    of the set took as long.
    """
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for pair, played in zip(plan.pairs, rows, strict=True):
        for row in played:
            for letter, player in zip(plan.letters, pair, strict=True):
                spent[player].append(sum(row.ms.get(letter, ())) / 1000)
    return {player: len(plan.letters) * fmean(seconds) for player, seconds in spent.items()}


def cost_of(progress: Progress, seconds: Mapping[str, float]) -> Cost:
    """
    Reckons what is left: in a set all players make about as many of the decisions.

    As long as every pair plays, those of neighbours are thought to cost as much as pairs do in the mean.
    """
    plan = progress.plan
    of_set = [fmean(seconds.get(player, 0.0) for player in pair) for pair in plan.pairs]
    left = Counter(pairing for pairing, _ in progress.left())
    cost = Cost(left.total(), sum(sets * of_set[pairing] for pairing, sets in left.items()))
    extra = (len(plan.names) - 1) * (plan.neighbours - plan.sets)
    if extra > 0 and progress.every_pair:
        cost = Cost(cost.sets + extra, cost.seconds + extra * fmean(of_set))
    return cost
