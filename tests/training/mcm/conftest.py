"""What several files of tests look at, made once."""

import pytest

from ddzbot.kernel.binding import Kernel
from tools.training.mcm.dataset import McmSamples


@pytest.fixture(scope="session")
def records(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> McmSamples:
    """The records of 40 games; no test changes them."""
    # They need torch, and `make test` imports this file without it.
    from tests.training.mcm.some_records import some_records

    return some_records(tmp_path_factory.mktemp("shards"), kernel)
