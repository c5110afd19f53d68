"""
The layers of the network of combinational Q-learning, architecture ``cql-366-256-128``, and what it finds.

Two stages, as in the paper (You et al. 2019), with widths of our own. ReLU stands after every layer but the last ones:

* a situation becomes 128 numbers (366 -> 256 -> 128), and each move of the offered divisions too (79 -> 64 -> 128);
* a division is the largest of its moves' numbers, one by one, so that their order does not matter;
* the first stage values each division: situation and division, 256 -> 128 -> 64 -> 1;
* the second one values each move that the best division allows: situation, division and move, 384 -> 128 -> 64 -> 1.

A value is what the own side expects of the game: 1 a win, -1 a loss.
"""

from typing import Dict, List, NamedTuple

from ddzbot.net.cql_features import MOVE_FEATURES, STATE_FEATURES
from ddzbot.net.packed import Shape

ARCHITECTURE = "cql-366-256-128"
WIDTH, UNITS, MOVE_UNITS, INNER, LAST = 256, 128, 64, 128, 64

LAYERS: Dict[str, Shape] = {
    "state1": (WIDTH, STATE_FEATURES),
    "state2": (UNITS, WIDTH),
    "group1": (MOVE_UNITS, MOVE_FEATURES),
    "group2": (UNITS, MOVE_UNITS),
    "division1": (INNER, 2 * UNITS),
    "division2": (LAST, INNER),
    "division3": (1, LAST),
    "move1": (INNER, 3 * UNITS),
    "move2": (LAST, INNER),
    "move3": (1, LAST),
}
"""The layers: (out, in)."""
SHAPES: Dict[str, Shape] = {
    name + part: shape if part == ".weight" else shape[:1]
    for name, shape in LAYERS.items()
    for part in (".weight", ".bias")
}
"""The tensors, in torch's layout: (out, in)."""


class Judgement(NamedTuple):
    """The network's values of an offer."""

    divisions: List[float]
    """The value of each division."""
    division: int
    """The best one."""
    choices: List[int]
    """The places of the moves that it allows."""
    moves: List[float]
    """The value of each of these."""

    @property
    def best(self) -> int:
        """The place of the best move."""
        return self.choices[self.moves.index(max(self.moves))]
