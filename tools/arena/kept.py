"""What a match keeps: its results file, its games file, or both, which always say the same."""

from collections.abc import Callable, Sequence
from pathlib import Path

from .game_records import GameStyle
from .games_file import GamesFile
from .identity import Who
from .match_file import MatchFile
from .provenance import tags_of
from .runner import Progress
from .sets import Played

__all__ = ["KeptMatch"]


class KeptMatch:
    """The files of one match, the results, the games, or both."""

    def __init__(self, results: MatchFile | None, games_path: Path | None) -> None:
        self.games_path = games_path
        self.style: GameStyle | None = None
        """How the games are written; None where they are not."""
        self.name = ""
        """The file that was written last, or could not be."""
        self._results = results
        self._games: GamesFile | None = None

    def begin(
        self,
        progress: Progress,
        who: Who,
        thoughts: bool,
        say: Callable[[str], None],
    ) -> None:
        """
        Makes sure, before *who* plays anything, that it can be written.

        With *thoughts* the records keep what the bots say of their moves.

        :raises ValueError: if a file cannot be written, or is of something else; the files are closed then.
        """
        found = self._results.found if self._results else None
        try:
            if self.games_path:
                self._games = GamesFile(self.games_path, found.games if found else None)
            if self._results:
                self._results.begin(who)
        except ValueError:
            self.close()
            raise
        if self._games:
            self.style = GameStyle(self._games.form, thoughts, tuple(tags_of(who.provenance).items()))
            _tell(self._games, sum(map(len, progress.rows)), say)

    def append(self, items: Sequence[tuple[int, Played]]) -> None:
        """
        Writes a block of sets, each with its pairing, and their games, and waits until both are on the disk.

        The games come first: where a match dies between the two, what stands behind the last mark is dropped.

        :raises OSError: if that cannot be; both files then hold what they held, and it may be tried again.
        """
        if self._games:
            self.name = self._games.name
            self._games.append([text for _, one in items for text in one.games], len(items))
        if self._results:
            self.name = self._results.name
            try:
                mark = self._games.mark if self._games else None
                self._results.append([(pairing, one.row) for pairing, one in items], mark)
            except OSError:
                if self._games:
                    self._games.undo()
                raise

    def close(self) -> None:
        """Lets others write the files."""
        for file in (self._results, self._games):
            if file:
                file.close()


def _tell(games: GamesFile, played: int, say: Callable[[str], None]) -> None:
    """Says which games the file will not have, and what was in it that does not count."""
    name = f"Games file {games.path}"
    if games.dropped:
        say(f"{name}: the last {games.dropped} bytes are of sets that do not count and are dropped.")
    missing = played - games.mark.sets
    if missing:
        say(f"{name}: the games of {missing} sets that were played before are not in it.")
