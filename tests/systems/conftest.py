"""What all tests of other systems begin with."""

from pathlib import Path

import pytest

from tests.systems.made import made_wheels


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of each system, by its name."""
    return made_wheels(tmp_path_factory)
