"""The form of the fitted numbers: what they mean, in which units, and which ranks share them."""

from typing import NamedTuple, Tuple

GROUP_NAMES = ("3 to T", "J to K", "A", "2", "jokers")
"""The groups of ranks that share their numbers."""

GROUPS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 4)
"""The group of each of the 15 ranks, an index into :data:`GROUP_NAMES`."""

UNIT = 1000
"""A factor that says nothing; factors are in units of one thousandth."""

Factors = Tuple[Tuple[Tuple[int, ...], ...], ...]
"""
Type alias: ``factors[group][clue][n]``, how much likelier than under uniform a seat that gave the clue holds ``n``
cards (0 to 4) of a rank of the group, compared with none. For example, 100 is one tenth.
"""


class Numbers(NamedTuple):
    """All that is fitted on recorded games."""

    mini_percent: int
    """The percentage of cases in which the bomb rule was right."""
    ways: Factors
    """Factors by :data:`ddzbot.belief.clues.WAYS`."""
    solos: Factors
    """Factors by :data:`ddzbot.belief.clues.SKIPS`, for solos."""
    pairs: Factors
    """The same for pairs."""
