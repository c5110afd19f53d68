"""
The player ``douzero``: the networks of DouZero, which value every legal move; the highest value is played.

``douzero:weights=FOLDER`` plays with checkpoints of the public project, ``landlord.ckpt``, ``landlord_down.ckpt`` and
``landlord_up.ckpt``. ``douzero`` plays with the smaller networks that this project trained the same way.
docs/lab/learners.md#deep-monte-carlo has both. It needs torch, and does not search.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ddzbot.game import SEAT_NAMES
from ddzbot.players.base import MOST_DEBUG_MOVES, Decision, Player
from ddzbot.players.options import read_options
from ddzbot.search.limit import Limit
from ddzbot.view import View

from . import WithFiles
from .needs import packages_of

if TYPE_CHECKING:
    from .douzero_network import Networks

OWN = Path(__file__).parent / "weights" / "zero.npz"
"""The networks that this project trained."""


class DouzeroOptions(NamedTuple):
    """The options of ``douzero``."""

    weights: str | None = None
    """A folder of public checkpoints, or a file that ``tools train learn zero`` keeps; None for our own."""


class DouzeroPlayer(Player, WithFiles):
    """
    Plays what its networks value most; the seed changes nothing. Its options are :class:`DouzeroOptions`.

    :raises ValueError: if there is no torch, or no such weights.
    """

    name = "douzero"
    options_type: type[Any] | None = DouzeroOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: DouzeroOptions = read_options(self.name, DouzeroOptions, options)
        self._networks = _networks(self.options.weights)

    @staticmethod
    def files_of(options: Mapping[str, Any]) -> list[str]:
        """Lists the three checkpoints, or the one file."""
        path = Path(options.get("weights") or OWN)
        return [str(path / f"{seat}.ckpt") for seat in SEAT_NAMES] if path.is_dir() else [str(path)]

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses in milliseconds; *limit* is not needed.

        ``debug`` has the values of the best moves, in what the networks learned: wins as 1 and losses as -1, or
        points. For example ``{"moves": {"345678": 0.41, "3": 0.32}}``.
        """
        import numpy as np

        from .douzero_features import state_of
        from .douzero_network import one_thread

        moves = view.legal_moves()
        state = state_of(view)
        owners = np.zeros(len(moves), np.intp)
        with one_thread():
            values = self._networks.of(view.seat).values(
                state, np.array([move.cards for move in moves], np.uint64), owners
            )
        best = values.argsort(stable=True, descending=True).tolist()
        values_of = {str(moves[index]): round(float(values[index]), 4) for index in best[:MOST_DEBUG_MOVES]}
        return Decision(moves[best[0]], {"moves": values_of})


def _networks(weights: str | None) -> Networks:
    with packages_of("douzero"):
        from . import douzero_weights
    try:
        return douzero_weights.read(Path(weights) if weights else OWN)
    except douzero_weights.BadWeightsError as error:
        raise ValueError(f"douzero: {error}") from None
