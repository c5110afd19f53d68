"""
The plan of a page: a list of matches, gauntlets, tables of three and tournaments, read from a TOML file.

Each is a call of ``tools match``, a ``[[match]]`` of two, a ``[[gauntlet]]`` with ``--gauntlet``, and a
``[[tournament]]`` of three and more that all meet, or of ``tools seats``; results/README.md shows one. Under
``[names]`` has the contestant for each name in braces: ``CQL = "rule"`` makes the contestant ``{CQL}``,
and what is called after it, those of ``rule``.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import tomli
from msgspec import Struct
from msgspec.structs import replace

from ...arena.matches.everybody import FEWEST
from ...shared.bounds import MOST_EXPERIMENTS, UnreadableError, text_file
from ...shared.default_rules import DEFAULT_RULES
from ...shared.json_text import checked
from ...shared.names import divided, name_of
from ...shared.work.workers import Workers

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_NO_FILE = re.compile(r"[^a-z0-9]+")
_NAME_IN_BRACES = re.compile(r"\{(\w+)\}")
_COMMAND = ["-m", "tools"]


class PlanError(ValueError):
    """A plan that cannot be read; the message is one sentence that names the file and the entry."""


class Kind(NamedTuple):
    """The fields of one kind of entry besides name, contestants and common options."""

    usual: dict[str, int]
    """The default number of sets or games."""
    keys: frozenset[str]
    contestants: int | None = None
    """The number of contestants; None for any from *fewest* on."""
    command: tuple[str, ...] = ("match",)
    """The command that plays it."""
    fewest: int = FEWEST


KINDS = {
    "match": Kind({"sets": 100}, frozenset({"sprt", "budget", "published", "paired"}), 2),
    "gauntlet": Kind({"sets": 100}, frozenset({"paired"}), command=("match", "--gauntlet"), fewest=2),
    "seats": Kind({"games": 500}, frozenset({"budget", "published", "seated", "first_of"}), 3, ("seats",)),
    "tournament": Kind({"sets": 200}, frozenset({"neighbours", "picture"})),
}
_OF_ALL = {"name", "contestants", "rules", "namespace", "seed", "limit", "jobs"}


class Experiment(Struct, frozen=True, kw_only=True):
    """One match, one gauntlet, one table of three, or one tournament; options that are empty or 0 are not given."""

    kind: str
    """``match``, ``gauntlet``, ``seats`` or ``tournament``."""
    name: str
    """The name of its results file."""
    contestants: tuple[str, ...]
    """Their names in results and tables."""
    rules: str = DEFAULT_RULES
    namespace: str = "report"
    seed: int = 1
    limit: str = ""
    sets: int = 0
    games: int = 0
    """Of a table of three."""
    sprt: tuple[float, ...] = ()
    neighbours: int = 0
    jobs: int = 0
    budget: str = ""
    """The time of a decision as a table shows it; empty for the limit."""
    published: str = ""
    """The published result of the same experiment; a table shows it beside ours."""
    seated: tuple[str, ...] = ()
    """The players of the published result, by seat, e.g. ``CQL``; empty if unknown."""
    first_of: str = ""
    """The table of three whose first games these are; empty for one with games of its own."""
    paired: str = ""
    """The one on the same deals against the same opponents that a table compares with this one; empty for none."""
    picture: str = ""
    """The picture of a tournament, as a link from its page; empty for none."""
    written: str = ""
    """The name as it stands in the plan, where it may have a name of ``[names]`` in braces."""
    started: dict[str, str] = {}
    """The full form of contestants with names: ``anna=./anna/bot`` for ``anna``."""

    def command(self, results: Path, workers: Workers) -> list[str]:
        """Gets the command line, without the interpreter, that plays or resumes it."""
        command, *flags = KINDS[self.kind].command
        players = (self.started.get(contestant, contestant) for contestant in self.contestants)
        sets = self.sets or self.games  # a deal of three in fixed seats is one game
        call = [*_COMMAND, command, *players, *flags, "--rules", self.rules, "--seed", f"{self.namespace}/{self.seed}"]
        call += ["--limit", self.limit] if self.limit else []
        call += ["--sets", f"{sets}-{self.neighbours}" if self.neighbours else str(sets)]
        call += ["--sprt", *map(str, self.sprt)] if self.sprt else []
        these = Workers(self.jobs or workers.jobs, workers.place)
        return [*call, *these.words, "--results", str(self.file(results))]

    def file(self, results: Path) -> Path:
        """Gets the results file, which has more games than these if they are the first of others."""
        return results / f"{self.first_of or self.name}.json"

    @property
    def in_place_of(self) -> dict[str, str]:
        """Maps each of our players to the published one in its seat, e.g. ``rule`` to ``CQL``."""
        pairs = zip(self.contestants, self.seated, strict=False)
        return {our: their for our, their in pairs if our.partition(":")[0].lower() != their.lower()}


def read_plan(path: Path) -> list[Experiment]:
    """
    Reads the experiments in the order of the file.

    :raises PlanError: if the file cannot be read, or an entry is none.
    """
    try:
        content = tomli.loads(text_file(path))
    except UnreadableError as error:
        raise PlanError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: it cannot be read: {error}") from None
    try:
        players = checked(content.pop("names", {}), dict[str, str])
    except ValueError as error:
        raise PlanError(f"{path}: [names] must have a contestant for each name: {error}") from None
    experiments = [
        _experiment(f"{path}: [[{kind}]] {position}", kind, entry, players)
        for kind, entries in content.items()
        for position, entry in enumerate(_entries(path, kind, entries), 1)
    ]
    if len(experiments) > MOST_EXPERIMENTS:
        raise PlanError(f"{path}: it has more than {MOST_EXPERIMENTS:,} experiments")
    for repeated, times in Counter(experiment.name for experiment in experiments).items():
        if times > 1:
            raise PlanError(f"{path}: two experiments are called {repeated}")
    for experiment in experiments:
        _check_first_of(path, experiment, experiments)
        _check_paired(path, experiment, experiments)
    return experiments


def _entries(path: Path, kind: str, entries: Any) -> list[Any]:
    if kind not in KINDS or not isinstance(entries, list):
        raise PlanError(
            f"{path}: {kind!r:.60} is unknown; a plan has [[match]], [[gauntlet]], [[seats]] and [[tournament]]"
        )
    return entries


def _experiment(where: str, kind: str, entry: Any, players: dict[str, str]) -> Experiment:
    if not isinstance(entry, dict):
        raise PlanError(f"{where} is not a table")
    usual, keys, count, _, fewest = KINDS[kind]
    unknown = entry.keys() - usual.keys() - keys - _OF_ALL
    if unknown:
        raise PlanError(f"{where}: {sorted(unknown)[0]!r:.60} is unknown")
    try:
        written = checked({**usual, "name": "", "contestants": [], **entry, "kind": kind}, Experiment)
    except ValueError as error:
        raise PlanError(f"{where}: {error}") from None
    files = {label: _NO_FILE.sub("-", player.lower()) for label, player in players.items()}
    fields = {field: _with_players(where, getattr(written, field), files) for field in ("name", "first_of", "paired")}
    contestants = tuple(_with_players(where, contestant, players) for contestant in written.contestants)
    if not _NAME.fullmatch(fields["name"]):
        raise PlanError(f"{where}: name {fields['name']!r:.60} must be small letters, digits and hyphens")
    for key, texts in (("contestants", contestants), ("seated", written.seated)):
        enough = len(texts) >= fewest if count is None else len(texts) == count
        if not enough and (texts or key == "contestants"):
            raise PlanError(f"{where}: {key} {[*texts]!r:.60} must be {count or f'{fewest} or more'} texts")
    started = {name_of(contestant): contestant for contestant in contestants if divided(contestant)[0]}
    return replace(
        written, contestants=tuple(map(name_of, contestants)), started=started, written=written.name, **fields
    )


def _with_players(where: str, text: str, players: dict[str, str]) -> str:
    """Replaces every name in braces by its contestant."""
    for braced in _NAME_IN_BRACES.findall(text):
        if braced not in players:
            raise PlanError(f"{where}: [names] has no {{{braced}}}")
    return _NAME_IN_BRACES.sub(lambda match: players[match[1]], text)


def _check_first_of(path: Path, experiment: Experiment, others: list[Experiment]) -> None:
    """Makes sure that the games are the first ones of the table that they are said to be of."""
    table = experiment.first_of
    if not table:
        return
    whole = next(
        (other for other in others if other.name == table and other.kind == experiment.kind and not other.first_of),
        None,
    )
    if whole is None:
        raise PlanError(f"{path}: {experiment.name} has the first games of {table}, which is not a table of its own")
    here, there = (
        (other.contestants, other.rules, other.namespace, other.seed, other.limit) for other in (experiment, whole)
    )
    if here != there:
        raise PlanError(f"{path}: {experiment.name} has the first games of {table}, which plays something else")


def _check_paired(path: Path, experiment: Experiment, others: list[Experiment]) -> None:
    """Makes sure that two that are compared share the deals and the opponents."""
    partner = experiment.paired
    if not partner:
        return
    paired = next((other for other in others if other.name == partner and other.kind == experiment.kind), None)
    if paired is None:
        raise PlanError(f"{path}: {experiment.name} is paired with {partner}, which is not a {experiment.kind}")
    here, there = ((other.contestants[1:], other.rules, other.namespace, other.seed) for other in (experiment, paired))
    if here != there:
        raise PlanError(f"{path}: {experiment.name} is paired with {partner}, which has other deals or other opponents")
