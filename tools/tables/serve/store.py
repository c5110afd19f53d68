"""
Where a server keeps its tables, so that they outlive it: one file a table.

A server that was killed finds them again at its next start. If a table cannot be written, its game continues in memory,
and the table is kept again as soon as that works.
"""

import logging
from pathlib import Path

from ...shared.storage.folder import Folder, Names
from .rooms import Rooms
from .saved_table import FORM, SavedTable

_NAMES = Names("table", "tables", "server", ".table", ".damaged")


class Store(Folder[SavedTable]):
    """The folder of one server. Files are for their owner alone: they have the hidden cards in them."""

    def __init__(self, folder: Path) -> None:
        """
        Takes the folder, and makes it if there is none; the log has what goes wrong.

        :raises FolderError: if another server has it.
        """
        # A crash of the machine may cost the last moves: no player waits for a disk.
        super().__init__(folder, FORM, _NAMES, logging.warning, synced=False)

    def remove(self, name: str) -> bool:
        """Removes the file of a table that has ended, and notes it in the log."""
        removed = super().remove(name)
        if removed:
            logging.warning("%s is removed: its table has ended", self.file(name))
        return removed

    def restore(self, rooms: Rooms) -> int:
        """Makes the tables of the server that was here before; returns how many. A damaged file is set aside."""
        resumed = 0
        for name, saved in self.load():
            try:
                if saved.name != name:
                    raise ValueError("it has the name of another table")
                rooms.resume(saved)
                resumed += 1
            except Exception as error:  # whatever is wrong with it, the others live
                self.set_aside(name, f"it is damaged ({str(error) or type(error).__name__})")
        return resumed
