"""Inference without torch: kernel and numpy give what torch gives. DDZ_CNN_POSITIONS=1000 asks for that many views."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from ddzbot.kernel.binding import Kernel
from ddzbot.less_split import candidates
from ddzbot.net import mcm_cnn, mcm_numpy
from ddzbot.net.mcm_cnn import SHAPES, McmNetwork, load
from ddzbot.net.mcm_features import layers, planes
from ddzbot.net.packed import Packed, WeightsError
from ddzbot.rules import Move
from ddzbot.view import View
from tests.net.models import random_network, random_tensors
from tests.net.networks import small_network
from tests.net.positions import random_views
from tests.support import ROOT, find_python, require
from tools.release.weights_file import crown, scaled_tensor, write
from tools.training.mcm.mcm_model import McmModel

pytestmark = pytest.mark.whole

# More threads than one only wait for each other here.
torch.set_num_threads(1)

POSITIONS = int(os.environ.get("DDZ_CNN_POSITIONS", "12"))
CLOSE = 1e-4


@pytest.fixture(params=["kernel", "numpy"])
def engine(request: pytest.FixtureRequest, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(mcm_cnn, "native", lambda: kernel)
    return str(request.param)


def torch_values(network: Packed, view: View, moves: list[Move]) -> list[float]:
    """What torch makes of the weights as they are in the file."""
    model = McmModel()
    tensors = {name: torch.frombuffer(tensor.floats(), dtype=torch.float32) for name, tensor in network.tensors.items()}
    model.load_state_dict({name: tensor.reshape(SHAPES[name]) for name, tensor in tensors.items()})
    words, kinds, landlord = zip(*(layers(view, move) for move in moves), strict=True)
    cells = planes(np.array(words, "u8"), np.array(kinds, "u1"), np.array(landlord, "u1"))
    with torch.no_grad():
        return [float(value) for value in model(torch.from_numpy(cells))]


def compare(network: Packed, engine: str, views: list[View]) -> None:
    ours, spread = McmNetwork(network, engine), 0.0
    for view in views:
        moves = candidates(view.rules, view.hand, view.to_beat)
        expected = torch_values(network, view, moves)
        spread = max(spread, max(expected) - min(expected))
        assert ours.values(view, moves) == pytest.approx(expected, abs=CLOSE)
    assert spread > 100 * CLOSE  # else equal values would prove nothing


def test_the_model_has_the_tensors_of_the_architecture() -> None:
    assert {name: tuple(tensor.shape) for name, tensor in McmModel().state_dict().items()} == SHAPES


def test_the_model_values_each_record_with_one_number() -> None:
    assert McmModel()(torch.zeros((3, 29, 15, 15), dtype=torch.uint8)).shape == (3,)


@pytest.mark.parametrize("rules", ["botzone", "mini"])
def test_values_are_those_of_torch(engine: str, rules: str) -> None:
    compare(random_network(), engine, random_views(5 * POSITIONS, rules)[::5])


def test_half_floats_and_scaled_integers_are_valued_as_they_were_packed(engine: str) -> None:
    scaled = {name: scaled_tensor(values) for name, values in random_tensors().items()}
    for network in (random_network(dtype="float16"), random_network()._replace(tensors=scaled)):
        compare(network, engine, random_views(5))


def test_a_move_has_the_same_value_alone_and_among_others(engine: str) -> None:
    view, network = random_views(1)[0], McmNetwork(random_network(), engine)
    moves = view.legal_moves()
    assert len(moves) > mcm_numpy.BATCH
    together = network.values(view, moves)[60:68]
    assert network.values(view, []) == []
    assert [network.values(view, [move])[0] for move in moves[60:68]] == pytest.approx(together, abs=1e-5)


def test_without_kernel_and_numpy_there_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcm_cnn, "native", lambda: None)
    monkeypatch.setattr(mcm_numpy, "np", None)
    with pytest.raises(WeightsError, match="cannot run: there is no kernel; there is no numpy"):
        McmNetwork(random_network())


@pytest.mark.parametrize(
    ("network", "fault"),
    [
        (random_network()._replace(features="mcm-2"), "the features are mcm-2, not mcm-1"),
        (random_network()._replace(architecture="mcm-cnn-2"), "the architecture is mcm-cnn-2"),
        (small_network(architecture="mcm-cnn-1"), "tensor conv1.weight is missing"),
    ],
)
def test_another_network_is_refused(network: Packed, fault: str) -> None:
    with pytest.raises(WeightsError, match=fault):
        McmNetwork(network)


def test_the_reigning_network_is_loaded(tmp_path: Path, engine: str) -> None:
    path = write(tmp_path, "mcm", random_network())
    assert load("botzone", str(tmp_path)).network is None
    crown(path, "botzone")
    loaded = load("botzone", str(tmp_path))
    assert loaded.network is not None
    assert loaded.description == f"{path.name}, kernel"


def test_a_network_that_cannot_run_is_not_loaded(tmp_path: Path) -> None:
    crown(write(tmp_path, "mcm", small_network()), "botzone")
    loaded = load("botzone", str(tmp_path))
    assert loaded.network is None
    assert "the architecture is test-1, not mcm-cnn-1" in loaded.description


@pytest.mark.parametrize("version", ["3.6", "here"])
def test_a_bare_python_values_with_the_kernel(tmp_path: Path, kernel: Kernel, version: str) -> None:
    python = sys.executable if version == "here" else require(find_python(version), f"CPython {version}")
    crown(write(tmp_path, "mcm", random_network(dtype="float16")), "botzone")
    program = (
        "from ddzbot.game import shuffled, start; from ddzbot.net.mcm_cnn import load; from ddzbot.view import View\n"
        "from ddzbot.rules import BOTZONE; view = View.of(start(shuffled(BOTZONE, 'test/0')), 0)\n"
        f"print(load('botzone', {str(tmp_path)!r}).network.values(view, view.legal_moves()))"
    )
    environment = {**os.environ, "DDZ_KERNEL": kernel.library.path}
    command = [python, "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    view = random_views(1)[0]
    expected = torch_values(random_network(dtype="float16"), view, view.legal_moves())
    assert done.stdout, done.stderr
    assert list(map(float, done.stdout.strip("[]\n").split(", "))) == pytest.approx(expected, abs=CLOSE)
