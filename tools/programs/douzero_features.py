"""
The inputs of DouZero's networks, for many states at once.

The layout is the published one: D. Zha et al., "DouZero: Mastering DouDizhu with Self-Play Deep Reinforcement Learning"
(ICML 2021), tables 4 and 5. A set of cards is 54 bits: four for each rank from 3 to 2, of which the first *n* are set
for *n* cards, and one for each joker. The bottom is not shown.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.game import SEATS
from ddzbot.rules import BOMB, ROCKET
from ddzbot.view import View

CARDS = 54
"""Bits of a set of cards."""
HISTORY = 15
"""The last moves that are shown, passes too."""
STEPS = 5
"""The history goes to the LSTM in so many steps of three moves."""
LEFT_LANDLORD, LEFT_PEASANT, BOMBS = 20, 17, 15
"""The sizes of the one-hot encodings of cards left and of bombs played."""

WIDTHS = (5 * CARDS + 2 * LEFT_PEASANT + BOMBS, *[7 * CARDS + LEFT_LANDLORD + LEFT_PEASANT + BOMBS] * 2)
"""Inputs of a state by seat, the move and the history left out: 319 for the landlord and 430 for the peasants."""

Cards = NDArray[np.uint64]
Floats = NDArray[np.float32]

_RANKS = 13
_SHIFTS = (4 * np.arange(_RANKS + 2)).astype(np.uint64)
_COPIES = np.arange(1, 5, dtype=np.uint8)


class States(NamedTuple):
    """The knowledge of one seat in *n* states, with hands as in :mod:`ddzbot.cards`: small enough to keep millions."""

    seat: int
    cards: Cards
    """[n][5 or 7]: own hand, unseen cards, and what :func:`states_of` puts behind them."""
    numbers: NDArray[np.uint8]
    """[n][3]: cards left of the two others, and bombs played."""
    history: Cards
    """[n][15]: the last moves, the latest last; what there was not yet is a pass."""

    def taken(self, which: NDArray[np.intp]) -> "States":
        """Gets some of the states."""
        return States(self.seat, self.cards[which], self.numbers[which], self.history[which])


class GameArrays(NamedTuple):
    """The tables of *n* games, and the hands at them."""

    hand: Cards
    """[n] of the seat to move."""
    unseen: Cards
    """[n] of the two others together."""
    to_beat: Cards
    """[n], 0 on a lead."""
    played: Cards
    """[n][3] by seat: all cards played so far."""
    last: Cards
    """[n][3] by seat: the last move, 0 for a pass and before the first."""
    left: NDArray[np.uint8]
    """[n][3] by seat: how many cards are held."""
    bombs: NDArray[np.uint8]
    """[n]: bombs and rockets played so far."""
    history: Cards
    """[n][15], as in :class:`States`."""


def states_of(table: GameArrays, seat: int) -> States:
    """Chooses and orders what *seat* is shown: the landlord the peasants from up to down, a peasant its partner."""
    partner = SEATS - seat
    cards = [table.hand, table.unseen]
    if seat == 0:
        cards += [table.to_beat, table.played[:, 2], table.played[:, 1]]
        left = (2, 1)
    else:
        cards += [table.played[:, 0], table.played[:, partner], table.to_beat, table.last[:, 0], table.last[:, partner]]
        left = (0, partner)
    numbers = [*(table.left[:, other_seat] for other_seat in left), table.bombs]
    return States(seat, np.stack(cards, 1), np.stack(numbers, 1), table.history)


def state_of(view: View) -> States:
    """Gets what a seat is shown of one game."""
    plays = view.plays
    history = [move.cards for move in plays[-HISTORY:]]
    last_moves = [next((move.cards for move in plays[seat::SEATS][::-1]), 0) for seat in range(SEATS)]
    to_beat = view.to_beat
    table = GameArrays(
        hand=_row([view.hand]),
        unseen=_row([view.unseen]),
        to_beat=_row([to_beat.cards if to_beat else 0]),
        played=_row([view.played(seat) for seat in range(SEATS)])[None],
        last=_row(last_moves)[None],
        left=np.array([[view.cards_left(seat) for seat in range(SEATS)]], np.uint8),
        bombs=np.array([sum(move.kind in (BOMB, ROCKET) for move in plays)], np.uint8),
        history=_row([0] * (HISTORY - len(history)) + history)[None],
    )
    return states_of(table, view.seat)


def _row(hands: Sequence[int]) -> Cards:
    return np.array(hands, np.uint64)


def bits(hands: Cards) -> Floats:
    """Gets [...][54] zeros and ones of [...] hands."""
    held = ((hands[..., None] >> _SHIFTS) & np.uint64(15)).astype(np.uint8)
    planes = np.empty((*hands.shape, CARDS), np.float32)
    ranks = held[..., :_RANKS, None] >= _COPIES
    planes[..., : 4 * _RANKS] = ranks.reshape(*hands.shape, 4 * _RANKS)
    planes[..., 4 * _RANKS :] = held[..., _RANKS:] > 0
    return planes


def inputs(states: States) -> Floats:
    """Gets [n][319 or 430]: the sets of cards, then the numbers one-hot."""
    count = len(states.cards)
    first_width = LEFT_LANDLORD if states.seat else LEFT_PEASANT
    left = [_one_hot(states.numbers[:, column] - 1, width) for column, width in ((0, first_width), (1, LEFT_PEASANT))]
    return np.concatenate([bits(states.cards).reshape(count, -1), *left, _one_hot(states.numbers[:, 2], BOMBS)], 1)


def steps(states: States) -> Floats:
    """Gets [n][5][162]: three moves a step, the latest last."""
    return bits(states.history).reshape(len(states.history), STEPS, -1)


def _one_hot(numbers: NDArray[np.uint8], width: int) -> Floats:
    planes = np.zeros((len(numbers), width), np.float32)
    planes[np.arange(len(numbers)), np.minimum(numbers, width - 1)] = 1
    return planes
