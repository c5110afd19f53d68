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
    number = 0
    while count > 0:
        rules, key = rule_set(RULES[number % len(RULES)]), f"errors/{number}"
        random, engine = Random(key), Engine("champion:search=none", number)
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
        number += 1


def beside(view: View, few: int, many: int, seed: int = 0) -> list[Beside]:
    """Compares all moves that were played out by *few* playouts with the same by *many* others, of another seed."""
    one = evaluate(view, Limit(playouts=few), seed).estimates
    other = evaluate(view, Limit(playouts=many), seed + 1).estimates
    points = one.source.decides is Criterion.POINTS
    later = {known.move.cards: known for known in other.moves}
    found = []
    for rank, known in enumerate(one.moves, 1):
        if known.visits and known.error:
            values = [(it.score or 0.0) if points else it.win for it in (known, later[known.move.cards])]
            found.append(Beside(rank, points, values[0], values[1], known.error))
    return found


def within(some: Sequence[Beside], errors: float) -> float:
    """Gets the share of differences within so many standard errors."""
    return sum(one.away <= errors * one.error for one in some) / len(some)


def main(count: int, few: int = 2000, many: int = 40000) -> None:
    """Prints the table."""
    found = [one for view in positions(count) for one in beside(view, few, many)]
    for rank in range(1, LATER + 1):
        some = [one for one in found if min(one.rank, LATER) == rank]
        if some:
            name = "later" if rank == LATER else str(rank)
            print(f"| {name} | {len(some)} | {within(some, 1):.1%} | {within(some, 2):.1%} |", flush=True)
    print(f"| all | {len(found)} | {within(found, 1):.1%} | {within(found, 2):.1%} |")
    for points, name in ((False, "chance"), (True, "points")):
        print(f"largest difference in {name}: {max(one.away for one in found if one.points == points):.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
