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
from ddzbot.net import mcm_numpy
from ddzbot.net.mcm_cnn import SHAPES, McmNetwork
from ddzbot.net.mcm_features import layers, planes
from ddzbot.net.packed import Packed
from ddzbot.rules import Move
from ddzbot.view import View
from tests.net.models import random_network, random_tensors
from tests.net.positions import random_views
from tests.support import ROOT, find_python, require
from tools.release.weights_file import scaled_tensor, write
from tools.training.mcm.model import McmModel

pytestmark = pytest.mark.whole

# More threads than one only wait for each other here.
torch.set_num_threads(1)

POSITIONS = int(os.environ.get("DDZ_CNN_POSITIONS", "12"))
CLOSE = 1e-4


@pytest.fixture(params=["kernel", "numpy"])
def engine(request: pytest.FixtureRequest, kernel: Kernel) -> Kernel | None:
    return kernel if request.param == "kernel" else None


def torch_values(network: Packed, view: View, moves: list[Move]) -> list[float]:
    """What torch makes of the weights as they are in the file."""
    model = McmModel()
    tensors = {name: torch.frombuffer(tensor.floats(), dtype=torch.float32) for name, tensor in network.tensors.items()}
    model.load_state_dict({name: tensor.reshape(SHAPES[name]) for name, tensor in tensors.items()})
    words, kinds, landlord = zip(*(layers(view, move) for move in moves), strict=True)
    cells = planes(np.array(words, "u8"), np.array(kinds, "u1"), np.array(landlord, "u1"))
    with torch.no_grad():
        return [float(value) for value in model(torch.from_numpy(cells))]


def compare(network: Packed, engine: Kernel | None, views: list[View]) -> None:
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
def test_values_are_those_of_torch(engine: Kernel | None, rules: str) -> None:
    compare(random_network(), engine, random_views(5 * POSITIONS, rules)[::5])


def test_half_floats_and_scaled_integers_are_valued_as_they_were_packed(engine: Kernel | None) -> None:
    scaled = {name: scaled_tensor(values) for name, values in random_tensors().items()}
    for network in (random_network(dtype="float16"), random_network()._replace(tensors=scaled)):
        compare(network, engine, random_views(5))


def test_a_move_has_the_same_value_alone_and_among_others(engine: Kernel | None) -> None:
    view, network = random_views(1)[0], McmNetwork(random_network(), engine)
    moves = view.legal_moves()
    assert len(moves) > mcm_numpy.BATCH
    together = network.values(view, moves)[60:68]
    assert network.values(view, []) == []
    assert [network.values(view, [move])[0] for move in moves[60:68]] == pytest.approx(together, abs=1e-5)


@pytest.mark.parametrize("version", ["3.6", "here"])
def test_a_bare_python_values_with_the_kernel(tmp_path: Path, kernel: Kernel, version: str) -> None:
    python = sys.executable if version == "here" else require(find_python(version), f"CPython {version}")
    path = write(tmp_path, "mcm", random_network(dtype="float16"))
    program = (
        "from ddzbot.game import shuffled, start; from ddzbot.view import View\n"
        "from ddzbot.kernel import native; from ddzbot.net.mcm_cnn import LOADERS\n"
        "from ddzbot.rules import BOTZONE; view = View.of(start(shuffled(BOTZONE, 'test/0')), 0)\n"
        f"net = LOADERS['mcm-1'].load(native(), 'botzone', {str(path)!r}).net\n"
        "assert net.engine == 'kernel'; print(net.values(view, view.legal_moves()))"
    )
    environment = {**os.environ, "DDZ_KERNEL": kernel.library.path}
    command = [python, "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    view = random_views(1)[0]
    expected = torch_values(random_network(dtype="float16"), view, view.legal_moves())
    assert done.stdout, done.stderr
    assert list(map(float, done.stdout.strip("[]\n").split(", "))) == pytest.approx(expected, abs=CLOSE)
