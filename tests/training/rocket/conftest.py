"""What several files of tests look at, made once."""

from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from tests.training.rocket.some_games import write_games


@pytest.fixture(scope="session")
def shards(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shards of 40 games; no test changes them."""
    return write_games(tmp_path_factory.mktemp("rocket") / "shards")
