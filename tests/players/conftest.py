"""What the tests of players share: a kernel or none, and a folder of weights in which one network reigns."""

from pathlib import Path

import pytest

from ddzbot import kernel
from tests.support import kernel_path, require


@pytest.fixture
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players find the kernel."""
    path = require(kernel_path(), "a C compiler")
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_KERNEL": path}))


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players find no kernel."""
    monkeypatch.setattr(kernel, "_choice", kernel.choose({"DDZ_NO_KERNEL": "1"}))


@pytest.fixture
def reigns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Players find the weights of *folder*, a fixture of each file, and no others."""
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    return folder
