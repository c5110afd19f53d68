"""The allowed imports inside ddzbot. The checker reads the sources, and is tested below on small bad ones."""

import ast
import sys
from collections.abc import Container, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import ROOT

PACKAGE = "ddzbot"
# Top to bottom, as the design lists them: a layer imports itself and what stands after it.
LAYERS = [
    "testing",
    "env",
    "__main__",
    "protocol",
    "api",
    "arguments",
    "engine",
    "evaluation",
    "players",
    "search",
    "belief",
    "bidding",
    "net",
    "candidates",
    "mini_split",
    "less_split",
    "split",
    "kernel",
    "view",
    "game",
    "rules",
    "rules_reference",
    "illegal_moves",
    "rule_sets",
    "moves",
    "readable",
    "cards",
    "stack",
    "files",
]
OPTIONAL = {"numpy": {*LAYERS} - {"testing"}, "hypothesis": {"testing"}, "gymnasium": {"env"}, "pettingzoo": {"env"}}
"""Packages that may be missing, and the layers that may import them where that is caught."""
GUARDS = {"ImportError", "ModuleNotFoundError"}


class Import(NamedTuple):
    """One imported module, its full dotted name, and whether a missing module is caught there."""

    line: int
    name: str
    guarded: bool


def imports_of(tree: ast.Module, package: str) -> Iterator[Import]:
    """Yields every import in *tree*, lazy ones too; *package* is the dotted package that holds the module."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    guards = [block for block in blocks if any(map(catches_import_error, block.handlers))]
    guarded = {node for block in guards for statement in block.body for node in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call)):
            for name in names_in(node, package):
                yield Import(node.lineno, name, node in guarded)


def names_in(node: ast.Import | ast.ImportFrom | ast.Call, package: str) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            base = absolute(node, package)
            # "from ddzbot import cards" imports a module: in the root package the names after import count.
            return [f"{base}.{alias.name}" for alias in node.names] if base == PACKAGE else [base]
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]):
            dynamic = ast.unparse(function) in {"importlib.import_module", "import_module", "__import__"}
            return [name] if dynamic else []
    return []


def absolute(node: ast.ImportFrom, package: str) -> str:
    parents = package.split(".")
    base = parents[: len(parents) - node.level + 1] if node.level else []
    return ".".join([*base, *([node.module] if node.module else [])])


def catches_import_error(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Name) and node.id in GUARDS for node in ast.walk(handler.type or ast.Pass()))


def fault_of(found: Import, layer: str) -> str | None:
    """What is wrong with an import in *layer*, as the end of a sentence; None when nothing is."""
    top, _, inside = found.name.partition(".")
    if top == PACKAGE:
        return layer_fault(inside.partition(".")[0], layer)
    if layer in OPTIONAL.get(top, ()):
        return None if found.guarded else f"{top} may be missing: import it inside try/except ImportError"
    if top not in sys.stdlib_module_names:
        return "ddzbot may import only itself, the standard library, and numpy where it may be missing"
    return None


def layer_fault(target: str, layer: str) -> str | None:
    if target == "__version__":
        return None
    if layer == "__init__":
        return "ddzbot/__init__.py runs before every layer, so it imports none"
    if not target:
        return "name the module that is wanted from ddzbot"
    if target not in LAYERS:
        return f"{target} is not a layer; give it a place in tests/test_imports.py and in the design"
    if LAYERS.index(target) < LAYERS.index(layer):
        return f"{target} stands above {layer}, and imports point downward"
    return None


def faults(root: Path) -> list[str]:
    """Returns one sentence for each bad import of the ddzbot package in the folder *root*."""
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        layer = path.relative_to(root / PACKAGE).parts[0].removesuffix(".py")
        file = path.relative_to(root).as_posix()
        if layer not in [*LAYERS, "__init__"]:
            found.append(f"{file} belongs to no layer: {layer} has no place in tests/test_imports.py")
            continue
        package = ".".join(path.relative_to(root).parent.parts)
        for imported in imports_of(ast.parse(path.read_text("utf-8")), package):
            if fault := fault_of(imported, layer):
                found.append(f"{file}:{imported.line} imports {imported.name}: {fault}")
    return found


def small_package(root: Path, file: str, source: str) -> Path:
    path = root / PACKAGE / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    return root


def test_imports_of_ddzbot_point_downward_and_stay_at_home() -> None:
    assert (ROOT / PACKAGE / "cards.py").exists()
    assert "\n".join(faults(ROOT)) == ""


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("cards.py", "import ddzbot.rules", "ddzbot.rules: rules stands above cards"),
        ("cards.py", "from ddzbot.rules import Move", "ddzbot.rules: rules stands above cards"),
        ("cards.py", "from ddzbot import game", "ddzbot.game: game stands above cards"),
        ("cards.py", "from . import view", "ddzbot.view: view stands above cards"),
        ("cards.py", "from .view import View", "ddzbot.view: view stands above cards"),
        ("search/tree.py", "from ..players import base", "ddzbot.players: players stands above search"),
        ("search/tree.py", "from .. import engine", "ddzbot.engine: engine stands above search"),
        ("search/deep/er.py", "from ...engine import choose", "ddzbot.engine: engine stands above search"),
        ("belief/__init__.py", "from ..search import limit", "ddzbot.search: search stands above belief"),
        ("cards.py", "def late():\n    import ddzbot.net.load", "2 imports ddzbot.net.load: net stands above cards"),
        ("cards.py", "import importlib\nimportlib.import_module('ddzbot.game')", "2 imports ddzbot.game: game stands"),
        ("cards.py", "import ddzbot", "cards.py:1 imports ddzbot: name the module"),
        ("__init__.py", "from ddzbot.cards import RANKS", "__init__.py runs before every layer"),
        ("cards.py", "import ddzbot.clock", "ddzbot.clock: clock is not a layer"),
        ("clock.py", "", "ddzbot/clock.py belongs to no layer"),
        ("cards.py", "import tools.judge", "imports tools.judge: ddzbot may import only"),
        ("cards.py", "try:\n    import torch\nexcept ImportError:\n    pass", "imports torch: ddzbot may import only"),
        ("cards.py", "try:\n    import hypothesis\nexcept ImportError:\n    pass", "hypothesis: ddzbot may"),
        ("testing/it.py", "from hypothesis import strategies", "hypothesis: hypothesis may be missing"),
        ("cards.py", "try:\n    import gymnasium\nexcept ImportError:\n    pass", "gymnasium: ddzbot may import only"),
        ("engine.py", "from ddzbot.testing import checks", "ddzbot.testing: testing stands above engine"),
        ("cards.py", "from rich.table import Table", "imports rich.table: ddzbot may import only"),
        ("cards.py", "import numpy as np", "cards.py:1 imports numpy: numpy may be missing"),
        ("cards.py", "try:\n    import numpy\nexcept ValueError:\n    pass", "numpy may be missing"),
        ("cards.py", "try:\n    pass\nexcept ImportError:\n    import numpy", "numpy may be missing"),
    ],
)
def test_a_bad_import_is_found(tmp_path: Path, file: str, source: str, fault: str) -> None:
    found = faults(small_package(tmp_path, file, source))
    assert len(found) == 1
    assert fault in found[0]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("engine.py", "from ddzbot.search.limit import Limit\nfrom ddzbot.cards import RANKS"),
        ("search/tree.py", "from . import limit\nfrom .limit import Limit\nfrom ddzbot import cards"),
        ("search/__init__.py", "from .limit import Limit"),
        ("engine.py", "from ddzbot import __version__, cards"),
        ("cards.py", "import json, os.path\nfrom typing import List"),
        ("cards.py", "try:\n    import numpy as np\nexcept ImportError:\n    np = None"),
        ("cards.py", "try:\n    import numpy as np\nexcept (ImportError, OSError):\n    np = None"),
    ],
)
def test_a_good_import_is_left_alone(tmp_path: Path, file: str, source: str) -> None:
    assert faults(small_package(tmp_path, file, source)) == []


@cache
def import_nodes(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """Reads the imports of a file once for all tests."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]


def circle(root: Path) -> list[str]:
    """Gets the modules of one circle of files, inside a room or across several; an import by name alone counts too."""
    files = {module_of(path, root): path for top in (PACKAGE, "tools") for path in (root / top).rglob("*.py")}
    graph = {name: {*modules_in(path, root, files)} - {name} for name, path in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def module_of(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def modules_in(path: Path, root: Path, known: Container[str]) -> Iterator[str]:
    """Yields the known modules that an import may mean: ``from .a import b`` is ``a.b`` if that is one, else ``a``."""
    package = ".".join(path.relative_to(root).parent.parts)
    for node in import_nodes(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            base = absolute(node, package)
            inner = (f"{base}.{alias.name}" for alias in node.names)
            names = [name if name in known else base for name in inner]
        yield from (name for name in names if name in known)


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(ROOT) == []


@pytest.mark.parametrize("late", ["from . import one", "def late():\n    from ddzbot.net.one import NAME"])
def test_a_circle_of_files_is_found_inside_a_room(tmp_path: Path, late: str) -> None:
    small_package(tmp_path, "net/one.py", "from .two import made")
    (tmp_path / PACKAGE / "net" / "two.py").write_text(late)
    assert set(circle(tmp_path)) == {"ddzbot.net.one", "ddzbot.net.two"}


# The rooms of tools, from the bottom up: a room imports itself and what stands on an earlier line.
ROOMS = [
    {"shared"},
    {"command", "make", "programs", "referee"},
    {"cluster", "records"},
    {"judge", "study"},
    {"arena"},
    {"release", "tables"},
    {"training"},
    {"lab"},
]


def level_of(room: str) -> int:
    return next(level for level, rooms in enumerate(ROOMS) if room in rooms)


def arrows() -> Iterator[tuple[str, str, str]]:
    """Yields every import between two rooms as (importing room, imported room, file and line)."""
    for path in sorted((ROOT / "tools").rglob("*.py")):
        parts = path.relative_to(ROOT / "tools").with_suffix("").parts
        package = ".".join(path.relative_to(ROOT).parent.parts)
        if parts[0].startswith("__"):
            continue
        for node in import_nodes(path):
            if isinstance(node, ast.Import) or not node.level:
                continue
            base = absolute(node, package)
            for name in [base] if base != "tools" else [f"tools.{alias.name}" for alias in node.names]:
                yield parts[0], name.split(".")[1], f"{path.name}:{node.lineno}"


def test_every_room_of_tools_has_a_place() -> None:
    rooms = {path.relative_to(ROOT / "tools").parts[0].removesuffix(".py") for path in (ROOT / "tools").rglob("*.py")}
    assert {room for room in rooms if not room.startswith("_")} == set().union(*ROOMS)


def test_imports_between_rooms_of_tools_point_downward() -> None:
    upward = [arrow for arrow in arrows() if arrow[0] != arrow[1] and level_of(arrow[1]) >= level_of(arrow[0])]
    assert upward == []


def test_tools_import_each_other_relatively_so_that_a_wheel_may_name_them_otherwise() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tools").rglob("*.py"))
        for node in import_nodes(path)
        for name in names_in(node, ".".join(path.relative_to(ROOT).parent.parts))
        if name.split(".")[0] == "tools" and (isinstance(node, ast.Import) or not node.level)
    ]
    assert bad == []


def test_no_file_of_tools_stands_beside_a_folder_of_its_name() -> None:
    files = {path.stem for path in (ROOT / "tools").glob("*.py")}
    folders = {path.name for path in (ROOT / "tools").iterdir() if path.is_dir()}
    assert files & folders == set()
