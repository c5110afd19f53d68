"""The binding of the kernel's worlds (src/worlds/worlds.c): the drawing of hidden hands, without Python in the loop."""

import ctypes
from typing import List, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel.binding import LentGenerator
from ddzbot.kernel.library import Library, Memory
from ddzbot.kernel.rng import Generator

Table = Sequence[Sequence[int]]
"""Type alias: 15 rows of 5 weights."""


class KernelWorlds:
    """
    Worlds that the kernel draws. ``address`` is that of a ddz_worlds, for other entry points of the kernel.

    :raises KernelError: if the kernel refuses them.
    """

    def __init__(self, library: Library, tables: int) -> None:
        self.library = library
        self.size = library.sizes["ddz_worlds"]
        self._memory = Memory(self.size * tables)
        self.address = self._memory.address

    def draw(self, generator: Generator, count: int) -> List[Tuple[Hand, Hand]]:
        """
        Draws *count* worlds, each as the first and the second hidden hand.

        :raises KernelError: for a generator that was not seeded.
        """
        hands = Memory(16 * count)
        with LentGenerator(generator) as random:
            self.library.call("ddz_worlds_draw", self.address, random, hands.address, count)
        drawn = hands.words().tolist()
        return list(zip(drawn[: 2 * count : 2], drawn[1 : 2 * count : 2]))

    def _prepare(self, place: int, unseen: Hand, first_cards: int, table: Table) -> None:
        weights = [weight for row in table for weight in row]
        given = (ctypes.c_uint32 * len(weights))(*weights)
        where = self.address + place * self.size
        self.library.call("ddz_worlds_init", where, unseen, first_cards, ctypes.addressof(given))


class KernelWays(KernelWorlds):
    """
    The kernel's form of :class:`ddzbot.belief.ways.Ways`: from one state of the generator it draws the same worlds.

    The arguments are those of ``Ways``.
    """

    def __init__(self, library: Library, unseen: Hand, first_cards: int, table: Table) -> None:
        super().__init__(library, 1)
        self._prepare(0, unseen, first_cards, table)


class KernelMixture(KernelWorlds):
    """The kernel's form of several tables of the same cards, each with its share: a draw takes one of them first."""

    def __init__(
        self, library: Library, unseen: Hand, first_cards: int, tables: Sequence[Table], shares: Sequence[int]
    ) -> None:
        super().__init__(library, 1 + len(tables))
        for index, table in enumerate(tables):
            self._prepare(1 + index, unseen, first_cards, table)
        given = (ctypes.c_uint64 * len(shares))(*shares)
        parts = self.address + self.size
        self.library.call("ddz_worlds_mix", self.address, parts, ctypes.addressof(given), len(shares))
