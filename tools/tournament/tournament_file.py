"""The results file of a tournament that is being played: locked, and only appended to."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..arena.match_file import begun_only, opened
from ..arena.provenance import Provenance
from ..arena.results_file import check_sets
from ..arena.sets import Played, Row
from ..shared.bounds import reason_of
from .identity import Identity, change
from .plan import Tournament
from .results_file import FORMAT, Found, Ranking, parse

__all__ = ["TournamentFile"]

_PLAYED = ("rules", "seed", "namespace", "limit")
"""What every set depends on; another version only matters if a player is another one in it."""


class TournamentFile:
    """The results file of a tournament, which no other process may write before it is closed."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        """
        Opens the file, or makes it, and reads what earlier runs left.

        :raises ValueError: for a file that is damaged, of another tournament, in use, or that cannot be written, with
            one sentence that names it.
        """
        self.path = path
        self.name = f"results file {path}"
        self._tournament = tournament
        self._dropped: dict[str, str] = {}
        self._journal, content = opened(path)
        try:
            self._found = None if begun_only(content, FORMAT) else parse(content, path)
            if self._found:
                self._check_same(self._found)
                self._journal.size, self._journal.chain = self._found.size, self._found.chain
        except BaseException:
            self._journal.close()
            raise

    def _check_same(self, found: Found) -> None:
        here = self._tournament.as_json()
        for name in _PLAYED:
            if found.head[name] != here[name]:
                raise ValueError(
                    f"{self.name} holds another tournament: {name} is {found.head[name]!r} there and {here[name]!r} "
                    "here; name another file, or remove it"
                )
        wanted = found.parts[-1].sets
        if wanted > self._tournament.sets:
            first = ([row for row in rows.values() if row["set"] < wanted] for rows in found.rows.values())
            check_sets(first, self._tournament.sets, self.path)

    @property
    def torn(self) -> int:
        """Bytes of a last line that was written in part; the next one is written over it."""
        return self._found.torn if self._found else 0

    @property
    def was_longer(self) -> bool:
        """Tells whether more sets of every pair were wanted before."""
        return self._found is not None and self._found.parts[-1].sets > self._tournament.sets

    @property
    def rows(self) -> list[list[Row]]:
        """The sets of each pairing that count."""
        found = self._found.rows_of(self._tournament) if self._found else [[] for _ in self._tournament.pairs]
        gone = [self._dropped.keys() & {*pair} for pair in self._tournament.pairs]
        return [[] if dropped else rows for rows, dropped in zip(found, gone, strict=True)]

    @property
    def ranking(self) -> Ranking | None:
        """Who is whose neighbour, if that was written down for these players and sets."""
        return self._found.ranking_of(self._tournament) if self._found and not self._dropped else None

    def others(
        self, who: Provenance, own: Mapping[str, Identity], mix: bool, again: Iterable[str]
    ) -> list[tuple[str, str]]:
        """Lists whose sets shall not count any more, and why: who is another one now, unless *mix*, and *again*."""
        found = self._found
        if found is None:
            return []
        asked = {*again}
        played = [player for player in own if found.sets_of(player)]
        why = {player: "" if mix else change(found.last[player], (own[player], who)) for player in played}
        return [
            (player, reason or "it shall play again") for player, reason in why.items() if reason or player in asked
        ]

    def drop(self, others: Iterable[tuple[str, str]], say: Callable[[str], None]) -> None:
        """Lets sets of players not count any more; *say* hears whose, why, and how many. It is written later."""
        for player, why in others:
            sets = self._found.sets_of(player) if self._found else 0
            say(f"{player}: {why}; its {sets:,} sets are dropped and played again.")
            self._dropped[player] = why

    def begin(self, who: Provenance, own: Mapping[str, Identity]) -> None:
        """
        Begins a new part, played by *who*.

        :raises ValueError: if the file cannot be written.
        """
        tournament, found = self._tournament, self._found
        head = [] if found else [{"format": FORMAT, **tournament.as_json()}]
        dropped = [{"dropped": player, "why": why} for player, why in self._dropped.items()]
        part = {
            "part": len(found.parts) + 1 if found else 1,
            "players": list(tournament.plan.contestants),
            "sets": tournament.sets,
            "neighbours": tournament.neighbours,
            "provenance": who,
            "identities": dict(sorted(own.items())),
        }
        try:
            for line in (*head, *dropped, part):
                self._journal.append(line)
        except OSError as error:
            raise ValueError(f"{self.name}: it cannot be written ({reason_of(error)})") from None

    def append(self, played: Sequence[tuple[int, Played]]) -> None:
        """
        Writes a block of sets, each with its pairing, and waits until it is on the disk.

        :raises OSError: if that cannot be; it may be tried again.
        """
        self._journal.append({"block": [[pairing, one.row] for pairing, one in played]})

    def rank(self, ranking: Ranking) -> None:
        """
        Writes who is whose neighbour.

        :raises ValueError: if that cannot be.
        """
        try:
            self._journal.append({"ranking": list(ranking.players), "sets": ranking.sets})
        except OSError as error:
            raise ValueError(f"{self.name}: it cannot be written ({reason_of(error)})") from None

    def end(self, results: dict[str, Any]) -> None:
        """Writes nothing: every number is made from the sets."""

    def close(self) -> None:
        """Lets others write the file."""
        self._journal.close()
