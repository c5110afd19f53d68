"""Speed of the fast network: self-play of a network of random numbers, always the same."""

import random
import time
from array import array

from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, SeatParameters
from ddzbot.rules import RuleSet

from ...training.champion.games import Exploration, play_unit

UNITS = 256
"""Those of the first layer."""


def random_seat(generator: random.Random) -> SeatParameters:
    """Makes the parameters of one seat, about as large as trained ones are."""

    def integers(code: str, count: int, largest: int) -> bytes:
        return array(code, [generator.randint(-largest, largest) for _ in range(count)]).tobytes()

    def floats(count: int, largest: float) -> bytes:
        return array("f", [generator.uniform(-largest, largest) for _ in range(count)]).tobytes()

    return SeatParameters(
        first=integers("h", FEATURES * UNITS, 400),
        first_bias=integers("h", UNITS, 400),
        second=integers("b", INNER * UNITS, 60),
        second_scale=array("f", [1 / 25000] * INNER).tobytes(),
        second_bias=floats(INNER, 0.1),
        third=floats(INNER * INNER, 0.5),
        third_bias=floats(INNER, 0.1),
        last=floats(HEADS * INNER, 0.1),
        last_bias=floats(HEADS, 0.1),
    )


def random_net(kernel: Kernel, seed: int) -> FastNet:
    """Makes a network of random numbers."""
    generator = random.Random(seed)
    return FastNet(kernel, [random_seat(generator) for _ in range(SEATS)])


def selfplay(kernel: Kernel, rules: RuleSet, games: int, repeats: int) -> tuple[float, int]:
    """Plays *games* by one thread; gets the best of *repeats*: moves valued a second; and how many."""
    net, best, values = random_net(kernel, 1), float("inf"), 0
    for _ in range(repeats):
        before = time.perf_counter()
        values = play_unit(net, rules, Exploration(), games, 1)[1].values
        best = min(best, time.perf_counter() - before)
    return values / best, values
