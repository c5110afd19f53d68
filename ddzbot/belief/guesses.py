"""
Guesses: facts that are supposed on top of what is certain. All else is dealt uniformly.

A *guess* is how a player who is to deal the hidden hands begins: it sets some cards aside for a seat, and shuffles the
rest. Several guesses, each with its share, are a mixture that no table of weights for single ranks is: by how much a
supposed card makes other worlds likelier depends on what else is supposed (:mod:`ddzbot.belief.models` has the tables).

Source: the report on an AI for mini Dou Dizhu by Hu Jianbo and Meng Zimo (in Chinese), in its part on guessing hands.
"""

from functools import partial, reduce
from math import gcd
from typing import Callable, Dict, List, NamedTuple

from ddzbot.belief.certain import Certain, with_known_cards
from ddzbot.belief.fitted import NUMBERS
from ddzbot.belief.models import bomb_holder
from ddzbot.belief.numbers import Numbers
from ddzbot.cards import RANK_COUNT, UNIT, count, size
from ddzbot.view import View


class Guess(NamedTuple):
    """What is supposed, and how often."""

    share: int
    """Of the sum of all shares."""
    certain: Certain
    """The facts with what is supposed; the other cards are dealt uniformly."""


Guesser = Callable[[View, Certain], List[Guess]]
"""Type alias: makes the guesses for a view of which *Certain* is known."""


def report_guesser(numbers: Numbers) -> Guesser:
    """
    Makes the guess of the mini Dou Dizhu report, by which players do not break bombs.

    A rank that the two others together held whole, of which exactly one of them has played some and some are still out:
    with the probability ``numbers.mini_percent`` *all* that are out are given to the one that has played none. The
    remaining cards are shuffled, so that this seat may get them all by chance too. Each such rank has a draw of its
    own, the lower one first. It decides nothing where the seat cannot have them all: because some are the landlord's
    bottom cards, or because its hand has no room left.

    The report speaks of 9 to K, here it is every rank that can be a bomb. It does not state the probability;
    ``mini_percent`` is how often the seat was seen to hold more than one.
    """
    return partial(_whole_bombs, numbers.mini_percent)


def _whole_bombs(percent: int, view: View, certain: Certain) -> List[Guess]:
    played = view.played(certain.seats[0]), view.played(certain.seats[1])
    guesses = [Guess(1, certain)]
    for rank in range(RANK_COUNT):
        silent = bomb_holder(certain.unseen, played, rank)
        if silent is not None:
            guesses = [after for guess in guesses for after in _drawn(guess, rank, silent, percent)]
    divisor = reduce(gcd, (guess.share for guess in guesses))
    return [guess._replace(share=guess.share // divisor) for guess in guesses if guess.share]


def _drawn(guess: Guess, rank: int, silent: int, percent: int) -> List[Guess]:
    """Draws whether the silent seat is given what is out of a rank: up to two guesses, and 100 times the share."""
    certain = guess.certain
    supposed = (count(certain.unseen, rank) - count(certain.known[silent], rank)) * UNIT[rank]
    room = certain.sizes[silent] - size(certain.known[silent])
    if not supposed or count(certain.known[1 - silent], rank) or size(supposed) > room:
        return [Guess(100 * guess.share, certain)]
    given = with_known_cards(certain, silent, supposed)
    return [Guess(percent * guess.share, given), Guess((100 - percent) * guess.share, certain)]


GUESSERS: Dict[str, Guesser] = {"report": report_guesser(NUMBERS)}
"""Every way to guess by its name."""
