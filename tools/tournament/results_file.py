"""
Results files of tournaments, read strictly.

``ddzbot-tournament/1`` is a :mod:`tools.shared.kept.journal`; docs/reference/results-files.md describes it: the deals,
then parts (who plays from here on), blocks of sets, players whose sets do not count any more, and rankings that say who
is whose neighbour.
"""

from pathlib import Path
from typing import Any, NamedTuple

from ..arena.plan import Plan
from ..arena.provenance import Provenance, checked
from ..arena.results_file import Part, content_of, is_journal
from ..arena.sets import Row
from ..arena.shape import ShapeError, check_row, fields, items, text, whole
from ..shared.kept.journal import read_lines
from .identity import Identity, checked_identities
from .plan import FEWEST, Tournament

__all__ = ["FORMAT", "Found", "Ranking", "parse", "read"]

FORMAT = "ddzbot-tournament/1"
_HEAD = ("rules", "seed", "namespace", "limit", "version")

Pair = tuple[str, str]


class Ranking(NamedTuple):
    """All players by the first sets of every pair, the best first: each is the neighbour of the next one."""

    players: tuple[str, ...]
    sets: int
    """Of every pair."""


class Found(NamedTuple):
    """What a results file holds, checked."""

    head: dict[str, Any]
    parts: list[Part]
    rows: dict[Pair, dict[int, Row]]
    """The sets that count, by pair (in the order of the alphabet) and number."""
    last: dict[str, tuple[Identity, Provenance]]
    """Who each player was when it was named last."""
    ranking: Ranking | None
    """The last one that rests on sets that count."""
    torn: int
    """Bytes of a last line that was written in part, and is lost."""
    size: int
    chain: str

    def rows_of(self, tournament: Tournament) -> list[list[Row]]:
        """Gets the sets of each pairing of a tournament, in the order of their numbers."""
        found = (self.rows.get(pair, {}) for pair in tournament.pairs)
        return [[rows[number] for number in sorted(rows)] for rows in found]

    def ranking_of(self, tournament: Tournament) -> Ranking | None:
        """Gets the ranking, if it is one of these players by as many sets."""
        ranking = self.ranking
        fits = ranking and set(ranking.players) == {*tournament.players} and ranking.sets == tournament.sets
        return ranking if fits else None

    def sets_of(self, player: str) -> int:
        """Counts the sets of a player that count."""
        return sum(len(rows) for pair, rows in self.rows.items() if player in pair)


def read(path: Path) -> Found:
    """
    Reads a results file, compressed or not.

    :raises ValueError: if it is none or damaged, with one sentence that names the file.
    """
    return parse(content_of(path), path)


def parse(content: bytes, path: Path) -> Found:
    """
    Reads the content of a results file.

    :raises ValueError: as :func:`read`.
    """
    try:
        if not content or not is_journal(content, FORMAT):
            raise ShapeError(f"it is not a {FORMAT} file")
        return _Reader().read(content)
    except ValueError as error:
        raise ValueError(f"results file {path}: {error}") from None


class _Reader:
    """Reads the lines in turn."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._parts: list[Part] = []
        self._plan: Plan | None = None
        self._pairs: list[Pair] = []
        self._rows: dict[Pair, dict[int, Row]] = {}
        self._last: dict[str, tuple[Identity, Provenance]] = {}
        self._ranking: Ranking | None = None

    def read(self, content: bytes) -> Found:
        """
        Reads a file.

        :raises ValueError: if it is damaged, or not a tournament.
        """
        lines = read_lines(content)
        if len(lines.values) < 2:
            raise ShapeError("it was cut before the first part")
        self._head = dict(fields(lines.values[0], "line 1", ("format", *_HEAD)))
        for name in ("rules", "namespace", "limit", "version"):
            text(self._head[name], f"line 1: {name}")
        whole(self._head["seed"], "line 1: seed")
        for number, line in enumerate(lines.values[1:], 2):
            self._take(line, f"line {number}")
        found = (self._head, self._parts, self._rows, self._last, self._ranking)
        return Found(*found, lines.torn, lines.size, lines.chain)

    def _take(self, line: dict[str, Any], where: str) -> None:
        if "part" in line:
            self._take_part(line, where)
        elif self._plan is None:
            raise ShapeError(f"{where} does not say who played")
        elif "block" in line:
            block = items(fields(line, where, ("block",))["block"], f"{where}.block")
            self._parts[-1] = self._parts[-1]._replace(played=self._parts[-1].played + len(block))
            for one in block:
                self._take_set(one, where, self._plan)
        elif "dropped" in line:
            self._drop(text(fields(line, where, ("dropped", "why"))["dropped"], f"{where}.dropped"))
        else:
            fields(line, where, ("ranking", "sets"))
            names = tuple(text(one, f"{where}.ranking") for one in items(line["ranking"], f"{where}.ranking"))
            self._ranking = Ranking(names, whole(line["sets"], f"{where}.sets", 1))

    def _take_part(self, line: dict[str, Any], where: str) -> None:
        fields(line, where, ("part", "players", "sets", "neighbours", "provenance", "identities"))
        whole(line["part"], f"{where}.part", len(self._parts) + 1, len(self._parts) + 2)
        players = tuple(text(one, f"{where}.players") for one in items(line["players"], f"{where}.players"))
        sets, more = whole(line["sets"], f"{where}.sets", 1), whole(line["neighbours"], f"{where}.neighbours")
        who = checked(line["provenance"], f"{where}.provenance")
        own = checked_identities(line["identities"], f"{where}.identities")
        if set(own) != set(players) or len(own) < len(players):
            raise ShapeError(f"{where}.identities are not those of its players")
        head = self._head
        tournament = Tournament(head["rules"], players, sets, more, head["seed"], head["namespace"], head["limit"])
        self._plan, self._pairs = tournament.plan, tournament.pairs
        try:
            assert self._plan.seatings
        except ValueError as error:
            raise ShapeError(f"the tournament cannot be: {error}") from None
        if len(players) < FEWEST:
            raise ShapeError(f"{where}: no tournament is of {len(players)} players")
        self._parts.append(Part(sets, who))
        self._last |= {player: (identity, who) for player, identity in own.items()}

    def _take_set(self, one: Any, where: str, plan: Plan) -> None:
        number, row = items(one, f"{where}: a set", 2)
        pair = self._pairs[whole(number, f"{where}: the pairing of a set", 0, len(self._pairs))]
        row = check_row(plan, row, f"{where}: a row")
        rows = self._rows.setdefault(pair, {})
        if row["set"] in rows:
            raise ShapeError(f"{where}: set {row['set']} of {' against '.join(pair)} stands there twice")
        rows[row["set"]] = row

    def _drop(self, player: str) -> None:
        for pair in [pair for pair in self._rows if player in pair]:
            del self._rows[pair]
        self._ranking = None
