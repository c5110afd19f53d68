"""The network that values bids in numpy, many hands at once; :mod:`ddzbot.net.bid_net` describes it."""

from typing import Any, List, Sequence

from ddzbot.cards import Hand
from ddzbot.kernel.bid_records import BENT, HIDDEN, INNER, LARGEST, WEIGHT_ONE, BidParameters, BidWorth
from ddzbot.net.bid_net import features
from ddzbot.rules import RuleSet

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]


class BidNumpy:
    """
    The network in numpy. For example ``BidNumpy(parameters).worths(rules, hands, (0, 1))``.

    :raises ImportError: without numpy.
    """

    def __init__(self, parameters: BidParameters) -> None:
        if np is None:
            raise ImportError("there is no numpy")
        arrays = {name: np.array(numbers, np.int64) for name, numbers in parameters._asdict().items()}
        self._first = arrays["first"].reshape(-1, HIDDEN)
        self._first_bias = arrays["first_bias"]
        self._layers = [
            (arrays["second"].reshape(INNER, HIDDEN).T, arrays["second_bias"]),
            (arrays["third"].reshape(INNER, INNER).T, arrays["third_bias"]),
        ]
        self._last = (arrays["last"].reshape(-1, INNER).T, arrays["last_bias"])

    def worths(self, rules: RuleSet, hands: Sequence[Hand], bids: Sequence[int]) -> List[BidWorth]:
        """Values the bids of all *hands* after the earlier *bids*."""
        units = _bent(np.array([self._first[features(rules, hand, bids)].sum(0) for hand in hands]) + self._first_bias)
        for matrix, biases in self._layers:
            units = _bent(units.dot(matrix) // WEIGHT_ONE + biases)
        matrix, biases = self._last
        heads = _bounded(units.dot(matrix) // WEIGHT_ONE + biases)
        return [BidWorth(tuple(row)) for row in heads.tolist()]


def _bounded(totals: Any) -> Any:
    return np.clip(totals, -LARGEST, LARGEST)


def _bent(totals: Any) -> Any:
    return _bounded(np.where(totals >= 0, totals, totals // BENT))
