"""What the tests of players share: a folder of weights in which one network reigns."""

from pathlib import Path

import pytest


@pytest.fixture
def reigns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Players find the weights of *folder*, a fixture of each file, and no others."""
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    return folder
