"""
A folder of saved things, so that they outlive the program: one file each.

A folder belongs to one process at a time, and is for its owner alone. What cannot be written costs nobody anything: it
goes on in memory. That is said once, and so is that it is over.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from .lock import Lock, TakenError


class FolderError(ValueError):
    """Raised for a folder that cannot be had, and a file with something else in it; the message is one sentence."""


def state_folder() -> Path:
    """Gets the folder of this user for what programs keep: ``$XDG_STATE_HOME/ddzbot``, or ``~/.local/state/ddzbot``."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state") / "ddzbot"


class Folder:
    """The folder of one program. A class of it says what it keeps."""

    THING: ClassVar[str]
    THINGS: ClassVar[str]
    """What a file holds, as ``match``, and several of them."""
    OWNER: ClassVar[str]
    """Which program has the folder, as ``client``."""
    SUFFIX: ClassVar[str]
    """The end of the name of a file, after the name of what it holds."""
    ASIDE: ClassVar[str]
    """The end of the name of one that was laid aside."""

    def __init__(self, path: Path, say: Callable[[str], None], *, needed: bool = False) -> None:
        """
        Takes the folder, and makes it if there is none; *say* is told what goes wrong, one sentence each.

        :raises FolderError: if another process has it, or it is *needed* and cannot be made.
        """
        self.path = path
        self._say = say
        self._failing: set[str] = set()
        self._lock: Lock | None = None
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(path / "lock", mode=0o600)
        except TakenError:
            raise FolderError(f"{path}: another {self.OWNER} keeps its {self.THINGS} there") from None
        except OSError as error:
            if needed:
                raise FolderError(f"{path}: {self.THINGS} cannot be kept there: {error.strerror}") from None
            self.failed("", error)

    @property
    def failing(self) -> bool:
        """Tells whether something could not be written; it would not outlive a restart."""
        return bool(self._failing)

    def file(self, name: str) -> Path:
        """Gets where the thing of that name is kept."""
        return self.path / (name + self.SUFFIX)

    def names(self) -> list[str]:
        """Lists the names of all files that seem to hold something."""
        with suppress(OSError):
            return sorted(path.name.removesuffix(self.SUFFIX) for path in self.path.glob("*" + self.SUFFIX))
        return []

    def failed(self, name: str, error: OSError) -> None:
        """Notes that something cannot be written."""
        if not self._failing:
            self._say(
                f"{self.path}: {self.THINGS} cannot be kept there ({error.strerror}): they go on in memory, "
                "and would not outlive a restart"
            )
        self._failing.add(name)

    def worked(self, name: str) -> None:
        """Notes that something is written."""
        if self._failing:
            self._failing -= {name, ""}
            if not self._failing:
                self._say(f"{self.path}: {self.THINGS} are kept there again")

    def lay_aside(self, name: str, problem: str) -> None:
        """Renames a file, for a person to look at."""
        aside = self.path / (name + self.ASIDE)
        self._say(f"{self.THING} {name} is laid aside as {aside}: {problem:.200}")
        with suppress(OSError):
            os.replace(self.file(name), aside)

    def remove(self, name: str) -> bool:
        """Removes a file, and gets whether there was one that could be removed."""
        self._failing.discard(name)
        try:
            self.file(name).unlink()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Gives the folder back."""
        if self._lock is not None:
            self._lock.close()
