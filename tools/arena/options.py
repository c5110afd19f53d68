"""What the command that plays matches was called with, and the match that this asks for."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

import click

from ddzbot.rules import ICGA
from ddzbot.search.limit import parse_limit

from ..cluster.command import Crew
from ..judge.icga_platform import SECONDS
from ..referee.games import GAME_OF_RULES
from ..shared.contestants import Contestant, parse_contestant
from ..shared.deals_file import read_deals
from ..shared.names import name_of
from .played.plan import FEWEST, OPEN, Kind, Plan

USUAL_SETS = 100
FIELD_SETS, FIELD_NEIGHBOURS = 4, 32
"""Of every pair in a field, and at most of neighbours."""
REVIEW = "500p"
"""The limit of a decision that a page reviews."""
USUAL_DEALS = 9
"""Of a series of engines that speak lines."""
_OF_SERIES = {
    *("contestants", "series", "sets", "seed", "limit", "memory", "games", "file", "mix", "check", "stand_ins"),
    *("strict", "quiet"),
}


class Options(NamedTuple):
    """What the command was called with."""

    contestants: tuple[str, ...]
    folder: Path | None
    rules: str
    sets: int | None
    neighbours: int | None
    deals: Path | None
    seed: int
    namespace: str
    limit: str
    minutes: float | None
    sprt: tuple[float, float] | None
    alpha: float
    beta: float
    gauntlet: bool
    seats: bool
    series: bool
    memory: float
    crew: Crew
    file: Path | None
    again: tuple[str, ...]
    mix: bool
    stand_ins: bool
    check: bool
    estimate: bool
    games: Path | None
    thoughts: bool
    game: str | None
    record: Path | None
    page: Path | None
    strict: bool
    quiet: bool

    @property
    def kind(self) -> Kind:
        """How they meet."""
        if self.folder:
            return "field"
        if self.series or self.seats:
            return "series" if self.series else "seats"
        return "gauntlet" if self.gauntlet else "match" if len(self.contestants) < FEWEST else "everybody"

    def plan(self, field: Sequence[Contestant] = ()) -> Plan:
        """
        Gets the match, with the programs of a *field*.

        :raises ValueError: if it cannot be played.
        """
        deals = read_deals(self.deals, self.rules) if self.deals else None
        contestants = (*map(parse_contestant, self.contestants), *field)
        if self.kind in OPEN:
            contestants = tuple(sorted(contestants, key=lambda one: one.spec))
        usual = FIELD_SETS if self.folder else USUAL_SETS
        plan = Plan(
            self.kind,
            self.rules,
            contestants,
            self.sets or (len(deals.hands) if deals else usual),
            self.seed,
            self.namespace,
            parse_limit(self.limit),
            (*self.sprt, self.alpha, self.beta) if self.sprt else None,
            deals,
            self.neighbours if self.neighbours is not None else self._usual_neighbours,
            self.memory,
        )
        plan.check()
        return plan

    @property
    def _usual_neighbours(self) -> int:
        return max(FIELD_NEIGHBOURS, self.sets or 0) if self.folder else 0

    def as_field(self) -> "Options":
        """
        Gets the same with the files of a field where none are named, all called as its folder.

        :raises click.UsageError: for what no field has.
        """
        assert self.folder is not None
        for option, given in {
            "--gauntlet": self.gauntlet,
            "--seats": self.seats,
            "--series": self.series,
            "--sprt": self.sprt,
            "--cluster": self.crew.place,
        }.items():
            if given:
                raise click.UsageError(f"field {self.folder}: {option} does not go with --field")
        if self.rules not in GAME_OF_RULES:
            raise click.UsageError(f"rules {self.rules}: programs play {', '.join(GAME_OF_RULES)}")
        name = self.folder.resolve().name
        return self._replace(
            file=self.file or Path(f"{name}.json"),
            games=self.games or (None if self.game else Path(f"{name}.ddzn.gz")),
            page=self.page or Path(f"{name}.html"),
        )

    def as_series(self, given: AbstractSet[str]) -> "Options":
        """
        Gets the same with what a series has in the place of what nobody wrote; *given* are the options that were.

        :raises ValueError: for an option that no series has.
        """
        for name in sorted(given - _OF_SERIES):
            raise ValueError(f"--{name.replace('_', '-')} does not go with --series")
        limit = self.limit or f"{SECONDS:g}s"
        one, sets = self._replace(crew=Crew(1)), self.sets or USUAL_DEALS
        return one._replace(rules=ICGA.name, namespace=ICGA.name, limit=limit, sets=sets)

    def check_together(self) -> None:
        """
        Refuses options that make no sense together.

        :raises click.UsageError: with one sentence.
        """
        if self.gauntlet and self.seats:
            raise click.UsageError("--gauntlet is of pairs, and --seats of three at one table")
        if self.record and not self.game:
            raise click.UsageError(f"record {self.record}: --record goes with --game")
        for option, given in {"--strict": self.strict, "--games": self.games}.items():
            if self.game and given:
                raise click.UsageError(f"game {self.game}: {option} goes with a whole match")
        if self.game and self.crew.place:
            raise click.UsageError(f"game {self.game}: it is played on this machine, without --cluster")
        if self.page and (not self.games or self.kind in ("seats", "series")):
            raise click.UsageError(f"page {self.page}: it is of pairs, and goes with --games FILE")
        if self.thoughts and not self.games:
            raise click.UsageError("--thoughts are kept with the games, which --games FILE writes")
        for player in self.again:
            if self.kind not in OPEN or not self.file:
                raise click.UsageError(f"--again {player}: it is for three or more that all meet, with --json")
            names = [*map(name_of, self.contestants)]
            if player not in names and not self.folder:
                raise click.UsageError(f"--again {player}: it does not play; there are {', '.join(names)}")
