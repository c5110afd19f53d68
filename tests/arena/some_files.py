"""Results files for tests: written as a match writes them, taken apart, and put together with right checksums."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tools.arena import playing
from tools.arena.files.identity import Identity, Lineup
from tools.arena.files.match_files import MatchFiles
from tools.arena.files.provenance import Provenance
from tools.arena.files.results_file import read
from tools.arena.matches.plan import Plan, Seats
from tools.arena.matches.runner import Progress, run
from tools.arena.matches.sets import PlayedSet
from tools.arena.reports.results import Results, results_of
from tools.arena.stats.row import GameRow, Row
from tools.shared.storage.journal import line_of

PROVENANCE = Provenance(
    commit="0123456",
    kernel="5 0123456789ab",
    path="avx2",
    networks={"fast-0123456789ab.ddzw": "0123456789ab"},
    files={},
    cpu="a processor",
    python="3.11.7",
    numpy="2.0",
    where="",
    jobs=2,
)


def lineup_of(plan: Plan, found: Provenance = PROVENANCE, **others: Identity) -> Lineup:
    """Lineup plays a plan, with other identities for some of the players."""
    return Lineup(found, {player: others.get(player, Identity({}, f"as {player} does")) for player in plan.names})


_played: dict[str, Progress] = {}


def played(plan: Plan) -> Progress:
    """Plays a match to its end, once; no test may change it."""
    if str(plan) not in _played:
        _played[str(plan)] = progress = Progress(plan)
        run(progress, 1, lambda *_: None)
    return _played[str(plan)]


def some_of(plan: Plan, sets: int) -> Progress:
    """The first sets of a match of two."""
    return Progress(plan, [played(plan).rows[0][:sets]])


def keep(path: Path, progress: Progress, lineup: Lineup | None = None, block: int = 5, mix: bool = False) -> None:
    """Writes what was played since the file was written last, in blocks."""
    lineup = lineup or lineup_of(progress.plan)
    file = MatchFiles(progress.plan, path)
    try:
        have = {(pairing, row.set) for pairing, rows in enumerate(file.rows) for row in rows}
        file.judge(lineup, mix, (), print)
        file.begin(lineup, False, print)
        fresh = [
            (pairing, PlayedSet(row))
            for pairing, rows in enumerate(progress.rows)
            for row in rows
            if (pairing, row.set) not in have
        ]
        for begin in range(0, len(fresh), block):
            file.append(fresh[begin : begin + block])
    finally:
        file.close()


def begun(plan: Plan, path: Path, games: Path | None = None) -> MatchFiles:
    """Opens the files of a match in which nothing has been played."""
    files = MatchFiles(plan, path, games)
    files.begin(lineup_of(plan), False, print)
    return files


@contextmanager
def in_this_process() -> Iterator[None]:
    """Has a match of three or more look at its players here, which takes no start of a process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(playing, "run_in_subprocess", lambda function, *arguments: function(*arguments))
        yield


def rows_in(path: Path) -> list[list[Row]]:
    """Gets the sets of a file, by pairing."""
    results = read(path)
    return results.rows_of(results.plan)


def results_in(path: Path) -> Results:
    """Gets what came of the match in a file."""
    results = read(path)
    return results_of(Progress(results.plan, rows_in(path)))


def timeless(rows: list[list[Row]]) -> list[list[tuple[Any, ...]]]:
    """What must be the same when the same sets are played again."""
    by_number = (sorted(played, key=lambda row: row.set) for played in rows)
    return [[(row.set, row.games, row.counts, row.fallbacks, row.faults) for row in played] for played in by_number]


def saving_often(before: str = "pass", seconds: float = 0.1) -> list[str]:
    """The words of ``tools.arena.match`` with an autosave every so many *seconds*, for tests that cannot wait."""
    match = (
        f"import tools.arena.match as t, tools.shared.storage.autosave as m; m.AUTOSAVE_SECONDS = {seconds}; t.main()"
    )
    return [sys.executable, "-c", f"{before}; {match}"]


def sets_in(path: Path) -> int:
    """Counts the sets in the file of a match that may be running, or not have begun."""
    return sum(map(len, rows_in(path))) if path.exists() and path.read_bytes().count(b"\n") > 1 else 0


def lines_in(path: Path) -> list[dict[str, Any]]:
    """Gets the lines of a file without their checksums."""
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    return [{field: value for field, value in line.items() if field != "sum"} for line in lines]


def put(path: Path, lines: list[dict[str, Any]]) -> None:
    """Writes lines with checksums that are right."""
    content, chain = b"", ""
    for line in lines:
        data, chain = line_of(line, chain)
        content += data
    path.write_bytes(content)


def keep_table(path: Path, contestants: list[str], limit: str, outs: list[int]) -> None:
    """Writes a file of three in fixed seats, of which these went out in turn."""
    plan = Seats.of("botzone", contestants, len(outs), 1, "report", limit)
    rows = [Row(index, (GameRow("ABC", 0, out == 0, out=out),)) for index, out in enumerate(outs)]
    keep(path, Progress(plan, [rows]))
