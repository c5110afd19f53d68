"""Results files for tests: written as a match writes them, taken apart, and put together with right checksums."""

import json
import sys
from pathlib import Path
from typing import Any

from tools.arena.match_file import MatchFile
from tools.arena.provenance import Provenance
from tools.arena.results import results_of
from tools.arena.results_file import read
from tools.arena.runner import Progress
from tools.shared.kept.journal import line_of

WHO: Provenance = {
    "commit": "0123456",
    "sources": "0123456789ab",
    "kernel": "5 0123456789ab",
    "path": "avx2",
    "networks": {"fast-0123456789ab.ddzw": "0123456789ab"},
    "files": {},
    "cpu": "a processor",
    "python": "3.11.7",
    "numpy": "2.0",
    "where": "",
    "jobs": 2,
}


def keep(path: Path, progress: Progress, who: Provenance = WHO, block: int = 5) -> None:
    """Writes what was played since the file was written last, in blocks, and what came of it."""
    file = MatchFile(path, progress.plan)
    try:
        have = {(pairing, row["set"]) for pairing, rows in enumerate(file.rows) for row in rows}
        file.begin(who, mix=False)
        fresh = [
            (pairing, row)
            for pairing, rows in enumerate(progress.rows)
            for row in rows
            if (pairing, row["set"]) not in have
        ]
        for first in range(0, len(fresh), block):
            file.append(fresh[first : first + block])
        file.end(results_of(progress.plan, progress.rows, progress.finished))
    finally:
        file.close()


def saving_often(before: str = "pass") -> list[str]:
    """The words of ``tools.match`` with an autosave ten times a second, for tests that cannot wait."""
    match = "import tools.match as t, tools.shared.kept.autosave as m; m.AUTOSAVE_SECONDS = 0.1; t.main()"
    return [sys.executable, "-c", f"{before}; {match}"]


def sets_in(path: Path) -> int:
    """Counts the sets in the file of a match that may be running, or not have begun."""
    return sum(map(len, read(path).rows)) if path.exists() and path.read_bytes().count(b"\n") > 1 else 0


def lines_in(path: Path) -> list[dict[str, Any]]:
    """Gets the lines of a file without their checksums."""
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    return [{name: value for name, value in line.items() if name != "sum"} for line in lines]


def put(path: Path, lines: list[dict[str, Any]]) -> None:
    """Writes lines with checksums that are right."""
    content, chain = b"", ""
    for line in lines:
        data, chain = line_of(line, chain)
        content += data
    path.write_bytes(content)
