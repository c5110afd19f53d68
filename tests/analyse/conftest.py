"""What the tests of the analysis share: the network that is current or none."""

from pathlib import Path

import pytest

from ddzbot.net import fast_net
from tests.support import require


@pytest.fixture
def with_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks of weights/ are found."""
    monkeypatch.delenv("DDZ_WEIGHTS", raising=False)
    require(fast_net.LOADER.load(None, "botzone").net, "a fast network that is current under botzone")


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network is found."""
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
