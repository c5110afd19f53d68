"""The kernel's convolutional network: one answer on every processor, and what it refuses. Torch is met in tests/net."""

from array import array
from collections.abc import Callable
from typing import Any

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.cnn import KernelNetwork, has_avx2
from ddzbot.kernel.codec import CNN_RECORD
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.net.mcm_cnn import SHAPES
from ddzbot.net.mcm_features import KIND_ROWS, layers
from ddzbot.net.mcm_numpy import NumpyNetwork
from ddzbot.rules import PASS
from tests.kernel.bench import Bench as Spoilt
from tests.net.models import random_network
from tests.net.positions import random_views
from tests.support import require_avx2


def all_weights() -> "array[float]":
    tensors, numbers = random_network().tensors, array("f")
    for name in SHAPES:
        numbers.extend(tensors[name].floats())
    return numbers


@pytest.mark.parametrize("avx2", [False, True])
def test_values_are_those_of_numpy(kernel: Kernel, avx2: bool) -> None:
    require_avx2(has_avx2(kernel.library) or not avx2)
    network, other = KernelNetwork(kernel.library, all_weights(), KIND_ROWS, avx2), NumpyNetwork(random_network())
    for view in random_views(30)[::6]:
        record, moves = layers(view, PASS), view.legal_moves()[:4]
        assert network.values(record, moves) == pytest.approx(other.values(record, moves), abs=1e-4)


def test_avx2_changes_no_bit(kernel: Kernel) -> None:
    require_avx2(has_avx2(kernel.library))
    one, other = (KernelNetwork(kernel.library, all_weights(), KIND_ROWS, avx2) for avx2 in (False, True))
    for view in random_views(60)[::3]:
        record, moves = layers(view, PASS), view.legal_moves()[:5]
        assert one.values(record, moves) == other.values(record, moves)


def test_what_stands_in_the_layer_of_the_move_is_not_looked_at(kernel: Kernel) -> None:
    network, view = KernelNetwork(kernel.library, all_weights(), KIND_ROWS), random_views(1)[0]
    moves = view.legal_moves()[:3]
    assert network.values(layers(view, moves[1]), moves) == network.values(layers(view, PASS), moves)


@pytest.mark.parametrize("count", [0, 1])
def test_weights_of_another_size_are_refused(kernel: Kernel, count: int) -> None:
    with pytest.raises(KernelError, match="ddz_cnn_init: bad index"):
        KernelNetwork(kernel.library, all_weights()[:-1] if count else all_weights() + array("f", [0]), KIND_ROWS)


@pytest.mark.parametrize("row", [0, 3, 14, 31])
def test_a_kind_shows_itself_in_rows_4_to_13_only(kernel: Kernel, row: int) -> None:
    with pytest.raises(KernelError, match="ddz_cnn_init: bad index"):
        KernelNetwork(kernel.library, all_weights(), {1: (row,)})


class Bench(Spoilt):
    """All memory of the calls here."""

    anywhere = (("ddz_cnn_values", 4),)

    def __init__(self, kernel: Kernel) -> None:
        network = KernelNetwork(kernel.library, all_weights(), KIND_ROWS)
        view = random_views(5)[4]
        network.values(layers(view, PASS), view.legal_moves()[:1])
        self.library = network.library
        self.network, self.work, self.record = network._network, network._work, network._record
        self.cards, self.kinds, self.values, self.rows = Memory(16), Memory(8), Memory(8), Memory(80)
        self.weights = all_weights()

    def good_calls(self) -> dict[str, list[Any]]:
        addresses = [memory.address for memory in (self.network, self.work, self.record, self.cards, self.kinds)]
        weights = self.weights.buffer_info()
        return {
            "ddz_cpu_avx2": [self.values.address],
            "ddz_cnn_values": [*addresses, 2, self.values.address],
            "ddz_cnn_init": [self.network.address, *weights, self.rows.address, 0],
            "ddz_cnn_layout": [self.rows.address, 3],
        }


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


@pytest.mark.parametrize(
    ("spoil", "status"),
    [
        (lambda bench: bench.cards.words().__setitem__(1, 5), "bad cards"),
        (lambda bench: bench.record.bytes.cast("Q").__setitem__(3, 1 << 60), "bad cards"),
        (lambda bench: bench.kinds.bytes.__setitem__(1, 19), "bad move"),
        (lambda bench: bench.record.bytes.__setitem__(29 * 8, 255), "bad move"),
        (lambda bench: bench.record.bytes.__setitem__(CNN_RECORD.size - 7, 2), "bad index"),
        (lambda bench: bench.network.words().__setitem__(0, 0), "bad rules"),
    ],
)
def test_what_cannot_be_is_refused(bench: Bench, spoil: Callable[[Bench], None], status: str) -> None:
    spoil(bench)
    assert bench.status("ddz_cnn_values", *bench.good_calls()["ddz_cnn_values"]) == status


def test_no_moves_write_no_values(bench: Bench) -> None:
    bench.values.words()[0] = 7
    arguments = bench.good_calls()["ddz_cnn_values"]
    assert bench.status("ddz_cnn_values", *arguments[:5], 0, arguments[6]) == "ok"
    assert bench.values.words()[0] == 7


def test_avx2_is_one_or_zero_and_only_where_the_processor_has_it(bench: Bench) -> None:
    arguments = bench.good_calls()["ddz_cnn_init"]
    assert bench.status("ddz_cnn_init", *arguments[:4], 2) == "bad index"


def test_a_network_that_was_refused_cannot_be_used(bench: Bench) -> None:
    arguments = bench.good_calls()["ddz_cnn_init"]
    assert bench.status("ddz_cnn_init", *arguments[:2], 7, *arguments[3:]) == "bad index"
    assert bench.status("ddz_cnn_values", *bench.good_calls()["ddz_cnn_values"]) == "bad rules"
