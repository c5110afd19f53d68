"""Worlds: full assignments of the hidden cards that fit a view, weighed by a belief and drawn in proportion."""

from typing import TYPE_CHECKING, List, Optional, Sequence, Union

from ddzbot.belief.certain import BeliefError, Certain, what_is_certain
from ddzbot.belief.guesses import GUESSERS, Guesser
from ddzbot.belief.models import MODELS, Model, model_named, uniform
from ddzbot.belief.ways import Ways, World, number_below, scaled
from ddzbot.cards import count
from ddzbot.kernel import native
from ddzbot.kernel.rng import Generator
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.worlds import KernelWorlds

BELIEFS = (*MODELS, *GUESSERS)
"""The names of all beliefs: the tables of weights, and the guesses."""


def worlds_of_belief(view: View, belief: str, certain: Optional[Certain] = None) -> "AllWorlds":
    """
    Gets all worlds that fit *view*, weighed by the belief of that name.

    For example ``worlds_of_belief(view, "report")``. *certain* is what follows for certain from the view, where that
    is known already.

    :raises BeliefError: for a view that contradicts itself, or an unknown belief.
    """
    check_belief(belief)
    return GuessedWorlds(view, GUESSERS[belief], certain) if belief in GUESSERS else Worlds(view, belief, certain)


def worlds_of_search(kernel: "Kernel", view: View, belief: str, certain: Certain) -> "Optional[KernelWorlds]":
    """Gets the worlds for a tree search; None for ``uniform``, which the search deals itself, and a little faster."""
    return None if belief == "uniform" else worlds_of_belief(view, belief, certain).in_kernel(kernel)


def check_belief(belief: str) -> None:
    """
    Checks that there is a belief of that name.

    :raises BeliefError: if there is none.
    """
    if belief not in BELIEFS:
        raise BeliefError("belief {!r} is unknown; there are {}".format(belief, ", ".join(BELIEFS)))


class AllWorlds:
    """All worlds that fit a view, each with its probability: the part that all weights share."""

    def __init__(self, view: View, certain: Optional[Certain]) -> None:
        self.certain = certain or what_is_certain(view)
        """The facts that every world honours."""
        self._in_kernel: Optional[KernelWorlds] = None

    def probability(self, seat: int, rank: int, cards: int) -> float:
        """
        Gets the probability that *seat* holds exactly that many *cards* of *rank*.

        The counting is exact, and only the last division is rounded, on every machine alike.

        :raises BeliefError: if *seat* is not hidden.
        """
        if seat not in self.certain.seats:
            raise BeliefError(f"seat {seat} is not hidden: the hidden seats are {self.certain.seats}")
        is_first = seat == self.certain.seats[0]
        return self._share(rank, cards if is_first else count(self.certain.unseen, rank) - cards)

    def sample(self, generator: Generator) -> World:
        """
        Draws a world with exactly its probability.

        The hands are in the order of :attr:`Certain.seats`.
        """
        raise AssertionError(f"{type(self).__name__} draws no worlds")

    def samples(self, generator: Generator, number: int) -> List[World]:
        """Draws that *number* of worlds, the same as so many calls of :meth:`sample`, in the kernel if there is one."""
        kernel = native()
        if kernel is None:
            return [self.sample(generator) for _ in range(number)]
        return [World(*hands) for hands in self.in_kernel(kernel).draw(generator, number)]

    def in_kernel(self, kernel: "Kernel") -> "KernelWorlds":
        """Gets the same worlds in the kernel's form, made once, for searches that run there."""
        if self._in_kernel is None:
            self._in_kernel = self._kernel_worlds(kernel)
        return self._in_kernel

    def _share(self, rank: int, cards: int) -> float:
        """Gets the share of worlds in which the first hidden hand has so many cards of the rank."""
        raise AssertionError(f"{type(self).__name__} counts no worlds")

    def _kernel_worlds(self, kernel: "Kernel") -> "KernelWorlds":
        raise AssertionError(f"{type(self).__name__} is not for the kernel")


class Worlds(AllWorlds):
    """
    All worlds that fit *view*, weighed by a model: its name, or a function that makes the table of weights.

    For example ``Worlds(view, "fitted").sample(Generator(7))`` is the same pair of hands in every process, whether the
    kernel draws it or Python. *certain* is what follows for certain from the view, if that is known already.

    :raises BeliefError: for a view that contradicts itself, and an unknown model; for a table that leaves no world once
        one is counted or drawn, by the kernel as a KernelError.
    """

    def __init__(self, view: View, model: Union[str, Model] = "fitted", certain: Optional[Certain] = None) -> None:
        super().__init__(view, certain)
        chosen = model_named(model) if isinstance(model, str) else model
        self.table = scaled(_possible(self.certain, chosen(view, self.certain)))
        """``table[rank][n]``: the weight of n cards of the rank in the first hidden hand."""
        self._counted: Optional[Ways] = None

    @property
    def _ways(self) -> Ways:
        if self._counted is None:  # the kernel counts by itself, and does not need this
            self._counted = Ways(self.certain.unseen, self.certain.sizes[0], self.table)
        return self._counted

    @property
    def total(self) -> int:
        """The sum of the weights of all worlds, below 2 ** 126; a world's probability is its share of it."""
        return self._ways.total

    def sample(self, generator: Generator) -> World:
        """Draws a world with a probability of exactly its share of :attr:`total`."""
        return self._ways.draw(generator)

    def _share(self, rank: int, cards: int) -> float:
        return self._ways.weight(rank, cards) / self.total

    def _kernel_worlds(self, kernel: "Kernel") -> "KernelWorlds":
        from ddzbot.kernel.worlds import KernelWays

        return KernelWays(kernel.library, self.certain.unseen, self.certain.sizes[0], self.table)


class GuessedWorlds(AllWorlds):
    """
    All worlds that fit *view*, as a way to guess deals them: it draws a guess by its share, and deals the rest.

    For example ``GuessedWorlds(view, GUESSERS["report"]).sample(Generator(7))``.

    :raises BeliefError: for a view that contradicts itself.
    """

    def __init__(self, view: View, guesser: Guesser, certain: Optional[Certain] = None) -> None:
        super().__init__(view, certain)
        self.guesses = guesser(view, self.certain)
        """What may be supposed."""
        self._tables = [_possible(guess.certain, uniform(view, guess.certain)) for guess in self.guesses]
        self._counted: Optional[List[Ways]] = None

    @property
    def _ways(self) -> List[Ways]:
        if self._counted is None:
            first = self.certain.sizes[0]
            self._counted = [Ways(self.certain.unseen, first, table) for table in self._tables]
        return self._counted

    def sample(self, generator: Generator) -> World:
        """Draws a guess by its share, and a world of it, each as likely."""
        number = number_below(generator, sum(guess.share for guess in self.guesses))
        part = 0
        while number >= self.guesses[part].share:
            number -= self.guesses[part].share
            part += 1
        return self._ways[part].draw(generator)

    def _share(self, rank: int, cards: int) -> float:
        above, below = 0, 1
        for guess, ways in zip(self.guesses, self._ways):
            above = above * ways.total + guess.share * ways.weight(rank, cards) * below
            below *= ways.total
        return above / (below * sum(guess.share for guess in self.guesses))

    def _kernel_worlds(self, kernel: "Kernel") -> "KernelWorlds":
        from ddzbot.kernel.worlds import KernelMixture

        shares = [guess.share for guess in self.guesses]
        return KernelMixture(kernel.library, self.certain.unseen, self.certain.sizes[0], self._tables, shares)


def _possible(certain: Certain, table: Sequence[Sequence[int]]) -> List[List[int]]:
    """Takes the weight from every count that the facts exclude, so that ranks without a choice are known as such."""
    least, most = certain.least[0], certain.most[0]
    return [
        [weight if count(least, rank) <= cards <= count(most, rank) else 0 for cards, weight in enumerate(row)]
        for rank, row in enumerate(table)
    ]
