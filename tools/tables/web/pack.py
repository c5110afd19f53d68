"""
Packs what Python needs in the page, compiled there; runs in the page's Python, see :mod:`tools.tables.web.build`.

All that the page imports, at its start or later, is imported here. Of Python and of packages only what that took goes
along, so that the page loads less than half of them, and compiles nothing.
"""

import ast
import importlib
import marshal
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import MAGIC_NUMBER, module_from_spec, resolve_name, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from zipfile import ZIP_DEFLATED, ZipFile

from ddzbot import players

from ...shared.paths import ROOT
from ...shared.words import FILE
from ..serve.markup import SHARED

FIRST = "tools.tables.web.browser_worker"
OURS = {"ddzbot", "tools"}
KNOWN = {*OURS, "click", "jinja2", "markupsafe", "msgspec", "pyodide", "_pyodide", "rich", *sys.stdlib_module_names}
"""What may be imported; a page has no other package."""
HIDDEN = [
    "jinja2.debug",
    "locale",
    "rich._emoji_codes",
    "rich.status",
    *(f"encodings.{name}" for name in ("ascii", "cp437", "latin_1", "unicode_escape")),
]
"""What Python and packages find by name, or import inside functions that the page calls."""
_UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""The head of a compiled module that is never held against its source."""


def pack(folder: str, kernel: str) -> None:
    """Writes two archives into the page's *folder*: Python's modules with packages, and all files of ours."""
    spec = spec_from_file_location("msgspec", Path(__file__).with_name("msgspec.py"))
    assert spec is not None and spec.loader is not None
    sys.modules["msgspec"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["msgspec"])
    _import_all([FIRST, *HIDDEN, *(f"ddzbot.players.{module.name}" for module in iter_modules(players.__path__))])
    with ZipFile(Path(folder, "pyodide/python_stdlib.zip"), "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file, code in _compile(KNOWN - OURS):
            archive.writestr(file, code)
    ours = {f"/app/{file}": code for file, code in _compile(OURS)}
    for path in read_files():
        ours[f"/app/{path.relative_to(ROOT).as_posix()}"] = path.read_bytes()
    ours["/app/ddzbot/kernel/ddz_kernel.so"] = Path(kernel).read_bytes()
    Path(folder, "app.bin").write_bytes(zlib.compress(marshal.dumps(ours), 9))


def read_files() -> list[Path]:
    """Lists the files that our modules read in the page, besides networks."""
    shared = [path for path in sorted(SHARED.iterdir()) if path.suffix in {".html", ".js", ".css"}]
    return [ROOT / "weights/manifest.json", *shared, FILE]


def _compile(tops: set[str]) -> Iterator[tuple[str, bytes]]:
    """Lists the files of all modules in those packages that were imported."""
    for _, module in sorted(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if spec and spec.has_location and hasattr(spec.loader, "get_code") and spec.name.split(".")[0] in tops:
            package = "/__init__" if spec.submodule_search_locations is not None else ""
            code = marshal.dumps(spec.loader.get_code(spec.name))
            yield f"{spec.name.replace('.', '/')}{package}.pyc", _UNCHECKED + code


def _import_all(names: list[str]) -> None:
    """Imports modules, and whatever ours may import later."""
    tried: set[str] = set()
    read: set[str] = set()
    while names:
        module = names.pop()
        if module in tried or module.split(".")[0] not in KNOWN:
            continue
        tried.add(module)
        # An attribute, a module that a page lacks, or one that is for another system and asserts that.
        with suppress(ImportError, AssertionError):
            importlib.import_module(module)
        for module in [loaded for loaded in sys.modules if loaded.split(".")[0] in OURS and loaded not in read]:
            read.add(module)
            spec = sys.modules[module].__spec__
            names += _imports(spec) if spec else ()


def _imports(spec: ModuleSpec) -> Iterator[str]:
    """Lists what a module imports anywhere in its text."""
    for node in ast.walk(ast.parse(Path(str(spec.origin)).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), spec.parent)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
