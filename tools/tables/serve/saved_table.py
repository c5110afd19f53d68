"""
A table as it is kept: one typed object, which is replaced as a whole before any viewer is shown what happened.

Of a token only the SHA-256 hash stands there. Tokens are random and long, so that none can be found by its hash. Cards
stand there open, so that a later version that shuffles in another way still finds the same hands.
"""

from typing import Annotated, Protocol

from msgspec import Meta, Struct

from ...records.files import records_of
from ...records.record import GameRecord
from ...shared.storage.form import Form
from .seats import Chair


class SavedGame(Struct):
    """A game of the table."""

    number: int
    """Which game of the table, from 1."""
    text: str
    """Its record, in the JSON form of records: all hands, and what was done so far."""

    @property
    def record(self) -> GameRecord:
        """
        Its record.

        :raises tools.records.record.RecordError: if *text* is none.
        """
        return records_of(self.text, "json")[0]


class SavedTable(Struct):
    """A table."""

    name: str
    number: int
    """Which table of the server, from 1."""
    board: bool
    chairs: tuple[Chair, Chair, Chair]
    """With the points from all finished games."""
    seed: int
    """Of the last game."""
    games: Annotated[list[SavedGame], Meta(min_length=1)]
    """The finished games that the table still shows, and last the one under way, or that was over last."""
    unused: Annotated[float, Meta(ge=0)]
    """Seconds of a running server without any use of the table; no time of day, as a clock may jump."""


FORM = Form(SavedTable, "ddzbot-table", 2)


class Keeper(Protocol):
    """Keeps tables by their names, as a :class:`tools.shared.storage.folder.Folder` does; a page has its own."""

    @property
    def failing(self) -> bool:
        """Tests whether a table could not be written."""

    def is_kept(self, name: str) -> bool:
        """Tests whether a table would outlive the server as it is now."""

    def replace(self, name: str, value: SavedTable) -> None:
        """Writes a table; nothing is raised if that cannot be."""

    def remove(self, name: str) -> bool:
        """Removes a table; returns whether there was one."""
