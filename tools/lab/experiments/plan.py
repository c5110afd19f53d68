"""
What a report rests on: a list of matches, gauntlets, tables of three and tournaments, read from a TOML file.

Each is a call of ``tools match``: a ``[[match]]`` of two, a ``[[gauntlet]]`` with ``--gauntlet``, ``[[seats]]`` with
``--seats``, and a ``[[tournament]]`` of three and more that all meet; docs/guide/match.md shows one. Under
``[names]`` stands who plays wherever an entry has a name in braces: ``CQL = "rule"`` makes the contestant ``{CQL}``,
and what is called after it, those of ``rule``.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import tomli

from ...arena.plan import FEWEST
from ...shared.bounds import MOST_EXPERIMENTS, UnreadableError, whole_file
from ...shared.default_rules import DEFAULT_RULES

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_ALL: dict[str, Any] = {"rules": DEFAULT_RULES, "namespace": "report", "seed": 1, "limit": ""}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "match": {**_ALL, "sets": 100, "sprt": [], "jobs": 0},
    "gauntlet": {**_ALL, "sets": 100, "jobs": 0},
    "seats": {**_ALL, "games": 500, "jobs": 0},
    "tournament": {**_ALL, "sets": 200, "neighbours": 0, "jobs": 0},
}
_CONTESTANTS = {"match": 2, "seats": 3}
"""How many there are; a gauntlet and a tournament have as many as one likes."""
_REMARKS: dict[str, dict[str, Any]] = {
    "match": {"budget": "", "published": "", "paired": ""},
    "gauntlet": {"paired": ""},
    "seats": {"budget": "", "published": "", "seated": [], "first_of": ""},
    "tournament": {"picture": ""},
}
_COMMAND = ["-m", "tools", "match"]
_FLAGS = {"gauntlet": ["--gauntlet"], "seats": ["--seats"]}
"""The options that make a call of that kind."""
_NAMED = re.compile(r"\{(\w+)\}")


class PlanError(ValueError):
    """A plan that cannot be read; the message is one sentence that names the file and the entry."""


class Experiment(NamedTuple):
    """One match, one gauntlet, one table of three, or one tournament."""

    kind: str
    """``match``, ``gauntlet``, ``seats`` or ``tournament``."""
    name: str
    """What its results file is called."""
    contestants: tuple[str, ...]
    options: dict[str, Any]
    """Options of the command, by name; those that are empty or 0 are not given."""
    budget: str = ""
    """What a table says about the time of a decision; empty for the limit."""
    published: str = ""
    """What somebody else reported of the same; a table shows it beside ours."""
    seated: tuple[str, ...] = ()
    """Who sat there in what was published, by seat, e.g. ``CQL``; empty where nobody says."""
    first_of: str = ""
    """The table of three whose first games these are; empty for one with games of its own."""
    paired: str = ""
    """The one on the same deals against the same opponents that a table compares with this one; empty for none."""
    picture: str = ""
    """Where the page that shows a tournament has its picture, as a link there; empty for none."""
    written: str = ""
    """The name as it stands in the plan, where it may have somebody's name in braces."""

    def command(self, results: Path, jobs: int) -> list[str]:
        """Gets the command line, without the interpreter, that plays it or goes on with it."""
        own = self.options.get("jobs") or jobs
        words = [*_COMMAND, *self.contestants, *_FLAGS.get(self.kind, ()), *_as_options(self.options)]
        return [*words, "--jobs", str(own), "--json", str(self.file(results))]

    def spoken(self) -> str:
        """Gets the command as a document shows it: what the numbers depend on, and nothing else."""
        quoted = [f'"{one}"' if " " in one else one for one in self.contestants]
        kept = ["--json", f"{self.name}.json"] if self.kind == "tournament" else []
        flags = _FLAGS.get(self.kind, ())
        return " ".join(["python", *_COMMAND, *quoted, *flags, *_as_options(self.options), *kept])

    def file(self, results: Path) -> Path:
        """Gets the results file, which has more games than these if they are the first of others."""
        return results / f"{self.first_of or self.name}.json"

    @property
    def in_place_of(self) -> dict[str, str]:
        """Maps those of ours who sit where another program sat to that one, e.g. ``rule`` to ``CQL``."""
        pairs = zip(self.contestants, self.seated, strict=False)
        return {our: their for our, their in pairs if our.partition(":")[0].lower() != their.lower()}


_SPOKEN = {"games": "sets"}
"""A deal of three in fixed seats is one game."""


def _as_options(options: dict[str, Any]) -> list[str]:
    words = []
    for name, value in options.items():
        if name != "jobs" and value not in ("", 0, []):
            words += [f"--{_SPOKEN.get(name, name)}", *map(str, value if isinstance(value, list) else [value])]
    return words


def read_plan(path: Path) -> list[Experiment]:
    """
    Reads the experiments in the order of the file.

    :raises PlanError: if the file cannot be read, or an entry is none.
    """
    try:
        content = tomli.loads(whole_file(path).decode("utf-8"))
    except UnreadableError as error:
        raise PlanError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: it cannot be read: {error}") from None
    names = _names(path, content.pop("names", {}))
    found = [
        _experiment(path, kind, number, entry, names)
        for kind, entries in content.items()
        for number, entry in enumerate(_entries(path, kind, entries), 1)
    ]
    if len(found) > MOST_EXPERIMENTS:
        raise PlanError(f"{path}: it has more than {MOST_EXPERIMENTS:,} experiments")
    for name, times in Counter(experiment.name for experiment in found).items():
        if times > 1:
            raise PlanError(f"{path}: two experiments are called {name}")
    for experiment in found:
        _check_first_of(path, experiment, found)
        _check_paired(path, experiment, found)
    return found


def _entries(path: Path, kind: str, entries: Any) -> list[Any]:
    if kind not in _DEFAULTS or not isinstance(entries, list):
        raise PlanError(
            f"{path}: {kind!r:.60} is unknown; a plan has [[match]], [[gauntlet]], [[seats]] and [[tournament]]"
        )
    return entries


def _names(path: Path, names: Any) -> dict[str, str]:
    if not isinstance(names, dict) or not all(isinstance(who, str) for who in names.values()):
        raise PlanError(f"{path}: [names] must say who plays under each name")
    return names


def _named(where: str, text: str, names: dict[str, str]) -> str:
    """Puts who plays in the place of every name in braces."""
    for name in _NAMED.findall(text):
        if name not in names:
            raise PlanError(f"{where}: [names] does not say who {{{name}}} is")
    return _NAMED.sub(lambda found: names[found[1]], text)


def _experiment(path: Path, kind: str, number: int, entry: Any, names: dict[str, str]) -> Experiment:
    where = f"{path}: [[{kind}]] {number}"
    defaults = {**_DEFAULTS[kind], **_REMARKS[kind]}
    if not isinstance(entry, dict):
        raise PlanError(f"{where} is not a table")
    unknown = entry.keys() - defaults.keys() - {"name", "contestants"}
    if unknown:
        raise PlanError(f"{where}: {sorted(unknown)[0]!r:.60} is unknown")
    written = entry.get("name")
    name = _named(where, written, names) if isinstance(written, str) else written
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise PlanError(f"{where}: name {name!r:.60} must be small letters, digits and hyphens")
    count = _CONTESTANTS.get(kind)
    listed = _texts(where, "contestants", entry.get("contestants", []), count)
    contestants = tuple(_named(where, one, names) for one in listed)
    for key, value in entry.items():
        wanted = type(defaults.get(key, ""))
        if key not in ("name", "contestants") and (not isinstance(value, wanted) or isinstance(value, bool)):
            raise PlanError(f"{where}: {key} {value!r:.60} must be {_TYPES[wanted]}")
    options = {key: entry.get(key, value) for key, value in _DEFAULTS[kind].items()}
    remarks = {key: entry.get(key, value) for key, value in _REMARKS[kind].items()}
    if "seated" in remarks:
        remarks["seated"] = _texts(where, "seated", remarks["seated"], count) if remarks["seated"] else ()
    for other in ("first_of", "paired"):
        if other in remarks:
            remarks[other] = _named(where, remarks[other], names)
    return Experiment(kind, name, contestants, options, **remarks, written=str(written))


def _texts(where: str, key: str, value: Any, count: int | None) -> tuple[str, ...]:
    """Takes a list of so many texts, or of three and more."""
    many = isinstance(value, list) and (len(value) >= FEWEST if count is None else len(value) == count)
    if not many or not all(isinstance(one, str) for one in value):
        raise PlanError(f"{where}: {key} {value!r:.60} must be {count or f'{FEWEST} or more'} texts")
    return tuple(value)


def _check_first_of(path: Path, experiment: Experiment, others: list[Experiment]) -> None:
    """Makes sure that the games are the first ones of the table that they are said to be of."""
    name = experiment.first_of
    if not name:
        return
    whole = next((one for one in others if one.name == name and one.kind == experiment.kind and not one.first_of), None)
    if whole is None:
        raise PlanError(f"{path}: {experiment.name} has the first games of {name}, which is not a table of its own")
    if _what_is_played(whole) != _what_is_played(experiment):
        raise PlanError(f"{path}: {experiment.name} has the first games of {name}, which plays something else")


def _check_paired(path: Path, experiment: Experiment, others: list[Experiment]) -> None:
    """Makes sure that two that are compared share the deals and the opponents."""
    name = experiment.paired
    if not name:
        return
    other = next((one for one in others if one.name == name and one.kind == experiment.kind), None)
    if other is None:
        raise PlanError(f"{path}: {experiment.name} is paired with {name}, which is not a {experiment.kind}")
    if _met(other) != _met(experiment):
        raise PlanError(f"{path}: {experiment.name} is paired with {name}, which has other deals or other opponents")


def _met(experiment: Experiment) -> tuple[Any, ...]:
    """Gets what both of a pair must share."""
    return experiment.contestants[1:], *(experiment.options[name] for name in ("rules", "namespace", "seed"))


def _what_is_played(experiment: Experiment) -> dict[str, Any]:
    words = {key: value for key, value in experiment.options.items() if key not in ("games", "jobs")}
    return {"contestants": experiment.contestants, **words}


_TYPES = {str: "a text", int: "a whole number", list: "a list"}
