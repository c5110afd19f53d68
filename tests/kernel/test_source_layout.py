"""The kernel's folders: who may include whom, and no file that includes itself by a detour."""

import re
from pathlib import Path

import pytest

from tools.release.build_kernel import SOURCES

# From the bottom up: a folder includes itself and what stands before it.
FOLDERS = ["include", "base", "rules", "split", "worlds", "tree", "solver", "net", "rollout", "cnn", "."]
FILES = sorted(SOURCES.rglob("*.[ch]"))


def included(path: Path) -> list[Path]:
    """Lists the files of the kernel that *path* includes, each named from the folder of the sources."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text("ascii"), re.M)
    return [SOURCES / name for name in names]


def folder_of(path: Path) -> str:
    return path.parent.relative_to(SOURCES).as_posix()


def test_every_folder_is_known() -> None:
    assert {folder_of(path) for path in FILES} == set(FOLDERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_includes_point_downward(path: Path) -> None:
    assert [name for name in included(path) if not name.exists()] == []
    level = FOLDERS.index(folder_of(path))
    assert [name for name in included(path) if FOLDERS.index(folder_of(name)) > level] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_no_file_includes_itself_by_a_detour(path: Path) -> None:
    reached, ahead = set[Path](), included(path)
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += included(name)
    assert path not in reached
