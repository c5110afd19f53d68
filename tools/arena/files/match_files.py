"""
The files of a match that is being played, results and games, which always agree: locked, appended to in blocks.

A block is on the disk before the next one begins, so that no death of the process or the machine costs more than the
sets since the last one.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ...shared.bounds import reason_of
from ...shared.message import Message, prose
from ...shared.storage.growing_file import JournalError
from ...shared.storage.journal import Journal
from ..matches.game_records import GameStyle
from ..matches.plan import Plan
from ..matches.sets import PlayedSet
from ..stats.row import Row
from .games_file import GamesFile
from .identity import Lineup, change
from .provenance import tags_of
from .results_file import GZIP, Block, Dropped, Entry, Found, Head, Line, Part, begun_only, line_of, parse

_FREE = ("format", "version")
"""The fields of the first line that may differ: another version only matters if a player has changed in it."""


class MixedError(ValueError):
    """Raised where sets of another program would stand in one file; the message names the change."""


class MatchFiles:
    """The results file of one match, its games file, both or none; no other process may write them meanwhile."""

    def __init__(self, plan: Plan, results: Path | None = None, games: Path | None = None) -> None:
        """
        Opens the results file, or makes it, and reads what an earlier run left; :meth:`begin` opens the games file.

        :raises ValueError: for a file that is damaged, of another match, in use, or that cannot be written, with one
            sentence that names it.
        """
        self.plan, self.results, self.games = plan, results, games
        self.found: Found | None = None
        """What the results file held."""
        self.style: GameStyle | None = None
        """How the games are written; None where they are not."""
        self.name = f"results file {results}"
        """The file that was written last, or could not be, for people."""
        self._dropped: dict[str, str] = {}
        self._games: GamesFile | None = None
        self._journal: Journal | None = None
        if results is None:
            return
        self._journal, content = _opened(results)
        try:
            self.found = None if begun_only(content) else parse(content, results)
            if self.found:
                check_same(self.found, plan, results)
                self._journal.size, self._journal.chain = self.found.size, self.found.chain
        except BaseException:
            self._journal.close()
            raise

    @property
    def rows(self) -> list[list[Row]]:
        """The sets of each pairing that count."""
        pairings = self.found.rows_of(self.plan) if self.found else [[] for _ in self.plan.tables]
        gone = [self._dropped.keys() & {*pair} for pair in self.plan.pairs]
        return [[] if dropped else rows for rows, dropped in zip(pairings, gone, strict=True)]

    def judge(self, lineup: Lineup, mix: bool, again: Iterable[str], say: Callable[[str], None]) -> None:
        """
        Finds out which sets count: those of unchanged players, and with *mix* those of all players.

        Where players may come and go, the sets of changed players and of those that shall play *again* are dropped;
        *say* prints which, why, and how many. The file is written later.

        :raises MixedError: for another match in which a player has changed.
        """
        earlier = self.found
        if earlier is None or not any(self.rows):
            return
        changed = {} if mix else self._changes(earlier, lineup)
        if changed and not self.plan.open:
            changes = "; ".join(f"{player}: {why}" for player, why in changed.items())
            raise MixedError(
                f"results file {self.results}: another program would continue it: {changes}; "
                "--mix accepts that, and the file then names both"
            )
        for player in again:
            changed.setdefault(player, "it shall play again")
        for player, why in changed.items():
            if sets := earlier.sets_of(player):
                dropped = "{name}: {why}; its {sets} sets are dropped and played again."
                say(Message(dropped, name=player, why=prose(why), sets=f"{sets:,}"))
                self._dropped[player] = why

    def _changes(self, found: Found, lineup: Lineup) -> dict[str, str]:
        played = [player for player in dict.fromkeys(self.plan.names) if found.sets_of(player)]
        unknown = "the file does not identify it"
        why = {
            player: change(player, found.last[player], lineup) if player in found.last else unknown for player in played
        }
        return {player: reason for player, reason in why.items() if reason}

    def begin(
        self, lineup: Lineup, thoughts: bool, say: Callable[[str], None], entries: tuple[Entry, ...] = ()
    ) -> None:
        """
        Begins a new part of the match, played by *lineup*, and makes sure that it can be written.

        *entries* are what was handed in for a field.

        With *thoughts* the records of games keep the bots' comments on their moves. *say* prints which games the file
        will not have, and what was in it that does not count.

        :raises ValueError: if a file cannot be written, or is of something else.
        """
        if self.games:
            self._games = GamesFile(self.games, self.found.mark_of(self.games) if self.found else None)
            self.style = GameStyle(self._games.form, thoughts, tuple(tags_of(lineup.provenance).items()))
        plan = self.plan
        self._write(
            *([] if self.found else [Head.of(plan)]),
            *(Dropped(player, why) for player, why in self._dropped.items()),
            Part(
                plan.names,
                plan.sets,
                plan.neighbours,
                lineup.provenance,
                dict(sorted(lineup.players.items())),
                entries,
                self.games.name if self.games else "",
                self._games.mark if self._games else None,
                plan.seers,
            ),
        )
        if self._games:
            if aside := self._games.aside:
                moved = "Games file {file}: what was in it is of sets that do not count and is set aside as {aside}."
                say(Message(moved, file=self.games, aside=aside))
            if self._games.dropped:
                dropped = "Games file {file}: the last {count} bytes are of sets that do not count and are dropped."
                say(Message(dropped, file=self.games, count=self._games.dropped))
            if missing := sum(map(len, self.rows)) - self._games.mark.sets:
                gone = "Games file {file}: the games of {count} sets that were played before are not in it."
                say(Message(gone, file=self.games, count=missing))

    def shorten(self) -> None:
        """
        Notes that fewer sets are wanted, where no more are left than were played.

        :raises ValueError: if the file cannot be written.
        """
        part = self.found.parts[-1] if self.found else None
        if part and part.sets > self.plan.sets:
            same = (part.provenance, part.identities) if part.contestants == self.plan.names else (None, {})
            self._write(Part(self.plan.names, self.plan.sets, self.plan.neighbours, *same))

    def _write(self, *lines: Head | Line) -> None:
        if self._journal is None:
            return
        try:
            for line in lines:
                self._journal.append(line_of(line))
        except OSError as error:
            raise ValueError(
                Message("results file {file}: it cannot be written ({why})", file=self.results, why=reason_of(error))
            ) from None

    def append(self, sets: Sequence[tuple[int, PlayedSet]]) -> None:
        """
        Writes a block of sets, each with its pairing, and their games, and waits until both are on the disk.

        The games come first: where a match dies between the two, what stands behind the last mark is dropped.

        :raises OSError: if that cannot be; both files then hold what they held, and it may be tried again.
        """
        games = self._games
        if games:
            self.name = games.name
            games.append([game for _, played in sets for game in played.games], len(sets))
        if self._journal:
            self.name = f"results file {self.results}"
            block = Block(tuple((pairing, played.row) for pairing, played in sets), games.mark if games else None)
            try:
                self._journal.append(line_of(block))
            except OSError:
                if games:
                    games.undo()
                raise

    def close(self) -> None:
        """Lets others write the files."""
        for file in (self._journal, self._games):
            if file:
                file.close()


def _opened(path: Path) -> tuple[Journal, bytes]:
    """
    Opens a results file for this process alone, or makes it; gets what it holds, too.

    :raises ValueError: if it is in use, compressed, or cannot be read and written, with one sentence that names it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal(path)
    except JournalError as error:
        raise ValueError(
            Message("results file {file}: {why}; name another file", file=path, why=prose(error))
        ) from None
    except OSError as error:
        raise ValueError(
            Message("results file {file}: it cannot be written ({why})", file=path, why=reason_of(error))
        ) from None
    try:
        content = journal.content()
        if content.startswith(GZIP):
            raise ValueError(Message("results file {file}: it is compressed; unpack it to resume from it", file=path))
    except OSError as error:
        journal.close()
        raise ValueError(
            Message("results file {file}: it cannot be read ({why})", file=path, why=reason_of(error))
        ) from None
    except ValueError:
        journal.close()
        raise
    return journal, content


def check_same(found: Found, plan: Plan, path: Path) -> None:
    """
    Makes sure that a file is of the same match, and has no set that is not wanted.

    :raises ValueError: if it is not.
    """
    there, here = (line_of(head) for head in (found.head, Head.of(plan)))
    if not plan.open:
        there["contestants"], here["contestants"] = list(found.parts[-1].contestants), list(plan.names)
    for key in {**there, **here}:
        was, is_now = there.get(key), here.get(key)
        if key == "deals" and was and is_now:
            was, is_now = was["sha256"], is_now["sha256"]  # it may be called otherwise
        if key not in _FREE and was != is_now:
            template = "results file {file} holds another match: {name} is {was} there and {is_now} here"
            problem = Message(template, file=path, name=key, was=repr(was), is_now=repr(is_now))
            raise ValueError(Message("{problem}; name another file, or remove it", problem=problem))
    sets = found.parts[-1].sets
    numbers = (index for rows in found.rows.values() for index in rows if index < sets)
    most = max(numbers, default=-1) + 1
    if most > plan.sets:
        template = "results file {file} has sets up to the {most}th: --sets {sets} would throw some away"
        problem = Message(template, file=path, most=most, sets=plan.sets)
        raise ValueError(Message("{problem}; --sets {most} ends it there", problem=problem, most=most))
