"""
The opponents in some of the games: earlier networks, quick players, the network itself with more random moves.

The members that still win most are met most, as in prioritized fictitious self-play (O. Vinyals et al., "Grandmaster
level in StarCraft II using multi-agent reinforcement learning", Nature 575, 2019).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.training import Rival

QUICK, ITSELF = "quick", "itself"
"""Members by name: the kernel's quick players, and the network of the moment with more chance in its moves."""
SIDES = ((0,), (1, 2))
_MEMORY = 0.95
"""The weight of the former estimate after a new result."""
_ITSELF_NEAR = 600
"""Thousandths of a logit: what the network itself as a rival may give away in a move, four times the usual."""


class Meeting(NamedTuple):
    """Two units of games, in which a member plays either side once."""

    member: str
    units: tuple[int, int]


class League:
    """
    Draws rivals and remembers how often each was beaten.

    *networks* are the members that are weights files, by name; *share* is that of all games in which a member plays.
    Without members the network plays itself.
    """

    def __init__(
        self, names: Sequence[str] = (), networks: Mapping[str, FastNet] | None = None, share: float = 0.0
    ) -> None:
        self.names, self.share = tuple(names), share
        self._networks = networks or {}
        self.beaten = dict.fromkeys(self.names, 0.5)
        """By member, about the share of games that the network that learns has won of late."""

    def meetings(self, units: int, seed: Sequence[int]) -> list[Meeting]:
        """Draws the opponents of so many units; the same seed and results give the same opponents."""
        if not self.names:
            return []
        chance = np.random.default_rng(list(seed))
        weights = np.array([(1 - self.beaten[member]) ** 2 for member in self.names]) + 1e-3
        drawn = chance.choice(len(self.names), round(units * self.share / 2), p=weights / weights.sum())
        return [Meeting(self.names[index], (2 * place, 2 * place + 1)) for place, index in enumerate(drawn)]

    def rivals(self, meetings: Sequence[Meeting], units: int, itself: FastNet) -> list[Rival | None]:
        """Gets the rival of each unit; *itself* is the network that learns."""
        rivals: list[Rival | None] = [None] * units
        for member, pair in meetings:
            for unit, side in zip(pair, SIDES, strict=True):
                if member == ITSELF:
                    rivals[unit] = Rival(side, itself, _ITSELF_NEAR)
                else:
                    rivals[unit] = Rival(side, self._networks.get(member))
        return rivals

    def note(self, meetings: Sequence[Meeting], landlord_wins: Sequence[float]) -> None:
        """Remembers results; *landlord_wins* has the share that landlords won of each unit."""
        for member, (as_landlord, as_peasants) in meetings:
            won = (1 - landlord_wins[as_landlord] + landlord_wins[as_peasants]) / 2
            self.beaten[member] = _MEMORY * self.beaten[member] + (1 - _MEMORY) * won
