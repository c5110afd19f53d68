"""What a match is, before it is played: everything that its results depend on."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

from ddzbot.game import SEATS, Deal, shuffled
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit, parse_limit

from ...judge.icga_platform import dealt
from ...judge.process_limits import Limits
from ...shared.commands import missing_in
from ...shared.contestants import Contestant, parse_contestant
from ...shared.deals_file import DealsFile
from ...shared.limits import limit_text
from ...shared.seeds import REPORT, deal_seed
from ..sums.row import LETTERS
from ..sums.sprt import Measure, SprtTest
from .programs import check_rules

Kind = Literal["match", "gauntlet", "everybody", "field", "seats", "series"]
"""Two, the first against each other one, all against all, the same of a folder, three seats, or engines in lines."""
KINDS: tuple[Kind, ...] = get_args(Kind)

OPEN: tuple[Kind, ...] = ("everybody", "field")
"""Where all meet, and players may come and go."""
WITHOUT_BIDDING = ("ABB", "BAA")
WITH_BIDDING = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
"""The six seatings, by position, in which both contestants sit."""
FEWEST = 3
"""Players that meet everybody."""
_LEAST_SECONDS = 0.1
"""For an answer of an engine."""


class Plan(NamedTuple):
    """
    A match between two or more contestants.

    Where everybody meets everybody, players may come later, and those next to each other in Elo may meet on more deals.
    """

    kind: Kind
    rules: str
    contestants: tuple[Contestant, ...]
    """Where all meet in the order of the alphabet, so that a pair stays the same pair whoever else plays."""
    sets: int
    """Duplicate sets of every pair, or deals of the table of three: each deal is played from all sides."""
    seed: int
    """The root from which every deal and every player's seed is derived."""
    namespace: str = REPORT
    limit: Limit = Limit()
    """Of one decision."""
    sprt: tuple[float, float, float, float] | None = None
    """Lower and upper bound, alpha and beta of a sequential test that may end the match early."""
    deals: DealsFile | None = None
    """Where the cards come from; None: from the seed, which the players' seeds always come from."""
    neighbours: int = 0
    """Sets of a pair of neighbours in Elo, with the first ones, in a field at most; 0: as many as of every pair."""
    memory: float = Limits().memory_mib
    """MiB for each engine of a series."""

    @classmethod
    def of(
        cls, rules: str, contestants: Sequence[str], sets: int, seed: int, *more: str, kind: Kind | None = None
    ) -> "Plan":
        """
        Reads who plays; *more* are the namespace and the limit. Without a *kind* two play a match, and more everybody.

        :raises ValueError: for a contestant or a limit that is none.
        """
        kind = kind or ("match" if len(contestants) < FEWEST else "everybody")
        players = tuple(map(parse_contestant, contestants))
        if kind in OPEN:
            players = tuple(sorted(players, key=lambda one: one.spec))
        namespace, limit = (*more, *(REPORT, "")[len(more) :])
        return cls(kind, rules, players, sets, seed, namespace, parse_limit(limit))

    @property
    def names(self) -> tuple[str, ...]:
        """The contestants as they are written."""
        return tuple(one.spec for one in self.contestants)

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Who sits together, as indices into ``contestants``: the pairings, or the three."""
        everybody = range(len(self.contestants))
        if self.three:
            return [tuple(everybody)]
        return [pair for pair in combinations(everybody, 2) if self.kind != "gauntlet" or pair[0] == 0]

    @property
    def pairs(self) -> list[tuple[str, ...]]:
        """The same as names."""
        return [tuple(self.names[who] for who in table) for table in self.tables]

    @property
    def letters(self) -> str:
        """Those of the contestants at a table."""
        return LETTERS if self.three else LETTERS[:2]

    @property
    def three(self) -> bool:
        """Whether three sit at the one table, and a set is one game."""
        return self.kind in ("seats", "series")

    def seatings(self, index: int = 0) -> tuple[str, ...]:
        """The games of a set; of a series the first bid goes round from deal to deal."""
        if self.three:
            first = index % SEATS if self.kind == "series" else 0
            return (LETTERS[first:] + LETTERS[:first],)
        return WITH_BIDDING if rule_set(self.rules).bidding else WITHOUT_BIDDING

    @property
    def open(self) -> bool:
        """Whether players may come and go."""
        return self.kind in OPEN

    @property
    def most(self) -> int:
        """The sets of the pairing that has the most."""
        return max(self.sets, self.neighbours)

    @property
    def test(self) -> SprtTest | None:
        """The sequential test: on WP without bidding, on points with it."""
        if self.sprt is None:
            return None
        measure = Measure.POINTS if rule_set(self.rules).bidding else Measure.WP
        lower, upper, alpha, beta = self.sprt
        return SprtTest(lower, upper, alpha, beta, measure)

    def deal_seed(self, index: int) -> str:
        """Names the deal of a set."""
        return deal_seed(self.seed, self.namespace, index)

    def deal(self, index: int) -> Deal:
        """Deals the cards of a set."""
        if self.kind == "series":
            return dealt(index, str(self.seed))
        rules = rule_set(self.rules)
        return self.deals.deal(rules, index) if self.deals else shuffled(rules, self.deal_seed(index))

    def set_name(self, pairing: int, index: int) -> str:
        """Says for people which set that is."""
        return f"set {index} of {' against '.join(self.pairs[pairing])}"

    def deal_name(self, index: int) -> str:
        """Says for people which deal that is."""
        return f"{self.deals.file} {self.deals.sha256} deal {index}" if self.deals else self.deal_seed(index)

    def work(self) -> Iterator[tuple[int, int]]:
        """Yields (pairing, set) in the order in which they are played: all pairings of a deal together."""
        return ((pairing, index) for index in range(self.most) for pairing in range(len(self.tables)))

    def check(self) -> None:
        """
        Refuses a match that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        self.deal_seed(0)
        self.check_kind()
        if self.sets < 1:
            raise ValueError(f"sets {self.sets} must be at least 1")
        if self.deals and self.most > len(self.deals.hands):
            have = len(self.deals.hands)
            raise ValueError(f"deals file {self.deals.file} has {have} deals: sets {self.most} are too many")
        if len(self.names) > 2 and not self.three and len({*self.names}) < len(self.names):
            raise ValueError(f"contestants {', '.join(self.names)}: in a cross table each must be named once")
        different = {(one.spec, one.player and one.player.text, one.limit, one.command) for one in self.contestants}
        if len(different) > len({*self.names}):
            raise ValueError(f"contestants {', '.join(self.names)}: different ones need different names")
        if self.kind == "series":
            self._check_series()
        for program in (one for one in self.contestants if one.is_program):
            if self.kind != "series":
                check_rules(rule_set(self.rules))
            if missing := missing_in(program.command):
                raise ValueError(f"contestant {program.spec!r}: {missing}")

    def _check_series(self) -> None:
        for engine in self.contestants:
            engine.without_limit()
        seconds, playouts = self.limit.seconds, self.limit.playouts
        if seconds is None or playouts is not None or seconds < _LEAST_SECONDS:
            least = f"{_LEAST_SECONDS:g}s or more, and no playouts"
            raise ValueError(f"limit {limit_text(self.limit)!r}: in a series an answer has {least}")

    def check_kind(self) -> None:
        """
        Refuses what no match can be, whoever plays.

        :raises ValueError: with one sentence that names what is wrong.
        """
        rules, count = rule_set(self.rules), len(self.contestants)
        if self.three:
            if count != SEATS:
                table = "series" if self.kind == "series" else "table with fixed seats"
                raise ValueError(f"a {table} needs {SEATS} contestants, not {count}")
            if rules.bidding and self.kind == "seats":
                raise ValueError(f"rules {self.rules}: with bidding nobody has a fixed seat")
        elif count < 2:
            raise ValueError(f"a match needs two contestants, not {count}")
        if self.kind == "everybody" and count < FEWEST:
            raise ValueError(f"everybody against everybody needs {FEWEST} contestants, not {count}")
        if self.test and (len(self.tables) > 1 or self.three):
            raise ValueError(f"a sequential test needs exactly two contestants, not {count}")
        if self.neighbours and not self.open:
            raise ValueError("neighbours are of three or more contestants that all meet")
        if self.neighbours and self.neighbours < self.sets:
            raise ValueError(f"neighbours {self.neighbours} must be at least the {self.sets} sets of every pair")
