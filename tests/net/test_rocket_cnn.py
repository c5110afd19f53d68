"""The networks of DeepRocket without torch: numpy gives what torch gives. DDZ_ROCKET_STATES=1000 asks for that many."""

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from ddzbot.cards import parse_hand
from ddzbot.game import shuffled
from ddzbot.net import rocket_bidder
from ddzbot.net.current import current_network
from ddzbot.net.packed import Packed, read
from ddzbot.net.rocket_bidder import INPUTS, Bidder, inputs_of
from ddzbot.net.rocket_cnn import ARCHITECTURE, SHAPES, RocketNetworks
from ddzbot.net.rocket_features import planes, state_arrays, state_of
from ddzbot.net.rocket_kickers import kicker_columns, kicker_planes, kicker_question
from ddzbot.net.rocket_moves import KICKERS, OUTPUTS, kicker_output
from ddzbot.rules import BOTZONE2
from tests.net.positions import random_views
from tests.net.rocket_models import random_bidder, random_rocket
from tools.training.rocket.models import NETWORKS

pytestmark = pytest.mark.whole

# More threads than one only wait for each other here.
torch.set_num_threads(1)

STATES = int(os.environ.get("DDZ_ROCKET_STATES", "8"))
CLOSE = 1e-4


def in_torch(packed: Packed, network: str) -> torch.nn.Module:
    """A network of a file in torch, with the weights as they are in the file."""
    model = NETWORKS[network]()
    prefix = "" if network == "bidder" else network + "."
    model.load_state_dict(
        {
            name[len(prefix) :]: torch.frombuffer(tensor.floats(), dtype=torch.float32).reshape(tensor.shape)
            for name, tensor in packed.tensors.items()
            if name.startswith(prefix)
        }
    )
    return model


def current_file(features: str = "rocket-2") -> Packed:
    packed, why = current_network(features, "botzone2")
    assert packed is not None, why
    return packed


@pytest.mark.parametrize("which", ["random", "float16", "current"])
def test_numpy_finds_what_torch_finds(which: str) -> None:
    packed = current_file() if which == "current" else random_rocket(dtype="float32" if which == "random" else which)
    ours, policy, kicker = RocketNetworks(packed), in_torch(packed, "policy"), in_torch(packed, "kicker")
    states = [state_of(view) for view in random_views(3 * STATES)[::3]]
    spread = 0.0
    for state in states:
        with torch.no_grad():
            expected = policy(torch.from_numpy(planes(state_arrays([state]))))[0].numpy()
        assert np.abs(np.array(ours.policy(state)) - expected).max() < CLOSE
        spread = max(spread, float(expected.max() - expected.min()))
        for main in [main for main in state.legal if main.kickers][:1]:
            choice = main.choice(state.hand)
            with torch.no_grad():
                cells = kicker_planes(kicker_columns([kicker_question(state, main, choice, [])]))
                logits = kicker(torch.from_numpy(cells))[0].numpy()
            assert np.abs(ours._worker.kicker(cells)[0] - logits).max() < CLOSE
            chosen = ours.kicker(state, main, choice, [])
            assert logits[kicker_output(chosen)] > max(logits[kicker_output(one)] for one in choice) - CLOSE
    assert spread > 100 * CLOSE  # else equal logits would prove nothing


@pytest.mark.parametrize("which", ["random", "current"])
def test_the_bidder_answers_what_torch_answers(which: str) -> None:
    packed = current_file("yesno-1") if which == "current" else random_bidder()
    bidder, model = Bidder(packed), in_torch(packed, "bidder")
    for number in range(20):
        hand = shuffled(BOTZONE2, f"test/rocket/{number}").hands[0]
        inputs = torch.zeros(1, INPUTS)
        inputs[0, inputs_of(BOTZONE2, hand)] = 1
        with torch.no_grad():
            assert bidder.logit(BOTZONE2, hand) == pytest.approx(float(model(inputs)[0]), abs=CLOSE)


def test_the_current_bidder_knows_a_good_hand() -> None:
    bidder = Bidder(current_file("yesno-1"))
    strong, weak = (parse_hand(text) for text in ("34556789TJQKA22LB", "3345568899TJJKKA2"))
    assert bidder.logit(BOTZONE2, strong) > 1 > 0 > bidder.logit(BOTZONE2, weak)


def test_the_models_have_the_tensors_of_the_architecture() -> None:
    ours = {name: {key: tuple(t.shape) for key, t in kind().state_dict().items()} for name, kind in NETWORKS.items()}
    assert ours["bidder"] == rocket_bidder.SHAPES
    assert {f"{name}.{key}": ours[name][key] for name in ("policy", "kicker") for key in ours[name]} == SHAPES
    assert (SHAPES["policy.full.weight"][0], SHAPES["kicker.full.weight"][0]) == (len(OUTPUTS), KICKERS) == (309, 28)
    layers = [name for name in SHAPES if name.endswith("weight") and SHAPES[name][2:] == (3, 3)]
    assert [sum(name.startswith(network) for name in layers) for network in ("policy", "kicker")] == [10, 5]


def test_the_current_files_are_small_enough() -> None:
    files = [Path(current_file(features).path) for features in ("rocket-2", "yesno-1")]
    assert sum(file.stat().st_size for file in files) < 2_500_000
    assert [read(str(file)).architecture for file in files] == [ARCHITECTURE, rocket_bidder.ARCHITECTURE]
