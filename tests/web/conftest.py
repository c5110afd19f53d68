"""The page without a server, made once for all tests."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from tests.support import require
from tools.shared.compiling import BuildError
from tools.tables.web.build import build_web


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of a version, as ``publish`` takes them, made by the first worker that asks for them."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with open(shared / "web.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "web").exists():
            try:
                (version,) = build_web().glob("v-*")
            except BuildError as error:
                require(None, error.message)
                raise
            shutil.copytree(version, shared / "web-unfinished")
            (shared / "web-unfinished").rename(shared / "web")
    return shared / "web"
