"""The kernel's files: folders that include downward, a header a folder, and no two files that need each other."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tools.shared.compiling import SOURCES

# From the bottom up: a folder includes itself and what stands before it.
FOLDERS = ["include", "base", "rules", "split", "worlds", "tree", "solver", "net", "rollout", "cnn", "env", "python"]
FOLDERS.append(".")
FILES = sorted(SOURCES.rglob("*.[ch]"))
HEADERS = sorted(path for path in FILES if path.suffix == ".h" and path.parent.name != "include")
TEMPLATES = {SOURCES / "cnn" / "cnn_convolve.h"}
"""What one file of C includes more than once."""
# What stands before the name that a header or a file of C gives to others.
WORDS = r"(?!static|typedef|ALWAYS_INLINE|WITH_AVX)\w[\w *]*?\b"


def included(path: Path) -> list[Path]:
    """Lists the files of the kernel that *path* includes, each named from the folder of the sources."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text("ascii"), re.M)
    return [SOURCES / name for name in names]


def folder_of(path: Path) -> str:
    return path.parent.relative_to(SOURCES).as_posix()


def test_every_folder_is_known() -> None:
    assert {folder_of(path) for path in FILES} == set(FOLDERS)


def test_a_folder_has_at_most_one_header_which_all_its_files_include() -> None:
    for header in set(HEADERS) - TEMPLATES:
        assert header.stem == "parts"
        assert [path for path in sources() if path.parent == header.parent and header not in included(path)] == []


def test_includes_point_downward() -> None:
    includes = [(path, name) for path in FILES for name in included(path)]
    assert [pair for pair in includes if not pair[1].exists()] == []
    assert [pair for pair in includes if FOLDERS.index(folder_of(pair[1])) > FOLDERS.index(folder_of(pair[0]))] == []
    assert [path for path in HEADERS if path in included(path)] == []


@pytest.mark.parametrize("header", sorted(set(HEADERS) - TEMPLATES), ids=lambda path: path.parent.name)
def test_a_header_declares_what_one_file_defines_and_another_one_uses(header: Path) -> None:
    beside = {path: defined(path) for path in sources() if path.parent == header.parent}
    for name in declared(header):
        (home,) = (path for path, names in beside.items() if name in names)
        inline = re.findall(rf"\b{name}\(", code_of(header))[1:]
        assert inline or any(name in words(path) for path in sources() if path != home), name
    for path, names in beside.items():
        assert {name for name in names if not name.startswith("ddz_")} <= declared(header), path


def test_no_two_files_of_a_folder_need_each_other() -> None:
    for folder in {path.parent for path in sources()}:
        beside = {path: defined(path) for path in sources() if path.parent == folder}
        graph = {
            path.name: {other.name for other, names in beside.items() if other != path and names & words(path)}
            for path in beside
        }
        TopologicalSorter(graph).prepare()


def sources() -> list[Path]:
    return [path for path in FILES if path.suffix == ".c"]


def declared(path: Path) -> set[str]:
    """Lists the functions and the data that a header promises; what is inline there is no promise."""
    functions = re.findall(rf"^{WORDS}(\w+)\([^{{}};]*\);", code_of(path), re.M)
    return set(functions) | set(re.findall(rf"^extern {WORDS}(\w+);", code_of(path), re.M))


def defined(path: Path) -> set[str]:
    """Lists the functions and the data of a file of C that other files may use."""
    return set(re.findall(rf"^{WORDS}(\w+)(?:\([^{{}};]*\)\s*{{| = )", code_of(path), re.M))


def words(path: Path) -> set[str]:
    """Lists the names in a file."""
    return set(re.findall(r"\w+", code_of(path)))


def code_of(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text("ascii"), flags=re.S)
