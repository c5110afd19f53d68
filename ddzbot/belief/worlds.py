"""Worlds: full assignments of the hidden cards that fit a view, weighed by a model and drawn in proportion."""

from typing import TYPE_CHECKING, List, Optional, Sequence, Union

from ddzbot.belief.certain import BeliefError, Certain, what_is_certain
from ddzbot.belief.models import Model, model_named
from ddzbot.belief.ways import Ways, World, scaled
from ddzbot.cards import count
from ddzbot.kernel import native
from ddzbot.kernel.chance import Generator
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.worlds import KernelWays


class Worlds:
    """
    All worlds that fit *view*, weighed by a model: its name, or a function that makes the table of weights.

    For example ``Worlds(view, "fitted").sample(Generator(7))`` is the same pair of hands in every process, whether the
    kernel draws it or Python.

    :raises BeliefError: for a view that contradicts itself, an unknown model, and a table that leaves no world.
    """

    def __init__(self, view: View, model: Union[str, Model] = "fitted") -> None:
        self.certain = what_is_certain(view)
        """The facts that every world honours."""
        chosen = model_named(model) if isinstance(model, str) else model
        self.table = scaled(_possible(self.certain, chosen(view, self.certain)))
        """``table[rank][n]``: the weight of n cards of the rank in the first hidden hand."""
        self._ways = Ways(self.certain.unseen, self.certain.sizes[0], self.table)
        self._kernel_ways: Optional[KernelWays] = None

    @property
    def total(self) -> int:
        """The sum of the weights of all worlds, below 2 ** 126."""
        return self._ways.total

    def probability(self, seat: int, rank: int, cards: int) -> float:
        """
        Gets the probability that *seat* holds exactly that many *cards* of *rank*.

        The counting is exact, and only the last division is rounded, on every machine alike.

        :raises BeliefError: if *seat* is not hidden.
        """
        if seat not in self.certain.seats:
            raise BeliefError(f"seat {seat} is not hidden: the hidden seats are {self.certain.seats}")
        is_first = seat == self.certain.seats[0]
        in_first = cards if is_first else count(self.certain.unseen, rank) - cards
        return self._ways.weight(rank, in_first) / self.total

    def sample(self, generator: Generator) -> World:
        """
        Draws a world with a probability of exactly its share of :attr:`total`.

        The hands are in the order of :attr:`Certain.seats`.
        """
        return self._ways.draw(generator)

    def samples(self, generator: Generator, number: int) -> List[World]:
        """Draws that *number* of worlds, the same as so many calls of :meth:`sample`, in the kernel if there is one."""
        kernel = native()
        if kernel is None:
            return [self._ways.draw(generator) for _ in range(number)]
        return [World(*hands) for hands in self.in_kernel(kernel).draw(generator, number)]

    def in_kernel(self, kernel: "Kernel") -> "KernelWays":
        """Gets the same worlds in the kernel's form, made once, for searches that run there."""
        from ddzbot.kernel.worlds import KernelWays

        if self._kernel_ways is None:
            self._kernel_ways = KernelWays(kernel.library, self.certain.unseen, self.certain.sizes[0], self.table)
        return self._kernel_ways


def _possible(certain: Certain, table: Sequence[Sequence[int]]) -> List[List[int]]:
    """Takes the weight from every count that the facts exclude, so that ranks without a choice are known as such."""
    least, most = certain.least[0], certain.most[0]
    return [
        [weight if count(least, rank) <= cards <= count(most, rank) else 0 for cards, weight in enumerate(row)]
        for rank, row in enumerate(table)
    ]
