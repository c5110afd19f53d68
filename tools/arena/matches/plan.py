"""What a match is, before it is played: everything that its results depend on, a class for each way to meet."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from ddzbot.game import SEATS, Deal, shuffled
from ddzbot.players.registry import player_class
from ddzbot.rules import rule_set
from ddzbot.search.limit import NO_LIMIT, Limit, parse_limit

from ...judge.icga_platform import dealt
from ...judge.process_limits import Limits
from ...shared.commands import missing_in
from ...shared.contestants import Contestant, parse_contestant
from ...shared.limits import limit_text
from ...shared.message import English, Message
from ...shared.seeds import REPORT, deal_seed
from ..stats.row import LETTERS, Row
from ..stats.sprt import Measure, SprtTest
from .deals_file import DealsFile
from .programs import check_rules
from .table import sees_hands

Kind = Literal["match", "gauntlet", "everybody", "field", "seats", "series"]
"""The name of each class of plans in results files."""
Scores = Sequence[Mapping[int, float]]
"""Of each pairing the scores of its sets, by number."""

WITHOUT_BIDDING = ("ABB", "BAA")
WITH_BIDDING = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
"""The six seatings, by position, in which both contestants sit."""
_LEAST_SECONDS = 0.1
"""For an answer of an engine."""

AnyPlan = TypeVar("AnyPlan", bound="Plan")


@dataclass(frozen=True)
class Plan(ABC):
    """A match, of any kind."""

    kind: ClassVar[Kind]
    letters: ClassVar[str] = LETTERS[:2]
    """Those of the contestants at a table."""
    three: ClassVar[bool] = False
    """Whether three sit at the one table, and a set is one game."""
    open: ClassVar[bool] = False
    """Whether players may come and go."""
    in_turn: ClassVar[bool] = False
    """Whether one process plays all sets in their order, each of which may take many minutes."""

    rules: str
    contestants: tuple[Contestant, ...]
    sets: int
    """Duplicate sets of every pair, or deals of the table of three: each deal is played from all sides."""
    seed: int
    """The root from which every deal and every player's seed is derived."""
    namespace: str = REPORT
    limit: Limit = NO_LIMIT
    """Of one decision."""
    deals: DealsFile | None = None
    """Where the cards come from; None: from the seed, which the players' seeds always come from."""

    @classmethod
    def of(
        cls: type[AnyPlan],
        rules: str,
        contestants: Sequence[str],
        sets: int,
        seed: int,
        namespace: str = REPORT,
        limit: str = "",
    ) -> AnyPlan:
        """
        Reads the contestants and the limit from texts.

        :raises ValueError: for a contestant or a limit that is none.
        """
        players = tuple(map(parse_contestant, contestants))
        return cls(rules, players, sets, seed, namespace, parse_limit(limit))

    @property
    def names(self) -> tuple[str, ...]:
        """The contestants as they are written."""
        return tuple(contestant.spec for contestant in self.contestants)

    @property
    @abstractmethod
    def tables(self) -> list[tuple[int, ...]]:
        """The contestants that sit together, as indices into ``contestants``: the pairings, or the three."""

    @property
    def pairs(self) -> list[tuple[str, ...]]:
        """The same as names."""
        names = self.names
        return [tuple(names[player] for player in table) for table in self.tables]

    @abstractmethod
    def seatings(self, index: int = 0) -> tuple[str, ...]:
        """Gets the games of a set: the letters of the contestants by position."""

    @property
    def neighbours(self) -> int:
        """The most sets of a pair of neighbours in Elo, with the first ones; 0: as many as of every pair."""
        return 0

    @property
    def sprt(self) -> tuple[float, float, float, float] | None:
        """Lower and upper bound, alpha and beta of a sequential test that may end the match early."""
        return None

    @property
    def most(self) -> int:
        """The sets of the pairing that has the most."""
        return self.sets

    @property
    def seers(self) -> tuple[str, ...]:
        """The contestants that see all hands at some table of the match; where a program sits, nobody does."""
        tables = [[self.contestants[place] for place in table] for table in self.tables]
        seated = [player for table in tables if not any(each.is_program for each in table) for player in table]
        names = {player.spec for player in seated if player.player and sees_hands(player_class(player.player.name))}
        return tuple(sorted(names))

    @property
    def test(self) -> SprtTest | None:
        """The sequential test: on WP without bidding, on points with it."""
        if self.sprt is None:
            return None
        measure = Measure.POINTS if rule_set(self.rules).bidding else Measure.WP
        lower, upper, alpha, beta = self.sprt
        return SprtTest(lower, upper, alpha, beta, measure)

    def sets_to_play(self, rows: Sequence[Sequence[Row]], scores: Scores) -> list[int]:
        """Gets the number of sets to play for each pairing, from the results so far."""
        return self.every_pair(rows, scores)

    def every_pair(self, rows: Sequence[Sequence[Row]], scores: Scores) -> list[int]:
        """Gets the number of sets that every pairing plays, whatever the results."""
        return [self.sets] * len(self.tables)

    def deal_seed(self, index: int) -> str:
        """Names the deal of a set."""
        return deal_seed(self.seed, self.namespace, index)

    def deal(self, index: int) -> Deal:
        """Deals the cards of a set."""
        rules = rule_set(self.rules)
        return self.deals.deal(rules, index) if self.deals else shuffled(rules, self.deal_seed(index))

    def set_name(self, pairing: int, index: int) -> str:
        """Names a set for people."""
        return f"set {index} of {' against '.join(self.pairs[pairing])}"

    def deal_name(self, index: int) -> str:
        """Names a deal for people."""
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
            raise ValueError(Message("sets {sets} must be at least 1", sets=self.sets))
        if self.deals and self.most > len(self.deals.hands):
            have = len(self.deals.hands)
            raise ValueError(
                Message(
                    "deals file {file} has {have} deals: sets {most} are too many",
                    file=self.deals.file,
                    have=have,
                    most=self.most,
                )
            )
        different = {
            (contestant.spec, contestant.player and contestant.player.text, contestant.limit, contestant.command)
            for contestant in self.contestants
        }
        if len(different) > len({*self.names}):
            raise ValueError(
                Message("contestants {names}: different ones need different names", names=", ".join(self.names))
            )
        self.check_programs()

    @abstractmethod
    def check_kind(self) -> None:
        """
        Refuses what no match of this kind can be, whatever its contestants are.

        :raises ValueError: with one sentence that names what is wrong.
        """

    def check_programs(self) -> None:
        """
        Refuses programs that cannot start, or have no words for these rules.

        :raises ValueError: with one sentence that names what is wrong.
        """
        for program in (contestant for contestant in self.contestants if contestant.is_program):
            self.check_rules()
            if missing := missing_in(program.command):
                raise ValueError(Message("contestant {spec}: {missing}", spec=repr(program.spec), missing=missing))

    def check_rules(self) -> None:
        """
        Refuses rules that the messages to programs cannot express.

        :raises ValueError: for all but the rule sets of the judge's games.
        """
        check_rules(rule_set(self.rules))


class Pairs(Plan):
    """Two at each table; a set is a deal from all sides."""

    def seatings(self, index: int = 0) -> tuple[str, ...]:
        """Gets the games of a set."""
        return WITH_BIDDING if rule_set(self.rules).bidding else WITHOUT_BIDDING

    def check_kind(self) -> None:
        """Refuses fewer than two."""
        if len(self.contestants) < 2:
            raise ValueError(Message("a match needs two contestants, not {count}", count=len(self.contestants)))

    def check(self) -> None:
        """Refuses a match that cannot be played."""
        super().check()
        if len(self.names) > 2 and len({*self.names}) < len(self.names):
            raise ValueError(
                Message("contestants {names}: in a cross table each must be named once", names=", ".join(self.names))
            )


@dataclass(frozen=True)
class Gauntlet(Pairs):
    """The first contestant against each other one."""

    kind: ClassVar[Kind] = "gauntlet"

    sprt: tuple[float, float, float, float] | None = None

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The pairings."""
        return [(0, opponent) for opponent in range(1, len(self.contestants))]

    def check_kind(self) -> None:
        """Refuses fewer than two, and a sequential test of more."""
        super().check_kind()
        if self.test and len(self.tables) > 1:
            raise ValueError(
                Message("a sequential test needs exactly two contestants, not {count}", count=len(self.contestants))
            )


class Match(Gauntlet):
    """Two contestants."""

    kind: ClassVar[Kind] = "match"


class ThreeSeats(Plan):
    """Three at one table; a set is one game."""

    letters: ClassVar[str] = LETTERS
    three: ClassVar[bool] = True

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """The one table."""
        return [tuple(range(len(self.contestants)))]

    def check_kind(self) -> None:
        """Refuses more and fewer than three."""
        if len(self.contestants) != SEATS:
            raise ValueError(
                Message("this match needs {seats} contestants, not {count}", seats=SEATS, count=len(self.contestants))
            )


class Seats(ThreeSeats):
    """Three contestants, each of which has the same seat in all games."""

    kind: ClassVar[Kind] = "seats"

    def seatings(self, index: int = 0) -> tuple[str, ...]:
        """Gets the one game of a set."""
        return (LETTERS,)

    def check_kind(self) -> None:
        """Refuses rules under which the auction gives the seats."""
        super().check_kind()
        if rule_set(self.rules).bidding:
            raise ValueError(Message("rules {rules}: with bidding no contestant has a fixed seat", rules=self.rules))


@dataclass(frozen=True)
class Series(ThreeSeats):
    """Three engines that speak the championship's lines, under its rules; the first bid goes round."""

    kind: ClassVar[Kind] = "series"
    in_turn: ClassVar[bool] = True

    memory: float = Limits().memory_mib
    """MiB for each engine."""

    def seatings(self, index: int = 0) -> tuple[str, ...]:
        """Gets the one game of a set."""
        start = index % SEATS
        return (LETTERS[start:] + LETTERS[:start],)

    def deal(self, index: int) -> Deal:
        """Deals as the platform does."""
        return dealt(index, str(self.seed))

    def check_programs(self) -> None:
        """Refuses limits that INFO cannot express, and programs that cannot start."""
        for engine in self.contestants:
            engine.without_limit()
        seconds, playouts = self.limit.seconds, self.limit.playouts
        if seconds is None or playouts is not None or seconds < _LEAST_SECONDS:
            least = f"{_LEAST_SECONDS:g}s or more, and no playouts"
            raise ValueError(
                Message(
                    "limit {limit}: in a series an answer has {least}",
                    limit=repr(limit_text(self.limit)),
                    least=English(least),
                )
            )
        super().check_programs()

    def check_rules(self) -> None:
        """Accepts the one rule set that there is for lines."""
