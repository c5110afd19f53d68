"""What tests of entry points share: all memory of good calls, of which a test spoils one thing."""

from typing import Any

from ddzbot.kernel.library import STATUS_NAMES, Library

Place = tuple[str, int]
"""An argument: the entry point, and its number."""


class Bench:
    """Good calls of some entry points; a subclass has the memory that they need."""

    library: Library
    anywhere: tuple[Place, ...] = ()
    """Pointers to bytes, which may lie anywhere."""
    optional: tuple[Place, ...] = ()
    """Pointers that may be null."""
    numbers: tuple[Place, ...] = ()
    """Large numbers that are no pointers."""

    def good_calls(self) -> dict[str, list[Any]]:
        """Gets the arguments with which each entry point answers ok, in an order in which all do."""
        raise AssertionError(f"{type(self).__name__} has no good calls")

    def status(self, entry: str, *arguments: Any) -> str:
        return STATUS_NAMES[self.library.status(entry, *arguments)]

    def check_pointers(self) -> None:
        """Gives every entry point a null and a crooked pointer in each place, and then what is good."""
        for entry, good in self.good_calls().items():
            pointers = [index for index, argument in enumerate(good) if argument > 1 << 32]
            for index in (index for index in pointers if (entry, index) not in self.numbers):
                null = () if (entry, index) in self.optional else (None,)
                crooked = () if (entry, index) in self.anywhere else (good[index] + 1,)
                for spoiled in (*null, *crooked):
                    arguments = [*good[:index], spoiled, *good[index + 1 :]]
                    assert self.status(entry, *arguments) == "bad pointer", (entry, index)
            assert self.status(entry, *good) == "ok", entry
