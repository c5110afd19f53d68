"""What the tests of players share: a folder of weights in which random networks of each player are current."""

from pathlib import Path

import pytest

from ddzbot.rules import RULE_SETS
from tests.net import cql_models, fast_models, models, rocket_models
from tools.release.weights_file import promote, write


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights in which one random network of each player is current under every rule set."""
    folder = tmp_path_factory.mktemp("weights")
    networks = {
        "fast": fast_models.random_network(),
        "mcm": models.random_network(),
        "cql": cql_models.random_network(),
        "rocket": rocket_models.random_rocket(dtype="float16"),
    }
    for prefix, network in networks.items():
        path = write(folder, prefix, network)
        for rules in RULE_SETS:
            promote(path, rules)
            if prefix == "mcm":
                promote(path, rules, "thesis")
    return folder


@pytest.fixture
def networks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Players find the weights of *folder*, which a file may have of its own, and no others."""
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    return folder
