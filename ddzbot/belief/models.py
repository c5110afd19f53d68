"""
Models of the hidden hands, which weigh each way to divide a rank between the two hidden hands.

A model makes a table, ``table[rank][n]``: the weight of the first hidden seat holding ``n`` cards of the rank. The
weight of a world is the product over the ranks, and a world is as probable as its share of all consistent worlds.
Weights are whole numbers of any size, so that every machine computes the same; only their ratios within a rank matter.

=========== =========================================================================================================
uniform     every assignment of the physical cards is equally likely
mini        uniform, and players do not break bombs: after the rule of the mini Dou Dizhu report
fitted      uniform times a factor for each clue that a seat gave about a rank (:mod:`ddzbot.belief.clues`)
=========== =========================================================================================================
"""

from functools import partial
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ddzbot.belief.certain import BeliefError, Certain, free_cards
from ddzbot.belief.clues import Clues, read_clues
from ddzbot.belief.fitted import NUMBERS
from ddzbot.belief.numbers import GROUPS, Numbers
from ddzbot.cards import RANK_COUNT, Hand, count, size
from ddzbot.view import View

Table = List[List[int]]
"""Type alias: 15 rows of 5 weights."""

Model = Callable[[View, Certain], Table]
"""Type alias: makes the table for a view of which *Certain* is known."""

MOST_OF_A_RANK = 4
"""The most cards of one rank."""

_CHOOSE = ((1,), (1, 1), (1, 2, 1), (1, 3, 3, 1), (1, 4, 6, 4, 1))


def model_named(name: str) -> Model:
    """
    Gets a model by its name.

    :raises BeliefError: for a name that is not in :data:`MODELS`.
    """
    try:
        return MODELS[name]
    except KeyError:
        raise BeliefError("model {!r} is unknown; there are {}".format(name, ", ".join(MODELS))) from None


def uniform(view: View, certain: Certain) -> Table:
    """
    Weighs all assignments of physical cards equally; known cards go where they are known to be.

    For example, of four 5s of which nothing is known the first seat holds 0 to 4 with the weights 1, 4, 6, 4, 1.
    """
    return [_ways_to_deal(certain, rank) for rank in range(RANK_COUNT)]


def _ways_to_deal(certain: Certain, rank: int) -> List[int]:
    free, surely = free_cards(certain, rank), count(certain.known[0], rank)
    return [_CHOOSE[free][cards - surely] if 0 <= cards - surely <= free else 0 for cards in range(MOST_OF_A_RANK + 1)]


def mini_model(numbers: Numbers) -> Model:
    """
    Makes the rule of the mini Dou Dizhu report, by which players do not break bombs, with an exact probability.

    A rank that the two others together held whole, all four cards, of which exactly one of them has played some and
    some are still out: with the probability ``numbers.mini_percent`` the one that has played none of it holds more than
    one. The report speaks of 9 to K, here it is every rank that can be a bomb. The report's own guesses are in
    :mod:`ddzbot.belief.guesses`.
    """
    return partial(_unbroken_bombs, numbers.mini_percent)


def _unbroken_bombs(percent: int, view: View, certain: Certain) -> Table:
    table = uniform(view, certain)
    played = view.played(certain.seats[0]), view.played(certain.seats[1])
    for rank in range(RANK_COUNT):
        silent = bomb_holder(certain.unseen, played, rank)
        if silent is not None:
            table[rank] = _with_probability(certain, rank, silent, percent)
    return table


def bomb_holder(unseen: Hand, played: Tuple[Hand, Hand], rank: int) -> Optional[int]:
    """
    Gets which hidden seat, 0 or 1, the bomb rule speaks of, or None where it does not hold.

    It is the one that has played none of a rank that both held whole, of which the other has played some and some are
    out. A rank of which the deck has fewer than four cards, such as a joker, is no bomb.
    """
    first, second, out = count(played[0], rank), count(played[1], rank), count(unseen, rank)
    if out + first + second < MOST_OF_A_RANK or not out or (first > 0) == (second > 0):
        return None
    return 1 if first else 0


def _with_probability(certain: Certain, rank: int, silent: int, percent: int) -> List[int]:
    """
    Weighs a rank so that the silent seat holds more than one with that probability, all else being uniform.

    Under uniform the number of cards in one hand is hypergeometric. Both events, more than one and not, get the share
    that they are to have, and are divided within as before. An event that is impossible or sure stays so.
    """
    row, out = _ways_to_deal(certain, rank), count(certain.unseen, rank)
    shares = _uniform_shares(certain, rank, row)
    many = [(out - cards if silent else cards) > 1 for cards in range(MOST_OF_A_RANK + 1)]
    total_many = sum(share for share, is_many in zip(shares, many) if is_many)
    total_few = sum(shares) - total_many
    if not total_many or not total_few:
        return row
    return [
        ways * (percent * total_few if is_many else (100 - percent) * total_many) for ways, is_many in zip(row, many)
    ]


def _uniform_shares(certain: Certain, rank: int, row: Sequence[int]) -> List[int]:
    """Counts, for each number of the rank in the first hand, the assignments of all physical cards that have it."""
    surely = count(certain.known[0], rank)
    room = certain.sizes[0] - size(certain.known[0])
    others = size(certain.unseen) - size(certain.known[0]) - size(certain.known[1]) - free_cards(certain, rank)
    return [ways * _choose(others, room - (cards - surely)) if ways else 0 for cards, ways in enumerate(row)]


def _choose(cards: int, chosen: int) -> int:
    """Counts the subsets of that size; math.comb came with Python 3.8."""
    if not 0 <= chosen <= cards:
        return 0
    subsets = 1
    for step in range(min(chosen, cards - chosen)):
        subsets = subsets * (cards - step) // (step + 1)
    return subsets


def fitted_model(numbers: Numbers) -> Model:
    """
    Makes the model that multiplies uniform by what the clues of both seats say, a factor for each.

    For example, a seat that played a 7 as a solo and led a solo above it gives two factors for the 7s that it may still
    hold, one of ``numbers.ways`` and one of ``numbers.solos``.
    """
    return partial(_by_clues, numbers)


def _by_clues(numbers: Numbers, view: View, certain: Certain) -> Table:
    clues = read_clues(view.plays)
    first, second = clues[certain.seats[0]], clues[certain.seats[1]]
    table = uniform(view, certain)
    for rank, row in enumerate(table):
        out = count(certain.unseen, rank)
        if out:
            of_first, of_second = _factors(numbers, first, rank), _factors(numbers, second, rank)
            for cards in range(out + 1):
                row[cards] *= of_first[cards] * of_second[out - cards]
    return table


def _factors(numbers: Numbers, clues: Clues, rank: int) -> List[int]:
    group = GROUPS[rank]
    by_way = numbers.ways[group][clues.ways[rank]]
    by_solo = numbers.solos[group][clues.solos[rank]]
    by_pair = numbers.pairs[group][clues.pairs[rank]]
    return [way * solo * pair for way, solo, pair in zip(by_way, by_solo, by_pair)]


MODELS: Dict[str, Model] = {
    "uniform": uniform,
    "mini": mini_model(NUMBERS),
    "fitted": fitted_model(NUMBERS),
}
"""Every model by its name, from the least to the most informed."""
