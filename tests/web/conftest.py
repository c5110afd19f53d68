"""The page without a server, made once for all tests."""

import shutil
from pathlib import Path

import pytest

from tests.support import made_once, require
from tools.shared.compiling import BuildError
from tools.tables.web.build import build_web


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of a version, as ``publish`` takes them."""
    return made_once(tmp_path_factory, "web", make)


def make(folder: Path) -> None:
    try:
        (version,) = build_web().glob("v-*")
    except BuildError as error:
        require(None, error.message)
        raise
    shutil.copytree(version, folder, dirs_exist_ok=True)
