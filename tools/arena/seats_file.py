"""
Results files of ``tools.seats``: who went out in each deal, kept as a match keeps its sets.

``ddzbot-seats/2`` is a :mod:`tools.shared.kept.journal`: the table, then parts and blocks. The older one is one JSON
object.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.game import SEATS

from ..shared.bounds import reason_of
from ..shared.json_text import parse_json
from ..shared.kept.journal import Lines, read_lines
from .match_file import begun_only, opened, refuse_another
from .provenance import Provenance
from .results_file import Part, content_of, is_journal, part_of
from .shape import ShapeError, fields, items, text, whole

__all__ = ["SeatsFile", "SeatsResults", "read_seats"]

FORMAT = "ddzbot-seats/2"
_TABLE = ("rules", "contestants", "seed", "namespace", "limit")


class SeatsResults(NamedTuple):
    """What a file holds, checked."""

    table: dict[str, Any]
    """What is played: everything that the winners depend on."""
    winners: dict[int, int]
    """The seat that went out, by deal, in the order of the deals."""
    parts: list[Part]
    torn: int = 0
    """Bytes of a last line that was written in part, and is lost."""
    lines: Lines | None = None
    """The lines of the journal; None for the older format."""


def read_seats(path: Path) -> SeatsResults:
    """
    Reads a results file of ``tools.seats``, compressed or not.

    :raises ValueError: if it is none or damaged, with one sentence that names the file.
    """
    return _parse(content_of(path), path)


def _parse(content: bytes, path: Path) -> SeatsResults:
    try:
        return _journal(content) if content and is_journal(content, FORMAT) else _object(content)
    except ValueError as error:
        raise ValueError(f"results file {path}: this is not a results file of tools.seats ({error})") from None


def _journal(content: bytes) -> SeatsResults:
    lines = read_lines(content)
    if len(lines.values) < 2:
        raise ShapeError("it was cut before the first game")
    first, *more = lines.values
    table = _table(fields(first, "line 1", ("format", *_TABLE)))
    parts: list[Part] = []
    found: list[tuple[int, int]] = []
    for number, line in enumerate(more, 2):
        where = f"line {number}"
        if "part" in line:
            parts.append(part_of(line, where, parts))
        elif not parts:
            raise ShapeError(f"{where} does not say who played")
        else:
            block = items(fields(line, where, ("block",))["block"], f"{where}.block")
            for one in block:
                index, seat = items(one, f"{where}: a game", 2)
                found.append(_game(index, seat, where))
            parts[-1] = parts[-1]._replace(played=parts[-1].played + len(block))
    return SeatsResults(table, _winners(found), parts, lines.torn, lines)


def _object(content: bytes) -> SeatsResults:
    value = parse_json(content.decode("utf-8"))
    fields(value, "the file", (*_TABLE, "winners"))
    if not isinstance(value["winners"], dict):
        raise ShapeError(f"winners is {value['winners']!r:.40}, which is not an object")
    found = [_game(_index(key), seat, "winners") for key, seat in value["winners"].items()]
    return SeatsResults(_table(value), _winners(found), [Part(1, None, len(found))])


def _index(key: str) -> int:
    if not (key.isascii() and key.isdigit() and key == str(int(key[:18]))):
        raise ShapeError(f"winners has {key!r:.40}, which is not a deal")
    return int(key)


def _game(index: Any, seat: Any, where: str) -> tuple[int, int]:
    return whole(index, f"{where}: a deal"), whole(seat, f"{where}: a seat", 0, SEATS)


def _winners(found: Iterable[tuple[int, int]]) -> dict[int, int]:
    winners: dict[int, int] = {}
    for index, seat in found:
        if index in winners:
            raise ShapeError(f"deal {index} stands there twice")
        winners[index] = seat
    return dict(sorted(winners.items()))


def _table(value: dict[str, Any]) -> dict[str, Any]:
    for name in ("rules", "namespace", "limit"):
        text(value[name], name)
    for name in items(value["contestants"], "contestants", SEATS):
        text(name, "contestants")
    whole(value["seed"], "seed")
    return {name: value[name] for name in _TABLE}


class SeatsFile:
    """The results file of one table that is being played, which no other process may write before it is closed."""

    def __init__(self, path: Path, table: dict[str, Any]) -> None:
        """
        Opens the file, or makes it, and reads what an earlier call left; *table* is what is played.

        :raises ValueError: for a file that is damaged, of another table, in use, or that cannot be written.
        """
        self.path = path
        self._table = {**table, "contestants": list(table["contestants"])}
        self._journal, content = opened(path)
        try:
            self.found = None if begun_only(content, FORMAT) else _parse(content, path)
            if self.found and self.found.table != self._table:
                raise ValueError(f"results file {path}: these are the results of another table; name another file")
        except BaseException:
            self._journal.close()
            raise
        if self.found and self.found.lines:
            self._journal.size, self._journal.chain = self.found.lines.size, self.found.lines.chain

    @property
    def name(self) -> str:
        """What the file is, for people."""
        return f"results file {self.path}"

    def has(self, games: int) -> bool:
        """Tells whether so many games were played."""
        return self.found is not None and all(index in self.found.winners for index in range(games))

    def check(self, who: Provenance, mix: bool) -> None:
        """
        Makes sure that *who* may go on with the table.

        :raises ValueError: if another program played the part before, unless *mix* accepts that.
        """
        if self.found and not mix and self.found.winners:
            refuse_another(self.path, self.found.parts, who)

    def begin(self, who: Provenance, games: int, mix: bool) -> None:
        """
        Begins a new part of so many games, with those before, played by *who*.

        :raises ValueError: as :meth:`check`, or if the file cannot be written.
        """
        self.check(who, mix)
        number = len(self.found.parts) + 1 if self.found else 1
        head = {"format": FORMAT, **self._table}
        try:
            if self.found is None:
                self._journal.append(head)
            elif self.found.lines is None:
                self._journal = self._journal.replaced_by(_converted(head, self.found))
            most = max([games, *(part.sets for part in self.found.parts)]) if self.found else games
            self._journal.append({"part": number, "sets": most, "provenance": who})
        except OSError as error:
            raise ValueError(f"results file {self.path}: it cannot be written ({reason_of(error)})") from None

    def append(self, games: Sequence[tuple[int, Any]]) -> None:
        """
        Writes a block of (deal, seat), and waits until it is on the disk.

        :raises OSError: if that cannot be; it may be tried again.
        """
        self._journal.append({"block": [list(one) for one in games]})

    def end(self, results: dict[str, Any]) -> None:
        """Writes nothing more: the winners are the results."""

    def close(self) -> None:
        """Lets others write the file."""
        self._journal.close()


def _converted(head: dict[str, Any], found: SeatsResults) -> list[dict[str, Any]]:
    """Gets the lines that say what a file of the older format does."""
    part: dict[str, Any] = {"part": 1, "sets": 1, "provenance": None}
    block: dict[str, Any] = {"block": [[index, seat] for index, seat in found.winners.items()]}
    return [head, part, block]
