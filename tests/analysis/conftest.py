"""What the tests of the analysis share: a kernel or none, and the network that reigns or none."""

from pathlib import Path

import pytest

from ddzbot import kernel
from ddzbot.net.fast_net import reigning_net
from tests.support import kernel_path, require


@pytest.fixture
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is found."""
    path = require(kernel_path(), "a C compiler")
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_KERNEL": path}))


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernel is found."""
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_NO_KERNEL": "1"}))


@pytest.fixture
def with_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network of rules botzone is found."""
    monkeypatch.delenv("DDZ_WEIGHTS", raising=False)
    require(reigning_net(None, "botzone").net, "a fast network that reigns under botzone")


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network is found."""
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
