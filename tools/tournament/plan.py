"""What a tournament is, before it is played: everything that its results depend on."""

from typing import Any, NamedTuple

from ddzbot import __version__

from ..arena.plan import Plan

__all__ = ["FEWEST", "Tournament"]

FEWEST = 3
"""Players of a tournament."""


class Tournament(NamedTuple):
    """Everybody against everybody on the same deals; those next to each other in Elo meet on more of them."""

    rules: str
    players: tuple[str, ...]
    """As they are written; the order means nothing."""
    sets: int
    """Duplicate sets of every pair."""
    neighbours: int = 0
    """Duplicate sets of a pair of neighbours in Elo, the first ones among them; 0: as many as of every pair."""
    seed: int = 1
    namespace: str = "report"
    limit: str = ""

    @property
    def plan(self) -> Plan:
        """
        The match of all pairs, as :mod:`tools.match` plays it, with as many sets as neighbours play.

        Its contestants are sorted, so that a pair stays the same pair whoever else plays.
        """
        most = max(self.sets, self.neighbours)
        return Plan(self.rules, tuple(sorted(self.players)), most, self.seed, self.namespace, self.limit)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who meets whom, as names; the place of a pair in it is its pairing in :attr:`plan`."""
        plan = self.plan
        return [(plan.contestants[a], plan.contestants[b]) for a, b in plan.pairings]

    def check(self) -> None:
        """
        Refuses a tournament that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        if len(self.players) < FEWEST:
            raise ValueError(f"a tournament needs {FEWEST} players, not {len(self.players)}; tools.match plays two")
        if self.neighbours and self.neighbours < self.sets:
            raise ValueError(f"neighbours {self.neighbours} must be at least the {self.sets} sets of every pair")
        self.plan.check()

    def as_json(self) -> dict[str, Any]:
        """Gets the first line of a results file: what every set in it depends on, whoever plays."""
        return {
            "rules": self.rules,
            "seed": self.seed,
            "namespace": self.namespace,
            "limit": self.limit,
            "version": __version__,
        }
