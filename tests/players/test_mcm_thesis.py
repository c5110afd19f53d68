"""The network that the thesis' own search taught, as it ships: kernel, numpy and plain Python have the same one."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from ddzbot import kernel
from ddzbot.game import shuffled, start
from ddzbot.net.current import current_network
from ddzbot.net.mcm_cnn import SHAPES, McmNetwork
from ddzbot.net.packed import Packed
from ddzbot.players.mcm import SETTINGS
from ddzbot.rules import BOTZONE
from ddzbot.view import View
from tests.support import ROOT, find_python, require

FEATURES = SETTINGS["thesis"].features
VIEW = View.of(start(shuffled(BOTZONE, "thesis")), 0)

PLAIN = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.net.current import current_network
from ddzbot.rules import BOTZONE
from ddzbot.search.limit import Limit
from ddzbot.view import View
network = current_network(sys.argv[2], "botzone").network
digest = hashlib.sha256(b"".join(network.tensors[name].floats().tobytes() for name in sorted(network.tensors)))
decision = Engine("mcm:setting=thesis").choose(View.of(start(shuffled(BOTZONE, "thesis")), 0), Limit(playouts=20))
print(json.dumps([digest.hexdigest(), decision.player, [list(one) for one in decision.failures]]))
"""


def shipped() -> Packed:
    return require(
        current_network(FEATURES, "botzone", str(ROOT / "weights")).network, "the network of the thesis' teacher"
    )


@pytest.mark.usefixtures("with_kernel")
def test_kernel_and_numpy_value_moves_alike() -> None:
    moves = VIEW.legal_moves()
    native, numpy = (McmNetwork(shipped(), engine).values(VIEW, moves) for engine in (kernel.native(), None))
    assert native == pytest.approx(numpy, abs=1e-4)
    assert max(native) - min(native) > 0.1


@pytest.mark.parametrize("version", ["3.6", "here"])
def test_plain_python_reads_the_same_numbers_and_names_the_fallback(version: str) -> None:
    python = sys.executable if version == "here" else require(find_python(version), f"CPython {version}")
    command = [python, "-B", "-S", "-c", PLAIN, str(ROOT), FEATURES]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "DDZ_NO_KERNEL": "1", "DDZ_WEIGHTS": ""}
    )
    assert done.returncode == 0, done.stderr
    digest, player, failures = json.loads(done.stdout)
    tensors = shipped().tensors
    assert sorted(tensors) == sorted(SHAPES)
    assert digest == hashlib.sha256(b"".join(tensors[name].floats().tobytes() for name in sorted(SHAPES))).hexdigest()
    assert player == "rule"
    assert [player for player, _ in failures] == ["mcm:setting=thesis", "mcm:setting=thesis,search=none", "mctshs"]
    assert failures[1][1].startswith("no network: ") and "numpy" in failures[1][1]
