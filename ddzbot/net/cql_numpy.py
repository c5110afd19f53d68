"""The network of CQL in numpy; :mod:`ddzbot.net.cql_layers` describes it. Importable without numpy."""

from typing import Any, List

from ddzbot.net.cql_divisions import Offer
from ddzbot.net.cql_features import Facts, move_features, state_features
from ddzbot.net.cql_layers import ARCHITECTURE, SHAPES, UNITS, Judgement
from ddzbot.net.packed import Packed

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]


class CqlNumpy:
    """
    The network in numpy, float32.

    :raises ImportError: without numpy.
    :raises WeightsError: for the weights of another network.
    """

    name = "numpy"

    def __init__(self, packed: Packed) -> None:
        if np is None:
            raise ImportError("there is no numpy")
        packed.expect(ARCHITECTURE, SHAPES)
        self._arrays = {
            key: np.frombuffer(tensor.floats(), np.float32).reshape(tensor.shape).T.copy()
            for key, tensor in packed.tensors.items()
        }

    def judge(self, facts: Facts, offer: Offer) -> Judgement:
        """Values the divisions of an offer, and the moves of the best one."""
        sums = self._arrays["state1.weight"][state_features(facts)].sum(0) + self._arrays["state1.bias"]
        state = self._layer("state2", np.maximum(sums, 0))
        rows = [self._arrays["group1.weight"][move_features(move)].sum(0) for move in offer.moves]
        groups = self._layer("group2", np.maximum(np.stack(rows) + self._arrays["group1.bias"], 0))
        pooled = np.stack([groups[list(own)].max(0) for own in offer.divisions])
        divisions = self._values("division", state, pooled)
        best = divisions.index(max(divisions))
        choices = offer.choices(best)
        shared = np.concatenate((state, pooled[best]))
        return Judgement(divisions, best, choices, self._values("move", shared, groups[choices]))

    def _layer(self, name: str, units: Any) -> Any:
        return np.maximum(units @ self._arrays[name + ".weight"] + self._arrays[name + ".bias"], 0)

    def _values(self, stage: str, shared: Any, own: Any) -> List[float]:
        """Values rows, whose first units are all *shared* and whose last ones are their *own*."""
        weight = self._arrays[stage + "1.weight"]
        sums = own @ weight[-UNITS:] + shared @ weight[:-UNITS] + self._arrays[stage + "1.bias"]
        units = self._layer(stage + "2", np.maximum(sums, 0))
        values: List[float] = (units @ self._arrays[stage + "3.weight"] + self._arrays[stage + "3.bias"])[:, 0].tolist()
        return values
