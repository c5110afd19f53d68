"""
Results files: read strictly in both formats, and written in the one that only grows, which
docs/reference/results-files.md describes.

``ddzbot-match/2`` is a :mod:`tools.shared.kept.journal`: the match, then parts (who played from here on), blocks of
sets, and what came of them. ``ddzbot-match/1`` is one JSON object, which is read only.
"""

import gzip
import math
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..shared.bounds import reason_of
from ..shared.json_text import parse_json
from ..shared.kept.journal import Lines, read_lines
from .games_file import Mark
from .plan import Plan
from .provenance import Provenance, checked
from .results import FORMAT, pairings_of, with_ratings
from .sets import Row
from .shape import PLAN, ShapeError, check_row, fields, items, plan_of, text, truth, whole
from .sprt import Verdict

__all__ = [
    "GZIP",
    "OLD_FORMAT",
    "Part",
    "ResultsFile",
    "check_sets",
    "content_of",
    "is_journal",
    "load",
    "parse",
    "part_of",
    "read",
    "rows_to_resume",
]

OLD_FORMAT = "ddzbot-match/1"
GZIP = b"\x1f\x8b"
"""How a file begins that gzip made."""
_NUMBERS = ("summary", "sprt", "times")
_DIGITS = 1e-9
"""Another release of a library may compute another last digit."""


class Part(NamedTuple):
    """A part of a match: one call of the command, or what an older format has."""

    sets: int
    """How many sets, or games, there were to be then."""
    provenance: Provenance | None
    """Who played; None where the file does not say."""
    played: int = 0
    """Sets that this part brought, of all pairings together, or games."""


class ResultsFile(NamedTuple):
    """What a results file holds, checked."""

    head: dict[str, Any]
    """The match, as :meth:`Plan.as_json` writes it, of so many sets as the last part wanted."""
    plan: Plan
    rows: list[list[Row]]
    """The sets of each pairing, in the order of the file."""
    parts: list[Part]
    said: dict[str, Any] | None
    """What the file says came of them; None where it stops before that."""
    torn: int = 0
    """Bytes of a last line that was written in part, and is lost."""
    lines: Lines | None = None
    """The lines of the journal; None for the older format."""
    games: Mark | None = None
    """What the file with the games held after the last block that has any."""

    def results(self) -> dict[str, Any]:
        """Gets the results, every number made from the rows."""
        pairings = pairings_of(self.plan, self.rows)
        sprt = pairings[0]["sprt"]
        decided = sprt is not None and sprt["verdict"] != Verdict.RUNNING.value
        finished = decided or all(len(rows) == self.plan.sets for rows in self.rows)
        return {
            "format": FORMAT if self.lines else OLD_FORMAT,
            **self.head,
            "finished": finished,
            "summary": pairings[0]["summary"],
            **with_ratings(self.plan, pairings),
            "pairings": pairings,
        }

    def contradictions(self, results: dict[str, Any]) -> list[tuple[str, str]]:
        """Lists what the file says otherwise than its rows, as (who, name of the number)."""
        if self.said is None:
            return []
        found = []
        for said, made in zip(self.said["pairings"], results["pairings"], strict=True):
            name = f"{made['a']} against {made['b']}"
            found += [(name, key) for key in _NUMBERS if not _same(said[key], made[key])]
        if not _same(self.said["summary"], results["summary"]):
            found.append(("the whole match", "summary"))
        if self.said["finished"] and not results["finished"]:
            found.append(("the whole match", "finished"))
        return found


def _same(said: Any, made: Any) -> bool:
    if isinstance(said, dict) and isinstance(made, dict):
        return said.keys() == made.keys() and all(_same(value, made[name]) for name, value in said.items())
    if isinstance(said, list) and isinstance(made, list):
        return len(said) == len(made) and all(map(_same, said, made))
    if type(said) is float and type(made) is float:
        return math.isclose(said, made, rel_tol=_DIGITS, abs_tol=_DIGITS)
    return type(said) is type(made) and bool(said == made)


def load(path: Path) -> dict[str, Any]:
    """
    Reads a results file, compressed or not; every number is made from its rows.

    :raises ValueError: if it is none or damaged, with one sentence that names the file.
    """
    return read(path).results()


def read(path: Path) -> ResultsFile:
    """
    Reads a results file, compressed or not.

    :raises ValueError: if it is none or damaged, with one sentence that names the file.
    """
    return parse(content_of(path), path)


def content_of(path: Path) -> bytes:
    """
    Reads a file, unpacked.

    :raises ValueError: if it cannot be read.
    """
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if content.startswith(GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"results file {path}: it cannot be read ({reason_of(error)})") from None


def is_journal(content: bytes, form: str = FORMAT) -> bool:
    """Tells the format that grows; also a file that was begun and never got its first line."""
    begin = f'{{"format":"{form}",'.encode()
    return content.startswith(begin) or (b"\n" not in content and begin.startswith(content))


def parse(content: bytes, path: Path) -> ResultsFile:
    """
    Reads the content of a results file.

    :raises ValueError: as :func:`read`.
    """
    try:
        return _journal(content) if content and is_journal(content) else _object(content)
    except ValueError as error:
        raise ValueError(f"results file {path}: {error}") from None


def _journal(content: bytes) -> ResultsFile:
    lines = read_lines(content)
    if len(lines.values) < 2:
        raise ShapeError("it was cut before the first set")
    first, *more = lines.values
    head = dict(fields(first, "line 1", ("format", *PLAN), ("deals",)))
    del head["format"]
    plan = plan_of(head)
    parts: list[Part] = []
    blocks: list[tuple[int, Any]] = []
    said, games = None, None
    for number, line in enumerate(more, 2):
        where, said = f"line {number}", None
        if "part" in line:
            parts.append(part_of(line, where, parts))
        elif not parts:
            raise ShapeError(f"{where} does not say who played")
        elif "block" in line:
            block = items(fields(line, where, ("block",), ("games",))["block"], f"{where}.block")
            games = _mark(line["games"], f"{where}.games") if "games" in line else games
            parts[-1] = parts[-1]._replace(played=parts[-1].played + len(block))
            blocks += [(number, one) for one in block]
        else:
            said = _said(fields(line, where, ("finished", "summary", "pairings")), plan, where)
    head["sets"] = parts[-1].sets
    plan = plan._replace(sets=parts[-1].sets)
    found = ((f"line {number}", *_with_pairing(one, f"line {number}", plan)) for number, one in blocks)
    return ResultsFile(head, plan, _rows(plan, found), parts, said, lines.torn, lines, games)


def _mark(value: Any, where: str) -> Mark:
    size, digits, sets = items(value, where, 3)
    return Mark(whole(size, f"{where}[0]"), text(digits, f"{where}[1]"), whole(sets, f"{where}[2]"))


def part_of(line: dict[str, Any], where: str, before: list[Part]) -> Part:
    """
    Reads the line that begins a part.

    :raises ShapeError: if it is none, or not the next one.
    """
    fields(line, where, ("part", "sets", "provenance"))
    whole(line["part"], f"{where}.part", len(before) + 1, len(before) + 2)
    sets = whole(line["sets"], f"{where}.sets", 1)
    who = line["provenance"]
    return Part(sets, None if who is None else checked(who, f"{where}.provenance"))


def _with_pairing(one: Any, where: str, plan: Plan) -> tuple[int, Any]:
    pairing, row = items(one, f"{where}: a set", 2)
    return whole(pairing, f"{where}: the pairing of a set", 0, len(plan.pairings)), row


def _rows(plan: Plan, found: Iterable[tuple[str, int, Any]]) -> list[list[Row]]:
    """Sorts the rows, each with its line and pairing, by pairing."""
    rows: list[list[Row]] = [[] for _ in plan.pairings]
    have: list[set[int]] = [set() for _ in plan.pairings]
    for where, pairing, value in found:
        row = check_row(plan, value, f"{where}: a row")
        if row["set"] in have[pairing]:
            a, b = (plan.contestants[one] for one in plan.pairings[pairing])
            raise ShapeError(f"{where}: set {row['set']} of {a} against {b} stands there twice")
        have[pairing].add(row["set"])
        rows[pairing].append(row)
    return rows


def _said(value: dict[str, Any], plan: Plan, where: str, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """Takes what a file says came of its sets; the numbers are judged when they are made again."""
    truth(value["finished"], f"{where}.finished")
    pairings = items(value["pairings"], f"{where}.pairings", len(plan.pairings))
    for number, (said, pairing) in enumerate(zip(pairings, plan.pairings, strict=True)):
        own = f"{where}.pairings[{number}]"
        fields(said, own, ("a", "b", *_NUMBERS, *more))
        for letter, who in zip("ab", pairing, strict=True):
            if text(said[letter], f"{own}.{letter}") != plan.contestants[who]:
                raise ShapeError(f"{own}.{letter} is {said[letter]!r:.40} and not {plan.contestants[who]!r:.40}")
    return value


def _object(content: bytes) -> ResultsFile:
    """Reads the older format."""
    try:
        value = parse_json(content.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"it cannot be read ({error})") from None
    if not isinstance(value, dict) or value.get("format") != OLD_FORMAT:
        raise ShapeError(f"it is not a {OLD_FORMAT} or {FORMAT} file")
    names = (*PLAN, "finished", "summary", "pairings")
    fields(value, "the file", ("format", *names))
    head = {name: value[name] for name in PLAN}
    plan = plan_of(head)
    said = _said(value, plan, "the file", ("rows",))
    found = (
        (f"pairings[{number}].rows[{at}]", number, row)
        for number, pairing in enumerate(said["pairings"])
        for at, row in enumerate(items(pairing["rows"], f"pairings[{number}].rows"))
    )
    rows = _rows(plan, found)
    return ResultsFile(head, plan, rows, [Part(plan.sets, None, sum(map(len, rows)))], said)


def rows_to_resume(path: Path, plan: Plan) -> list[list[Row]]:
    """
    Gets the rows that an earlier run of the same plan left in *path*; empty lists if there is no such file.

    Only the number of sets may differ; of those that were played none may be thrown away.

    :raises ValueError: if the file is damaged, or holds another match.
    """
    if not path.exists():
        return [[] for _ in plan.pairings]
    found = read(path)
    check_same(found, plan, path)
    return found.rows


def check_same(found: ResultsFile, plan: Plan, path: Path) -> None:
    """
    Makes sure that a file is of the same match, and has no set that is not wanted.

    :raises ValueError: if it is not.
    """
    for name, value in {**dict.fromkeys(found.head), **plan.as_json()}.items():
        there = found.head.get(name)
        if name == "contestants":
            there, value = [one["name"] for one in there or ()], list(plan.contestants)
        if name == "deals":
            there, value = (one and one["sha256"] for one in (there, value))  # it may be called otherwise
        if name not in ("sets", "version") and there != value:
            raise ValueError(
                f"results file {path} holds another match: {name} is {there!r} there and {value!r} here; "
                "name another file, or remove it"
            )
    check_sets(found.rows, plan.sets, path)


def check_sets(rows: Iterable[Iterable[Row]], sets: int, path: Path) -> None:
    """
    Makes sure that no set of a file is beyond those that are wanted.

    :raises ValueError: if one is.
    """
    most = max((row["set"] + 1 for played in rows for row in played), default=0)
    if most > sets:
        raise ValueError(
            f"results file {path} has sets up to the {most}th: --sets {sets} would throw some away; "
            f"--sets {most} ends it there"
        )
