"""What several files of tests look at, made once."""

from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel


@pytest.fixture(scope="session")
def shards(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shards of 40 games; no test changes them."""
    # They need torch, and `make test` imports this file without it.
    from tests.training.rocket.some_games import write_games

    return write_games(tmp_path_factory.mktemp("rocket") / "shards")
