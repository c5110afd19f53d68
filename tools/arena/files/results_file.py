"""
Results files, read strictly; docs/reference/results-files.md describes them.

A file is a :mod:`tools.shared.storage.journal`: what every set depends on, then parts (which program plays from here
on), blocks of sets, and players with sets that do not count any more.
"""

import codecs
import gzip
import zlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn

import msgspec
from msgspec import Meta, field

from ddzbot import __version__
from ddzbot.search.limit import parse_limit

from ...shared.bounds import reason_of, utf8_text
from ...shared.contestants import Contestant
from ...shared.limits import limit_text
from ...shared.message import Message, to_json
from ...shared.storage.growing_file import whole_lines
from ...shared.storage.journal import read_lines
from ..matches.deals_file import DealsFile
from ..matches.everybody import PLANS
from ..matches.plan import Kind, Plan
from ..stats.row import Row, RowBase, Whole, check_games, read_message
from .games_file import Mark
from .identity import Identity, Lineup
from .provenance import Provenance

FORMAT: Final = "ddzbot-match/3"
GZIP = b"\x1f\x8b"
"""How a file begins that gzip made."""
_BEGIN = f'{{"format":"{FORMAT}",'.encode()
_MOVED, _MOVED_TO = "tools.arena.cheating:", "tools.lab.cheating:"

Some = Annotated[int, Meta(ge=1)]


class Deals(RowBase, frozen=True):
    """The file that the deals come from."""

    file: str
    sha256: str


class Head(RowBase, frozen=True):
    """The first line: what every set depends on, whichever program plays."""

    format: Literal["ddzbot-match/3"]
    kind: Kind
    rules: str
    seed: Whole
    namespace: str
    limit: str
    version: str
    sprt: tuple[float, float, float, float] | None = None
    deals: Deals | None = None

    @classmethod
    def of(cls, plan: Plan) -> "Head":
        """Gets the first line of a plan's file."""
        deals = Deals(plan.deals.file, plan.deals.sha256) if plan.deals else None
        limit = limit_text(plan.limit)
        return cls(FORMAT, plan.kind, plan.rules, plan.seed, plan.namespace, limit, __version__, plan.sprt, deals)

    def plan(self, part: "Part") -> Plan:
        """
        Gets the match as it was to be in a part. Its contestants are only names: they may be of another time.

        :raises ValueError: for what no match can be.
        """
        kind = PLANS[self.kind]
        own = {key: value for key, value in (("sprt", self.sprt), ("neighbours", part.neighbours)) if value}
        for key in own.keys() - {attribute.name for attribute in fields(kind)}:
            raise ValueError(f"{key} is not a field of a match of the kind {self.kind}")
        plan = kind(
            self.rules,
            tuple(Contestant(name, None) for name in part.contestants),
            part.sets,
            self.seed,
            self.namespace,
            parse_limit(self.limit),
            DealsFile(self.deals.file, self.deals.sha256) if self.deals else None,
            **own,
        )
        plan.check_kind()
        return plan


class Entry(RowBase, frozen=True):
    """A program of a class."""

    name: str
    digest: str
    """The hash of what it was made of; empty where that could not be read."""
    problem: Message | None = None
    """Why it does not play."""
    check: tuple[Message, ...] = ()
    """What the check found."""


class Part(RowBase, frozen=True, tag_field="line", tag="part"):
    """The line that begins each call of the command that plays."""

    contestants: tuple[str, ...]
    sets: Some
    """How many are wanted from now on."""
    neighbours: Whole = 0
    provenance: Provenance | None = None
    """The program that plays from here on; None if unknown."""
    identities: dict[str, Identity] = field(default_factory=dict)
    """By contestant."""
    entries: tuple[Entry, ...] = ()
    """All that was handed in for a field."""
    games_file: str = ""
    """The name of the file with the games, without its folder."""
    games: Mark | None = None
    """What that file holds when the part begins, if there is one."""
    seers: tuple[str, ...] = ()
    """Contestants that see all hands."""


class Block(RowBase, frozen=True, tag_field="line", tag="block"):
    """Sets that ended since the block before, each with its pairing in the part."""

    sets: tuple[tuple[Whole, Row], ...]
    games: Mark | None = None
    """What the file with the games of the part holds now, if there is one."""


class Dropped(RowBase, frozen=True, tag_field="line", tag="dropped"):
    """A player; its sets above do not count any more."""

    player: str
    why: str


class Ranking(RowBase, frozen=True, tag_field="line", tag="ranking"):
    """The neighbours, which a kept file names (results/players); they follow from the sets as well."""

    players: tuple[str, ...]
    sets: Some


Line = Part | Block | Dropped | Ranking


def line_of(line: Head | Line, write: Callable[[str], Any] = to_json) -> dict[str, Any]:
    """Gets a line as the journal writes it, each message by *write*."""
    plain: dict[str, Any] = msgspec.to_builtins(line, enc_hook=write)
    return plain


class Found(NamedTuple):
    """What a results file holds, checked."""

    head: Head
    parts: list[Part]
    played: list[int]
    """The sets that each part brought."""
    rows: dict[tuple[str, ...], dict[int, Row]]
    """The sets that count, by the players at the table and number."""
    last: dict[str, Lineup]
    """By player, the part in which it played last."""
    games: dict[str, Mark]
    """What each file with games held last, by its name; the one that was written last is the last one."""
    torn: int
    """Bytes of a last line that was written in part, and is lost."""
    size: int
    chain: str

    @property
    def plan(self) -> Plan:
        """The match as the last part wanted it."""
        return self.head.plan(self.parts[-1])

    def rows_of(self, plan: Plan) -> list[list[Row]]:
        """Gets the sets of each pairing of a plan, in the order of their numbers."""
        pairings = (self.rows.get(pair, {}) for pair in plan.pairs)
        return [[rows[index] for index in sorted(rows)] for rows in pairings]

    def mark_of(self, games: Path) -> Mark | None:
        """Gets what a file with games held last; of one with another name, what the last one held, but an empty one."""
        mark = next(reversed(self.games.values()), None)
        return self.games.get(games.name, mark if mark and mark.bytes else None)

    def sets_of(self, player: str) -> int:
        """Counts the sets of a player that count."""
        return sum(len(rows) for pair, rows in self.rows.items() if player in pair)


def read(path: Path) -> Found:
    """
    Reads a results file, compressed or not.

    :raises ValueError: if it is none or damaged, with one sentence that names the file.
    """
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if content.startswith(GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"results file {path}: it cannot be read ({reason_of(error)})") from None
    return parse(content.removeprefix(codecs.BOM_UTF8), path)


def begun_only(content: bytes) -> bool:
    """Tests for a file that has at most its first line: it may begin anew."""
    # A machine that dies may leave zero bytes of a line.
    return len(whole_lines(content)[0]) < 2 and (
        content.startswith(_BEGIN) or _BEGIN.startswith(content.rstrip(b"\0\n"))
    )


def parse(content: bytes, path: Path) -> Found:
    """
    Reads the content of a results file.

    :raises ValueError: as :func:`read`.
    """
    try:
        if not content.startswith(_BEGIN):
            _refuse(content)
        return _Reader().read(content)
    except ValueError as error:
        raise ValueError(f"results file {path}: {error}") from None


def _refuse(content: bytes) -> NoReturn:
    if content.startswith(codecs.BOM_UTF8 + _BEGIN):
        raise ValueError("an editor put a byte order mark before its first line: save it as UTF-8 without one")
    utf8_text(content.partition(b"\n")[0])
    raise ValueError(f"it is not a {FORMAT} file")


class _Reader:
    """Reads the lines in turn."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._played: list[int] = []
        self._rows: dict[tuple[str, ...], dict[int, Row]] = {}
        self._last: dict[str, Lineup] = {}
        self._games: dict[str, Mark] = {}

    def read(self, content: bytes) -> Found:
        """
        Reads a file.

        :raises ValueError: if it is damaged.
        """
        lines = read_lines(content)
        if len(lines.values) < 2:
            raise ValueError("it was cut before the first set")
        self._head: Head = _convert(lines.values[0], Head, "line 1")
        for number, value in enumerate(lines.values[1:], 2):
            where = f"line {number}"
            line: Line = _convert(_with_new_places(value), Line, where)
            try:
                self._take(line)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
        gathered = (self._head, self._parts, self._played, self._rows, self._last, self._games)
        return Found(*gathered, lines.torn, lines.size, lines.chain)

    def _take(self, line: Line) -> None:
        if isinstance(line, Part):
            self._take_part(line)
        elif not self._parts:
            raise ValueError("it does not name the program that played")
        elif isinstance(line, Block):
            self._played[-1] += len(line.sets)
            self._take_games(line.games)
            for pairing, row in line.sets:
                self._take_set(pairing, row)
        elif isinstance(line, Dropped):
            self._rows = {pair: rows for pair, rows in self._rows.items() if line.player not in pair}

    def _take_part(self, part: Part) -> None:
        self._plan = self._head.plan(part)
        self._pairs = self._plan.pairs
        if part.identities and {*part.identities} != {*part.contestants}:
            raise ValueError("its identities are not those of its contestants")
        self._parts.append(part)
        self._played.append(0)
        self._take_games(part.games)
        if part.provenance:
            own = Lineup(part.provenance, part.identities)
            self._last |= dict.fromkeys(part.identities, own)

    def _take_games(self, mark: Mark | None) -> None:
        if mark:
            file = self._parts[-1].games_file
            self._games.pop(file, None)
            self._games[file] = mark

    def _take_set(self, pairing: int, row: Row) -> None:
        if pairing >= len(self._pairs):
            raise ValueError(f"there is no pairing {pairing}")
        pair = self._pairs[pairing]
        label = f"set {row.set} of {' against '.join(pair)}"
        check_row(self._plan, row, label)
        rows = self._rows.setdefault(pair, {})
        if row.set in rows:
            raise ValueError(f"{label} stands there twice")
        rows[row.set] = row


def check_row(plan: Plan, row: Row, name: str) -> None:
    """
    Makes sure that a row is a set of a plan.

    :raises ValueError: if it is none.
    """
    if row.set >= plan.most:
        raise ValueError(f"{name} is not one of {plan.most}")
    if tuple(game.seating for game in row.games) != plan.seatings(row.set):
        raise ValueError(f"{name} has not the games {' '.join(plan.seatings(row.set))}")
    strangers = {*row.counts, *row.ms, *row.fallbacks, *(fault.by for fault in row.faults)} - {*plan.letters}
    if strangers or any(fault.game >= len(row.games) for fault in row.faults):
        raise ValueError(f"{name} speaks of contestants or games that it has not")
    if not plan.three:
        try:
            check_games(row)
        except ValueError as error:
            raise ValueError(f"{name} is none: {error}") from None


def _with_new_places(value: Any) -> Any:
    """Names a class by the module where it is now: files begun before 29 November 2026 have it in another one."""
    contestants = value.get("contestants") if isinstance(value, dict) else None
    if isinstance(contestants, list):
        value["contestants"] = [_now(contestant) for contestant in contestants]
        if isinstance(identities := value.get("identities"), dict):
            value["identities"] = {_now(contestant): identity for contestant, identity in identities.items()}
    return value


def _now(name: Any) -> Any:
    return name.replace(_MOVED, _MOVED_TO) if isinstance(name, str) else name


def _convert(value: Any, kind: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, kind, dec_hook=read_message)
    except msgspec.ValidationError as error:
        raise ValueError(f"{where} is not as it must be ({error})") from None
