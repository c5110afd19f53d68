"""
The results file of a match that is being played: locked, appended to in blocks, and patient with a full disk.

A block is on the disk before the next one begins, so that no death of the process or the machine costs more than the
sets since the last one.
"""

import errno
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tools.arena.journal import Journal, JournalError
from tools.arena.plan import Plan
from tools.arena.provenance import Provenance, differences
from tools.arena.results import FORMAT
from tools.arena.results_file import ResultsFile, check_same, is_journal, parse
from tools.arena.sets import Row

__all__ = ["AUTOSAVE_SECONDS", "Autosave", "MatchFile", "MixedError"]

AUTOSAVE_SECONDS = 20.0

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
_LOOK_SECONDS = 0.2
"""How long a wish to stop may go unseen during a pause."""

_FULL = {
    errno.ENOSPC: "the disk of results file {} is full ({}); free some space",
    errno.EDQUOT: "the quota for results file {} is full ({}); free some space",
    errno.EFBIG: "results file {} is full ({}); raise the limit on the size of files",
}
_BROKEN = "results file {} cannot be written ({}); mend that"


class MixedError(ValueError):
    """Raised where sets of another program would stand in one file; the message is one sentence that says which."""


class MatchFile:
    """The results file of one match, which no other process may write before it is closed."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """
        Opens the file, or makes it, and reads what an earlier run left.

        :raises ValueError: for a file that is damaged, of another match, in use, or that cannot be written, with one
            sentence that names it.
        """
        self.path = path
        self.plan = plan
        self._begun = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._journal = Journal(path)
        except JournalError as error:
            raise ValueError(f"results file {path}: {error}; name another file") from None
        except OSError as error:
            raise ValueError(f"results file {path}: it cannot be written ({error})") from None
        try:
            self.found = self._read()
        except BaseException:
            self._journal.close()
            raise

    def _read(self) -> ResultsFile | None:
        try:
            content = self._journal.content()
        except OSError as error:
            raise ValueError(f"results file {self.path}: it cannot be read ({error})") from None
        if is_journal(content) and content.count(b"\n") < 2:
            return None  # nothing was played before the first two lines were there
        if content.startswith(b"\x1f\x8b"):
            raise ValueError(f"results file {self.path}: it is compressed; unpack it to go on with it")
        found = parse(content, self.path)
        check_same(found, self.plan, self.path)
        if found.lines:
            self._journal.size, self._journal.chain = found.lines.size, found.lines.chain
        return found

    @property
    def rows(self) -> list[list[Row]]:
        """The sets of each pairing that an earlier run left."""
        return [list(rows) for rows in self.found.rows] if self.found else [[] for _ in self.plan.pairings]

    def begin(self, who: Provenance, mix: bool) -> None:
        """
        Begins a new part of the match, played by *who*.

        :raises MixedError: if the part before was played by another program, unless *mix* accepts that.
        :raises ValueError: if the file cannot be written.
        """
        number = len(self.found.parts) + 1 if self.found else 1
        if self.found and not mix:
            self._refuse_another(self.found, who)
        part = {"part": number, "sets": self.plan.sets, "provenance": who}
        try:
            if self.found is None:
                self._journal.append(self._head())
            elif self.found.lines is None:
                self._journal = self._journal.replaced_by([self._head(), *_converted(self.found)])
            self._journal.append(part)
            self._begun = True
        except OSError as error:
            raise ValueError(f"results file {self.path}: it cannot be written ({error})") from None

    def _refuse_another(self, found: ResultsFile, who: Provenance) -> None:
        if not any(found.rows):
            return
        before = next((part.provenance for part in reversed(found.parts) if part.played), None)
        said = differences(before, who) if before else ["it does not say which program played its sets"]
        if said:
            raise MixedError(
                f"results file {self.path}: another program would go on with it: {'; '.join(said)}; "
                "--mix accepts that, and the file then names both"
            )

    def _head(self) -> dict[str, Any]:
        return {"format": FORMAT, **self.plan.as_json()}

    def append(self, rows: Sequence[tuple[int, Row]]) -> None:
        """
        Writes a block of sets, each with its pairing, and waits until it is on the disk.

        :raises OSError: if that cannot be; it may be tried again.
        """
        self._journal.append({"block": [[pairing, row] for pairing, row in rows]})

    def end(self, results: dict[str, Any]) -> None:
        """
        Writes what came of the sets so far, unless this run has brought none and the file says it already.

        :raises OSError: if that cannot be; it may be tried again.
        """
        if not self._begun and (self.found is None or self.found.lines is None or self.found.said is not None):
            return
        pairings = [
            {name: value for name, value in pairing.items() if name != "rows"} for pairing in results["pairings"]
        ]
        self._journal.append(
            {"finished": results["finished"], "summary": results["summary"], "pairings": pairings},
        )

    def close(self) -> None:
        """Lets others write the file."""
        self._journal.close()


def _converted(found: ResultsFile) -> list[dict[str, Any]]:
    """Gets the part and the block that say what a file of the older format does."""
    block = [[pairing, row] for pairing, rows in enumerate(found.rows) for row in rows]
    return [{"part": 1, "sets": found.plan.sets, "provenance": None}, {"block": block}]


class Autosave:
    """Collects the sets that are played and writes them now and then; waits while the disk is full."""

    def __init__(
        self, file: MatchFile, say: Callable[[str], None], stopped: Callable[[], bool], seconds: float | None = None
    ) -> None:
        self._file = file
        self._say = say
        self._stopped = stopped
        self._seconds = AUTOSAVE_SECONDS if seconds is None else seconds
        self._waiting: list[tuple[int, Row]] = []
        self._saved = time.monotonic()

    def add(self, pairing: int, row: Row) -> None:
        """Takes a set, and writes all that wait when it is time; does not return while the disk is full."""
        self._waiting.append((pairing, row))
        if time.monotonic() - self._saved >= self._seconds:
            self.flush()

    def flush(self) -> None:
        """Writes the sets that wait. Tries again until it succeeds or somebody wants to stop."""
        if not self._waiting:
            return
        pause, told = FIRST_PAUSE, False
        while True:
            try:
                self._file.append(self._waiting)
            except OSError as error:
                if not told:
                    self._say(f"Paused: {why_not(self._file.path, error)}, the match goes on by itself.")
                    told = True
                if not self._slept(pause):
                    return
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                break
        if told:
            self._say(f"Results file {self._file.path} is written again; the match goes on.")
        self._waiting = []
        self._saved = time.monotonic()

    def _slept(self, seconds: float) -> bool:
        """Waits, and checks if nobody wants to stop."""
        until = time.monotonic() + seconds
        while not self._stopped():
            left = until - time.monotonic()
            if left <= 0:
                return True
            time.sleep(min(left, _LOOK_SECONDS))
        return False

    def close(self, results: dict[str, Any] | None) -> None:
        """
        Writes what can be written now, without waiting, and closes the file.

        Where not all the sets fit, as many as do are kept, and a sentence says how many are lost.
        """
        try:
            self._keep()
            if results and not self._waiting:
                self._file.end(results)
        except OSError as error:
            sets = len(self._waiting)
            lost = f"; {sets} played set{'s are' if sets > 1 else ' is'} lost" if sets else ""
            self._say(f"Results file {self._file.path} is not complete ({os.strerror(error.errno or 0)}){lost}.")
        finally:
            self._file.close()

    def _keep(self) -> None:
        if not self._waiting:
            return
        try:
            self._file.append(self._waiting)
            self._waiting = []
        except OSError:
            while self._waiting:
                self._file.append(self._waiting[:1])
                del self._waiting[0]


def why_not(path: Path, error: OSError) -> str:
    """Says why a file cannot be written, and what helps."""
    return _FULL.get(error.errno or 0, _BROKEN).format(path, error.strerror or error)
