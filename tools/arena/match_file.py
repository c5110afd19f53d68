"""
The results file of a match that is being played: locked, and appended to in blocks.

A block is on the disk before the next one begins, so that no death of the process or the machine costs more than the
sets since the last one.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..shared.bounds import reason_of
from ..shared.kept.journal import Journal, JournalError
from .games_file import Mark
from .plan import Plan
from .provenance import Provenance, differences
from .results import FORMAT
from .results_file import GZIP, Part, ResultsFile, check_same, is_journal, parse
from .sets import Row

__all__ = ["MatchFile", "MixedError", "begun_only", "opened", "refuse_another"]


class MixedError(ValueError):
    """Raised where sets of another program would stand in one file; the message is one sentence that says which."""


def opened(path: Path) -> tuple[Journal, bytes]:
    """
    Opens a results file for this process alone, or makes it; gets what it holds, too.

    :raises ValueError: if it is in use, compressed, or cannot be read and written, with one sentence that names it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal(path)
    except JournalError as error:
        raise ValueError(f"results file {path}: {error}; name another file") from None
    except OSError as error:
        raise ValueError(f"results file {path}: it cannot be written ({reason_of(error)})") from None
    try:
        content = journal.content()
        if content.startswith(GZIP):
            raise ValueError(f"results file {path}: it is compressed; unpack it to go on with it")
    except OSError as error:
        journal.close()
        raise ValueError(f"results file {path}: it cannot be read ({reason_of(error)})") from None
    except ValueError:
        journal.close()
        raise
    return journal, content


def begun_only(content: bytes, form: str) -> bool:
    """Tells a file in which nothing was written yet but, at most, a head of that format: it may begin anew."""
    return is_journal(content, form) and content.count(b"\n") < 2


def refuse_another(path: Path, parts: Sequence[Part], who: Provenance) -> None:
    """
    Makes sure that *who* is the program that played last.

    :raises MixedError: if it is not, or if the file does not say.
    """
    before = next((part.provenance for part in reversed(parts) if part.played), None)
    said = differences(before, who) if before else ["it does not say which program has played so far"]
    if said:
        raise MixedError(
            f"results file {path}: another program would go on with it: {'; '.join(said)}; "
            "--mix accepts that, and the file then names both"
        )


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
        self._journal, content = opened(path)
        try:
            self.found = self._found(content)
        except BaseException:
            self._journal.close()
            raise

    def _found(self, content: bytes) -> ResultsFile | None:
        if begun_only(content, FORMAT):
            return None
        found = parse(content, self.path)
        check_same(found, self.plan, self.path)
        if found.lines:
            self._journal.size, self._journal.chain = found.lines.size, found.lines.chain
        return found

    @property
    def rows(self) -> list[list[Row]]:
        """The sets of each pairing that an earlier run left."""
        return [list(rows) for rows in self.found.rows] if self.found else [[] for _ in self.plan.pairings]

    @property
    def name(self) -> str:
        """What the file is, for people."""
        return f"results file {self.path}"

    def check(self, who: Provenance, mix: bool) -> None:
        """
        Makes sure that *who* may go on with the match.

        :raises MixedError: if the part before was played by another program, unless *mix* accepts that.
        """
        if self.found and not mix and any(self.found.rows):
            refuse_another(self.path, self.found.parts, who)

    def begin(self, who: Provenance, mix: bool) -> None:
        """
        Begins a new part of the match, played by *who*.

        :raises MixedError: as :meth:`check`.
        :raises ValueError: if the file cannot be written.
        """
        self.check(who, mix)
        self._begin_part(who)

    def shorten(self) -> None:
        """
        Notes that fewer sets are wanted, where no more are left than were played.

        :raises ValueError: if the file cannot be written.
        """
        if self.found and self.found.plan.sets > self.plan.sets:
            self._begin_part(self.found.parts[-1].provenance)

    def _begin_part(self, who: Provenance | None) -> None:
        number = len(self.found.parts) + 1 if self.found else 1
        part = {"part": number, "sets": self.plan.sets, "provenance": who}
        try:
            if self.found is None:
                self._journal.append(self._head())
            elif self.found.lines is None:
                self._journal = self._journal.replaced_by([self._head(), *_converted(self.found)])
            self._journal.append(part)
            self._begun = True
        except OSError as error:
            raise ValueError(f"results file {self.path}: it cannot be written ({reason_of(error)})") from None

    def _head(self) -> dict[str, Any]:
        return {"format": FORMAT, **self.plan.as_json()}

    def append(self, rows: Sequence[tuple[int, Row]], games: Mark | None = None) -> None:
        """
        Writes a block of sets, each with its pairing, and waits until it is on the disk.

        *games* is what the file with their games holds now, if there is one.

        :raises OSError: if that cannot be; it may be tried again.
        """
        mark = {"games": list(games)} if games else {}
        self._journal.append({"block": [[pairing, row] for pairing, row in rows], **mark})

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
