"""The kernel's files: who may include whom, no circles, and every header declares what its own file defines."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

from tools.shared.compiling import SOURCES

# From the bottom up: a folder includes itself and what stands before it.
FOLDERS = ["include", "base", "rules", "split", "worlds", "tree", "solver", "net", "rollout", "cnn", "env", "."]
FILES = sorted(SOURCES.rglob("*.[ch]"))
# What stands before the name that a header or a file of C gives to others.
WORDS = r"(?!static|typedef)\w[\w *]*?\b"


def included(path: Path) -> list[Path]:
    """Lists the files of the kernel that *path* includes, each named from the folder of the sources."""
    names = re.findall(r'^#include "([^"]+)"', path.read_text("ascii"), re.M)
    return [SOURCES / name for name in names]


def folder_of(path: Path) -> str:
    return path.parent.relative_to(SOURCES).as_posix()


def test_every_folder_is_known() -> None:
    assert {folder_of(path) for path in FILES} == set(FOLDERS)


def test_includes_point_downward() -> None:
    includes = [(path, name) for path in FILES for name in included(path)]
    assert [pair for pair in includes if not pair[1].exists()] == []
    assert [pair for pair in includes if FOLDERS.index(folder_of(pair[1])) > FOLDERS.index(folder_of(pair[0]))] == []


def test_nothing_includes_itself_by_a_detour() -> None:
    """A header and the file of C that defines what it declares are one thing here."""
    graph: dict[str, set[str]] = {}
    for path in FILES:
        others = [name for name in included(path) if path.suffix == ".h" or name != path.with_suffix(".h")]
        graph.setdefault(stem_of(path), set()).update(map(stem_of, others))
    TopologicalSorter(graph).prepare()


def stem_of(path: Path) -> str:
    return path.relative_to(SOURCES).with_suffix("").as_posix()


def test_headers_declare_what_their_own_file_defines() -> None:
    for path in (path for path in FILES if path.suffix == ".h" and path.parent.name != "include"):
        source = path.with_suffix(".c")
        assert declared(path) <= (defined(source) if source.exists() else set()), path


def declared(path: Path) -> set[str]:
    """Lists the functions and the data that a header promises; what is inline there is no promise."""
    functions = re.findall(rf"^{WORDS}(\w+)\([^{{}};]*\);", code_of(path), re.M)
    return set(functions) | set(re.findall(rf"^extern {WORDS}(\w+);", code_of(path), re.M))


def defined(path: Path) -> set[str]:
    """Lists the functions and the data of a file of C that other files may use."""
    return set(re.findall(rf"^{WORDS}(\w+)(?:\([^{{}};]*\)\s*{{| = )", code_of(path), re.M))


def code_of(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text("ascii"), flags=re.S)
