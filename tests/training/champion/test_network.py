"""The network in torch: the kernel computes the same, and its sparse first layer is a dense one with its gradient."""

from pathlib import Path

import click
import numpy as np
import pytest
import torch

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import AVX2, PORTABLE, FastNet, codes_of
from ddzbot.kernel.fast_records import FEATURES, sizes_of
from ddzbot.kernel.library import KernelError
from ddzbot.net import fast_net
from ddzbot.net.packed import Packed, Tensor, WeightsError, read
from tests.net.positions import random_views
from tests.support import require_avx2
from tests.training.champion.some_samples import dense, samples_of, some_samples
from tools.release import weights_file
from tools.release.weights_file import float_tensor, integer_tensor
from tools.training.champion.network import ChampionNet, RowSource, SeatNet
from tools.training.champion.pack import packed_net, read_origin, tensors_of

pytestmark = pytest.mark.whole

CLOSE = 0.003
"""Rounding to integers costs at most 0.0014 on these positions, where values have a standard deviation of 0.03."""


UNITS = 256


def seeded_net(seed: int = 1) -> ChampionNet:
    torch.manual_seed(seed)
    return ChampionNet(UNITS)


def seeded_seat(seat: int = 0) -> SeatNet:
    found = seeded_net().seats[seat]
    assert isinstance(found, SeatNet)
    return found


def gradients(net: SeatNet) -> dict[str, torch.Tensor]:
    return {name: parameter.grad.clone() for name, parameter in net.named_parameters() if parameter.grad is not None}


@pytest.fixture(params=["portable", "avx2"])
def source(request: pytest.FixtureRequest, kernel: Kernel) -> RowSource:
    code = AVX2 if request.param == "avx2" else PORTABLE
    require_avx2(code == PORTABLE or AVX2 in codes_of(kernel.library))
    return RowSource(kernel.library, code)


def everything(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    return np.arange(count, dtype=np.uint32)


# Torch and the kernel.


def test_the_kernel_values_moves_as_torch_does(kernel: Kernel, source: RowSource) -> None:
    net = seeded_net()
    fast = FastNet(kernel, net.parameters_for_kernel())
    theirs, ours = [], []
    for view in random_views(60)[::3]:
        worths = fast.values(view)[::4]
        samples = samples_of([(view, worth.move) for worth in worths])
        with torch.no_grad():
            theirs.append(net.seats[view.seat](source, samples, everything(len(worths))).numpy())
        ours.append(np.array([worth[1:] for worth in worths]))
    error, spread = np.abs(np.concatenate(theirs) - np.concatenate(ours)), np.concatenate(ours).std(axis=0)
    assert error.max() < CLOSE
    assert spread.min() > 5 * CLOSE  # else equal values would prove nothing


def test_weights_that_are_too_large_become_the_largest_integers() -> None:
    net = SeatNet(UNITS)
    with torch.no_grad():
        net.first[0, 0], net.first[0, 1], net.second.weight[3] = 100.0, -100.0, 0.0
    seat = net.parameters_for_kernel()
    assert np.frombuffer(seat.first, "i2")[:2].tolist() == [32767, -32768]
    assert set(np.frombuffer(seat.second, "i1").reshape(32, UNITS)[3]) == {0}
    assert list(map(len, seat)) == list(sizes_of(UNITS).values())


# The first layer.


def test_sums_are_those_of_the_rows_that_are_named(source: RowSource) -> None:
    samples, net = some_samples(), seeded_seat(1)
    which = np.array([5, 0, 59, 5, 17], np.uint32)
    sums = source.sums(samples, which, net.first.detach(), net.first_bias.detach()).numpy()
    expected = dense(samples)[which] @ net.first.detach().numpy() + net.first_bias.detach().numpy()
    assert sums == pytest.approx(expected, abs=1e-5)


def test_the_gradient_of_the_rows_is_added_up_from_the_samples(source: RowSource) -> None:
    samples = some_samples()
    which = np.array([5, 0, 59, 5, 17], np.uint32)
    slopes = torch.from_numpy(np.random.default_rng(1).normal(size=(5, UNITS)).astype("f4"))
    expected, rows = np.zeros((FEATURES, UNITS), "f4"), dense(samples)
    for slope, index in zip(slopes.numpy(), which, strict=True):
        np.add.at(expected, np.flatnonzero(rows[index]), slope)
    assert source.spread(samples, which, slopes).numpy() == pytest.approx(expected, abs=1e-6)


def test_a_single_sample_is_summed_as_among_others(source: RowSource) -> None:
    samples, weights, bias = some_samples(4), torch.randn(FEATURES, UNITS), torch.randn(UNITS)
    together = source.sums(samples, everything(4), weights, bias)
    assert torch.equal(source.sums(samples, everything(4)[2:3], weights, bias), together[2:3])


def test_no_samples_have_no_sums_and_no_gradient(source: RowSource) -> None:
    samples, none = some_samples(3), np.empty(0, np.uint32)
    assert source.sums(samples, none, torch.ones(FEATURES, UNITS), torch.ones(UNITS)).shape == (0, UNITS)
    assert not source.spread(samples, none, torch.empty(0, UNITS)).any()


def test_the_gradient_of_a_seat_is_that_of_a_dense_network(source: RowSource) -> None:
    samples, net = some_samples(), seeded_seat()
    net(source, samples, everything(60)).square().sum().backward()
    sparse = gradients(net)
    net.zero_grad()
    net.heads(torch.from_numpy(dense(samples)) @ net.first + net.first_bias).square().sum().backward()  # type: ignore[no-untyped-call]
    assert len(sparse) == 8
    for name, slopes in gradients(net).items():
        assert torch.allclose(sparse[name], slopes, rtol=1e-4, atol=1e-5), name
        assert slopes.abs().max() > 0, name


@pytest.mark.parametrize("code", [2, 1 << 31])
def test_a_code_that_does_not_exist_is_refused(kernel: Kernel, code: int) -> None:
    source, samples = RowSource(kernel.library, code), some_samples(3)
    with pytest.raises(KernelError, match="ddz_rows_sum: bad index"):
        source.sums(samples, everything(3), torch.ones(FEATURES, UNITS), torch.ones(UNITS))
    with pytest.raises(KernelError, match="ddz_rows_spread: bad index"):
        source.spread(samples, everything(3), torch.ones(3, UNITS))


# Files.


STATE = {
    "rules": "botzone",
    "games": 1000,
    "seed": 7,
    "objective": "wp",
    "rivals": [],
    "teachers": [],
    "auction": False,
    "origin": None,
    "rate_games": 0,
    "shards": 1,
}


def packed(seed: int = 1) -> Packed:
    return packed_net(seeded_net(seed), STATE, {"gate": "none"})


def test_a_file_has_the_network_that_was_packed(kernel: Kernel, tmp_path: Path) -> None:
    path = weights_file.write(tmp_path, "fast", packed())
    ours, theirs = (
        fast_net.build_network(kernel, read(str(path))),
        FastNet(kernel, seeded_net().parameters_for_kernel()),
    )
    for view in random_views(30)[::5]:
        for one, other in zip(ours.values(view), theirs.values(view), strict=True):
            assert one[1:] == pytest.approx(other[1:], abs=1e-5)  # a scale is stored times 127


@pytest.mark.parametrize("units", [256, 512])
def test_a_packed_network_can_be_begun_with(tmp_path: Path, units: int) -> None:
    torch.manual_seed(3)
    first = packed_net(ChampionNet(units), STATE, {})
    net, about = read_origin(weights_file.write(tmp_path, "fast", first))
    assert (net.units, about) == (units, {"rules": "botzone", "games": 1000})
    again = packed_net(net, STATE, {})
    for name, tensor in first.tensors.items():
        assert bytes(tensor.data) == bytes(again.tensors[name].data), name


def test_what_is_no_packed_network_cannot_be_begun_with(tmp_path: Path) -> None:
    (tmp_path / "fast-0123456789ab.ddzw").write_bytes(b"nothing")
    with pytest.raises(click.ClickException, match=r"fast-0123456789ab\.ddzw: "):
        read_origin(tmp_path / "fast-0123456789ab.ddzw")


def test_a_file_says_how_the_network_was_made() -> None:
    assert packed().description == {
        "data": {"games": 1000, "self_play_seed": 7},
        "command": "python -m tools train learn champion FOLDER --count 1000 --rules botzone --objective wp --seed 7",
        "results": {"gate": "none"},
    }


def test_a_file_names_the_networks_of_the_league_without_their_folders() -> None:
    league = {"rivals": ["quick", "/home/li/nets/fast-7d2b829f784a.ddzw"], "share": 0.25}
    description = packed_net(seeded_net(1), {**STATE, **league}, {}).description
    assert description["command"].endswith("--seed 7 --rival quick --rival fast-7d2b829f784a.ddzw --share 0.25")


def test_without_a_kernel_the_file_makes_the_same_network_in_python(kernel: Kernel) -> None:
    reference, view = fast_net.build_network(None, packed()), random_views(9)[8]
    ours = [worth.win for worth in reference.values(view)]
    assert ours == pytest.approx(
        [worth.win for worth in fast_net.build_network(kernel, packed()).values(view)], abs=1e-5
    )


def without(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    return {key: tensor for key, tensor in tensors.items() if key != name}


@pytest.mark.parametrize(
    ("name", "tensor", "fault"),
    [
        ("landlord.third", None, "tensor landlord.third is missing"),
        ("landlord.fourth", float_tensor(np.zeros(2)), "has no tensor landlord.fourth"),
        ("landlord_up.last", float_tensor(np.zeros((2, 31))), "landlord_up.last has shape"),
        ("landlord.first_bias", float_tensor(np.zeros(256)), "landlord.first_bias cannot be float32"),
        ("landlord.last_bias", float_tensor(np.zeros(2), "float16"), "landlord.last_bias cannot be float16"),
        ("landlord.second", integer_tensor(np.zeros((32, 256), "i1"), "int8"), "landlord.second has no scale"),
    ],
)
def test_a_file_with_another_tensor_is_refused(name: str, tensor: Tensor | None, fault: str) -> None:
    tensors = without(tensors_of(seeded_net().parameters_for_kernel()), name)
    if tensor is not None:
        tensors[name] = tensor
    with pytest.raises(WeightsError, match=fault):
        fast_net.build_network(None, packed()._replace(tensors=tensors))


def test_a_file_of_another_architecture_is_refused() -> None:
    with pytest.raises(WeightsError, match="the architecture is fast-1024, not fast-896-256-32-32-bent"):
        fast_net.build_network(None, packed()._replace(architecture="fast-1024"))
