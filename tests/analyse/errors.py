"""
How true the stated errors are: estimates by few playouts beside those by many, over positions of played games.

    python -m tests.analyse.errors 300        # 10 minutes on one core; the table of docs/lab/experiments.md
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from ddzbot.engine import Engine
from ddzbot.evaluation import Criterion, evaluate
from ddzbot.game import shuffled, start
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View

RULES = ("botzone", "botzone2")
STRAYS = 0.1
"""The share of moves drawn at random, so that positions differ from those of good play."""
LATER = 9
"""The rank from which on all share a line."""


class Beside(NamedTuple):
    """The value of one move by few and by many playouts."""

    rank: int
    """By few, from 1."""
    points: bool
    few: float
    many: float
    error: float
    """The standard error that is stated with the few."""

    @property
    def away(self) -> float:
        """How far the two are apart."""
        return abs(self.few - self.many)


def positions(count: int) -> Iterator[View]:
    """Yields decisions of the landlord and of a peasant in turn, both games in turn, from play of the network."""
    game_number = 0
    while count > 0:
        rules, key = rule_set(RULES[game_number % len(RULES)]), f"errors/{game_number}"
        random, engine = Random(key), Engine("champion:search=none", game_number)
        game = start(shuffled(rules, key), (3,) if rules.bidding else (), 0)
        seen: tuple[list[View], list[View]] = ([], [])
        while not game.finished:
            view = View.of(game, game.seat)
            moves = view.legal_moves()
            if len(moves) > 1:
                seen[min(game.seat, 1)].append(view)
            stray = random.random() < STRAYS
            game = game.play(random.choice(moves) if stray else engine.choose(view, Limit()).move)
        for views in filter(None, seen[: max(0, count)]):
            yield random.choice(views)
            count -= 1
        game_number += 1


def beside(view: View, few: int, many: int, seed: int = 0) -> list[Beside]:
    """Compares all moves that were played out by *few* playouts with the same by *many* others, of another seed."""
    few_estimates = evaluate(view, Limit(playouts=few), seed).estimates
    many_estimates = evaluate(view, Limit(playouts=many), seed + 1).estimates
    points = few_estimates.source.decides is Criterion.POINTS
    later = {estimate.move.cards: estimate for estimate in many_estimates.moves}
    compared = []
    for rank, estimate in enumerate(few_estimates.moves, 1):
        if estimate.visits and estimate.error:
            values = [(it.score or 0.0) if points else it.win for it in (estimate, later[estimate.move.cards])]
            compared.append(Beside(rank, points, values[0], values[1], estimate.error))
    return compared


def within(some: Sequence[Beside], errors: float) -> float:
    """Gets the share of differences within so many standard errors."""
    return sum(compared.away <= errors * compared.error for compared in some) / len(some)


def main(count: int, few: int = 2000, many: int = 40000) -> None:
    """Prints the table."""
    compared = [pair for view in positions(count) for pair in beside(view, few, many)]
    for rank in range(1, LATER + 1):
        some = [pair for pair in compared if min(pair.rank, LATER) == rank]
        if some:
            label = "later" if rank == LATER else str(rank)
            print(f"| {label} | {len(some)} | {within(some, 1):.1%} | {within(some, 2):.1%} |", flush=True)
    print(f"| all | {len(compared)} | {within(compared, 1):.1%} | {within(compared, 2):.1%} |")
    for points, label in ((False, "chance"), (True, "points")):
        print(f"largest difference in {label}: {max(pair.away for pair in compared if pair.points == points):.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
