"""The list of faults, and how one is put into a copy of the project."""

from pathlib import Path
from typing import NamedTuple

import tomllib

LIST = Path(__file__).with_name("faults.toml")


class Fault(NamedTuple):
    """A change that breaks something: in *file* the text *old* becomes *new*."""

    what: str
    file: str
    old: str
    new: str
    first: tuple[str, ...]
    """The tests that are tried first."""

    @property
    def is_in_kernel(self) -> bool:
        """Tells whether the kernel must be compiled to have it."""
        return self.file.endswith(".c")

    def changed(self, root: Path) -> str:
        """
        Gets the file's text with the fault.

        :raises ValueError: if the text that it changes is not there, or there twice.
        """
        text = (root / self.file).read_text()
        if text.count(self.old) != 1:
            times = text.count(self.old)
            raise ValueError(f"{LIST.name}, {self.what!r}: {self.file} has the text {times} times, not once")
        return text.replace(self.old, self.new)


def faults() -> list[Fault]:
    """Reads the list."""
    entries = tomllib.loads(LIST.read_text())["fault"]
    return [Fault(**{**entry, "first": tuple(entry["first"])}) for entry in entries]
