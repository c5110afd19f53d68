"""Clusters on this machine."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.dask_processes import Dask
from tests.support import require


@pytest.fixture(scope="session", autouse=True)
def distributed() -> None:
    require(importlib.util.find_spec("distributed"), "the package distributed")


@pytest.fixture(autouse=True)
def tested_kernel(with_kernel: None) -> None:
    """Lets this process find the kernel that its workers have."""


@pytest.fixture(scope="package")  # of a session it would idle until the last test of all
def shared(distributed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A scheduler for all tests that leave it alive."""
    with Dask(tmp_path_factory.mktemp("dask")) as dask:
        yield dask


@pytest.fixture
def two_workers(shared: Dask) -> Dask:
    """A cluster of two workers; a test that kills one need not start another."""
    shared.good_workers(2)
    return shared


@pytest.fixture
def own(distributed: None, tmp_path: Path) -> Iterator[Dask]:
    """A scheduler without workers, to do with as one likes."""
    with Dask(tmp_path) as dask:
        yield dask
