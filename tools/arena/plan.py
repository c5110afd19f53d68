"""What a match is, before it is played: everything that its results depend on."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.game import Deal, shuffled
from ddzbot.rules import rule_set

from ..shared.contestants import parse_contestant
from ..shared.deals_file import DealsFile
from ..shared.limits import parse_limit
from ..shared.seeds import deal_seed
from .programs import check_rules
from .sprt import Measure, SprtTest

LETTERS = "AB"
"""The two contestants of a pairing."""
WITHOUT_BIDDING = ("ABB", "BAA")
WITH_BIDDING = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
"""The six seatings, by position, in which both contestants sit."""


class Plan(NamedTuple):
    """A match between two or more contestants."""

    rules: str
    contestants: tuple[str, ...]
    sets: int
    seed: int
    """The root from which every deal and every player's seed is derived."""
    namespace: str = "report"
    limit: str = ""
    """The limit of one decision, as :func:`parse_limit` reads it; empty for none."""
    gauntlet: bool = False
    """The first contestant meets each other one; otherwise all meet all."""
    sprt: tuple[float, float, float, float] | None = None
    """Lower and upper bound, alpha and beta of a sequential test that may end the match early."""
    deals: DealsFile | None = None
    """Where the cards come from; None: from the seed, which the players' seeds always come from."""

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, as indices into ``contestants``."""
        pairs = combinations(range(len(self.contestants)), 2)
        return [pair for pair in pairs if not self.gauntlet or pair[0] == 0]

    @property
    def seatings(self) -> tuple[str, ...]:
        """The games of one set."""
        return WITH_BIDDING if rule_set(self.rules).bidding else WITHOUT_BIDDING

    @property
    def test(self) -> SprtTest | None:
        """The sequential test: on WP without bidding, on points with it."""
        return test_of(self.rules, self.sprt)

    def deal_seed(self, index: int) -> str:
        """Names the deal of a set."""
        return deal_seed(self.seed, self.namespace, index)

    def deal(self, index: int) -> Deal:
        """Deals the cards of a set."""
        rules = rule_set(self.rules)
        return self.deals.deal(rules, index) if self.deals else shuffled(rules, self.deal_seed(index))

    def set_name(self, pairing: int, index: int) -> str:
        """Says for people which set that is."""
        a, b = (self.contestants[who] for who in self.pairings[pairing])
        return f"set {index} of {a} against {b}"

    def deal_name(self, index: int) -> str:
        """Says for people which deal that is."""
        return f"{self.deals.file} {self.deals.sha256} deal {index}" if self.deals else self.deal_seed(index)

    def work(self) -> Iterator[tuple[int, int]]:
        """Yields (pairing, set) in the order in which they are played: all pairings of a deal together."""
        for index in range(self.sets):
            for pairing in range(len(self.pairings)):
                yield pairing, index

    def check(self) -> None:
        """
        Refuses a match that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        rule_set(self.rules)
        parse_limit(self.limit)
        self.deal_seed(0)
        if len(self.contestants) < 2:
            raise ValueError(f"a match needs two contestants, not {len(self.contestants)}")
        if self.sets < 1:
            raise ValueError(f"sets {self.sets} must be at least 1")
        if self.deals and self.sets > len(self.deals.hands):
            have = len(self.deals.hands)
            raise ValueError(f"deals file {self.deals.file} has {have} deals: sets {self.sets} are too many")
        if len(self.contestants) > 2 and len({*self.contestants}) < len(self.contestants):
            raise ValueError(f"contestants {', '.join(self.contestants)}: in a cross table each must be named once")
        for program in filter(lambda one: one.is_program, map(parse_contestant, self.contestants)):
            check_rules(rule_set(self.rules))
            if shutil.which(program.command[0]) is None:
                raise ValueError(f"contestant {program.spec!r}: there is no program {program.command[0]}")
        if self.sprt is not None and self.test is not None and len(self.pairings) > 1:
            raise ValueError(f"a sequential test needs exactly two contestants, not {len(self.contestants)}")

    def as_json(self) -> dict[str, Any]:
        """Gets the head of a results file."""
        return {
            "rules": self.rules,
            "contestants": [parse_contestant(spec).as_json() for spec in self.contestants],
            "sets": self.sets,
            "seed": self.seed,
            "namespace": self.namespace,
            "limit": self.limit,
            "gauntlet": self.gauntlet,
            "sprt": list(self.sprt) if self.sprt else None,
            "version": __version__,
            **({"deals": {"file": self.deals.file, "sha256": self.deals.sha256}} if self.deals else {}),
        }


def test_of(rules: str, sprt: Sequence[float] | None) -> SprtTest | None:
    """Makes the sequential test of a plan or of a results file; None where there is none."""
    if sprt is None:
        return None
    lower, upper, alpha, beta = sprt
    return SprtTest(lower, upper, alpha, beta, Measure.POINTS if rule_set(rules).bidding else Measure.WP)
