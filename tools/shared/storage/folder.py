"""
A folder of typed objects that outlive the program: one file each, which is replaced as a whole.

A folder belongs to one process at a time, and is for its owner alone. If an object cannot be written, the program
continues with it in memory. It reports that once, and once more when objects are written again.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Generic, NamedTuple

from .form import HEAD_BYTES, Form, Kept
from .lock import Lock, TakenError
from .whole_file import PART, written_whole

_MOST_NAMED = 3
"""The most foreign files that one message names."""


class FolderError(ValueError):
    """Raised for a folder that cannot be used; the message is one sentence."""


class Names(NamedTuple):
    """How sentences and files name what a folder has."""

    thing: str
    """One object, as ``match``."""
    things: str
    owner: str
    """The program that has the folder, as ``client``."""
    suffix: str
    """The end of the name of a file, after the name of its object."""
    aside: str
    """The end of the name of a file that was set aside."""


class Folder(Generic[Kept]):
    """A folder that one process owns, with a file for each object; all objects have one type, which *form* reads."""

    def __init__(
        self,
        path: Path,
        form: Form[Kept],
        names: Names,
        say: Callable[[str], None],
        *,
        synced: bool = True,
        needed: bool = False,
    ) -> None:
        """
        Takes the folder, and makes it if there is none; *say* prints what goes wrong, one message each.

        If *synced*, an object is on the disk when :meth:`replace` returns, and a crash of the machine takes no part.

        :raises FolderError: if another process has it, or it is *needed* and cannot be made.
        """
        self.path = path
        self._form, self._names, self._say, self._synced = form, names, say, synced
        self._failing: set[str] = set()
        self._lock: Lock | None = None
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(path / "lock", mode=0o600)
        except TakenError:
            raise FolderError(f"{path}: another {names.owner} keeps its {names.things} there") from None
        except OSError as error:
            if needed:
                raise FolderError(f"{path}: {names.things} cannot be kept there: {error.strerror}") from None
            self._failed("", error)

    @property
    def failing(self) -> bool:
        """Tests whether an object could not be written; it would not outlive a restart."""
        return bool(self._failing)

    def is_kept(self, name: str) -> bool:
        """Tests whether the last :meth:`replace` of that name has succeeded."""
        return name not in self._failing

    def file(self, name: str) -> Path:
        """Gets the path of the object of that name."""
        return self.path / (name + self._names.suffix)

    def load(self) -> Iterator[tuple[str, Kept]]:
        """
        Yields all objects with their names. A damaged file is set aside.

        A file of another version or format stays as it is, and one sentence names it.
        """
        for name in self._own_names():
            for part in self.path.glob(f"{escape(self.file(name).name)}.*{PART}"):
                with suppress(OSError):
                    part.unlink()  # of a process that was killed
            try:
                value = self._form.read(self.file(name).read_bytes())
            except (OSError, ValueError) as error:
                self.set_aside(name, f"it is damaged ({error})")
            else:
                yield name, value

    def replace(self, name: str, value: Kept) -> None:
        """Writes an object in one step."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with written_whole(self.file(name), make_folder=False, mode=0o600, synced=self._synced) as file:
                file.write(self._form.text(value))
        except OSError as error:
            self._failed(name, error)
            return
        if self._failing:
            self._failing -= {name, ""}
            if not self._failing:
                self._say(f"{self.path}: {self._names.things} are kept there again")

    def set_aside(self, name: str, problem: str) -> None:
        """Renames a file, for a person to look at; the message has its new name and the *problem*."""
        aside = self.path / (name + self._names.aside)
        self._say(f"{self._names.thing} {name} is set aside as {aside}: {problem:.200}")
        with suppress(OSError):
            os.replace(self.file(name), aside)

    def remove(self, name: str) -> bool:
        """Removes a file; returns whether there was one that could be removed."""
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

    def _own_names(self) -> Iterator[str]:
        others: list[str] = []
        for path in sorted(self.path.glob("*" + self._names.suffix)):
            version = self._form.version_of(_head(path))
            if version == self._form.version:
                yield path.name.removesuffix(self._names.suffix)
            elif version is None:
                others.append(ascii(path.name))
            else:
                self._say(
                    f"{path} is of version {version} and stays as it is: "
                    f"this program reads version {self._form.version} alone"
                )
        if others:
            unlisted = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            listed = ", ".join(others[:_MOST_NAMED]) + unlisted
            self._say(f"{self.path}: by the first line no {self._names.thing}, and left as it is: {listed}")

    def _failed(self, name: str, error: OSError) -> None:
        if not self._failing:
            self._say(
                f"{self.path}: {self._names.things} cannot be kept there ({error.strerror}): they stay in memory, "
                "and would not outlive a restart"
            )
        self._failing.add(name)


def _head(path: Path) -> bytes:
    """Reads how a file begins; what is no file, such as a pipe, has no beginning."""
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(HEAD_BYTES)
    return b""
