"""The networks of DouZero in torch: an LSTM over the history, and six layers over all that is known and one move."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ddzbot.game import SEATS

from .douzero_features import CARDS, HISTORY, STEPS, WIDTHS, Cards, States, bits, inputs, steps

FULL_WIDTH = 512
"""Units of a layer in the published networks."""
LAYERS = 6
STEP_INPUTS = CARDS * HISTORY // STEPS
"""Inputs of the LSTM in each step: 162."""
_LSTM_SHARE = 4
"""A layer is so many times as wide as the LSTM."""


class SeatNet(nn.Module):
    """
    The network of one seat; its parameters have the names and shapes of the public checkpoints.

    A narrower one has an LSTM that is narrower by as much.
    """

    def __init__(self, seat: int, width: int = FULL_WIDTH) -> None:
        super().__init__()
        self.remembered = width // _LSTM_SHARE
        """Units of the LSTM."""
        self.lstm = nn.LSTM(STEP_INPUTS, self.remembered, batch_first=True)
        self.dense1 = nn.Linear(self.remembered + WIDTHS[seat] + CARDS, width)
        for layer in range(2, LAYERS):
            setattr(self, f"dense{layer}", nn.Linear(width, width))
        self.dense6 = nn.Linear(width, 1)

    def forward(self, history: Tensor, known: Tensor, moves: Tensor, owners: Tensor | None = None) -> Tensor:
        """
        Gets [moves], what each move is worth.

        *history* is [states][5][162], *known* [states][319 or 430] and *moves* [moves][54]; *owners* [moves] says
        which state each move belongs to, without it they go in pairs. What does not depend on the move, the LSTM
        above all, is computed once a state.
        """
        of_state = torch.cat((self.lstm(history)[0][:, -1], known), 1)
        weight = self.dense1.weight
        states = nn.functional.linear(of_state, weight[:, :-CARDS], self.dense1.bias)
        units = torch.relu((states if owners is None else states[owners]) + moves @ weight[:, -CARDS:].t())
        for layer in range(2, LAYERS):
            units = torch.relu(getattr(self, f"dense{layer}")(units))
        worth: Tensor = self.dense6(units)
        return worth[:, 0]

    @torch.no_grad()
    def values(self, states: States, moves: Cards, owners: NDArray[np.intp]) -> Tensor:
        """Gets [moves], what each set of cards in *moves* is worth; *owners* says in which of the states."""
        worth: Tensor = self(*tensors(states, moves), torch.from_numpy(owners))
        return worth


def tensors(states: States, moves: Cards) -> tuple[Tensor, Tensor, Tensor]:
    """Encodes states and moves for :meth:`SeatNet.forward`."""
    return tuple(torch.from_numpy(array) for array in (steps(states), inputs(states), bits(moves)))  # type: ignore[return-value]


class Networks(nn.Module):
    """The networks of the three seats."""

    def __init__(self, width: int = FULL_WIDTH) -> None:
        super().__init__()
        self.seats = nn.ModuleList(SeatNet(seat, width) for seat in range(SEATS))

    def of(self, seat: int) -> SeatNet:
        """Gets the network of a seat."""
        net = self.seats[seat]
        assert isinstance(net, SeatNet)
        return net


@contextmanager
def one_thread() -> Iterator[None]:
    """Lets torch compute in one thread, which is the fastest for so little, and gives the same values everywhere."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
