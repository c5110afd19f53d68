"""Games of other packages have our lists of moves, ends and payments, but for the differences that are known."""

from collections import Counter
from importlib.util import find_spec

import pytest

from tests.rules.peer_games import PEERS, known_differences, play
from tests.support import require

pytestmark = pytest.mark.whole

PACKAGES = {"OpenSpiel": "pyspiel", "RLCard": "rlcard", "DouZero": "douzero"}


@pytest.mark.parametrize("name", PEERS)
def test_only_known_differences_are_met_and_each_of_them(name: str) -> None:
    require(find_spec(PACKAGES[name]), f"{PACKAGES[name]} (extra test-all)")
    met: Counter[str] = Counter()
    positions = sum(play(name, number, met) for number in range(200))
    assert positions > 8000
    assert {what for what, times in met.items() if times} == known_differences(name)
