"""The list of faults, and how one is put into a copy of the project."""

from pathlib import Path
from typing import NamedTuple

import tomli

LIST = Path(__file__).with_name("faults.toml")


class Fault(NamedTuple):
    """A change that breaks something: in *file* the text *old* becomes *new*."""

    what: str
    file: str
    old: str
    new: str
    first: tuple[str, ...]
    """The tests that are tried first."""
    whole: bool = False
    """Whether only tests of ``make test-all`` can see it: those among the first are tried, and no others."""

    @property
    def is_in_kernel(self) -> bool:
        """Tells whether the kernel must be compiled to have it."""
        return self.file.endswith(".c")

    @property
    def is_python(self) -> bool:
        """Tells whether its errors can be watched."""
        return self.file.endswith(".py")

    def changed(self, root: Path) -> str:
        """
        Gets the file's text with the fault.

        :raises ValueError: if the text that it changes is not there, or there twice.
        """
        text = self._text(root)
        return text.replace(self.old, self.new)

    def lines(self, root: Path) -> tuple[int, int]:
        """Gets the first and the last line that the fault changes, by their numbers in its file."""
        first = self._text(root).partition(self.old)[0].count("\n") + 1
        return first, first + self.new.rstrip("\n").count("\n")

    def _text(self, root: Path) -> str:
        text = (root / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            times = text.count(self.old)
            raise ValueError(f"{LIST.name}, {self.what!r}: {self.file} has the text {times} times, not once")
        return text


def faults() -> list[Fault]:
    """Reads the list."""
    entries = tomli.loads(LIST.read_text())["fault"]
    return [Fault(**{**entry, "first": tuple(entry["first"])}) for entry in entries]
