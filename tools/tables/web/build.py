"""
Makes build/web: the bot as static files, for any host and any folder.

    python -m tools.make web
"""

import gzip
import hashlib
import json
import shutil
from pathlib import Path

import click

from ddzbot.net.reigning import read_manifest
from ddzbot.rules import RULE_SETS

from ...shared.compiling import BUILD, build_wasm
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.place import ROOT
from ...shared.terminal import say
from ..serve.board import EXAMPLE
from ..serve.markup import STATIC, page_text
from ..table.endgames import PUZZLES
from ..table.table import PERSON
from .place import BOTS, FEATURES
from .pyodide import pyodide, run_python

__all__ = ["build_web"]

PAGES = Path(__file__).parent / "pages"
PYTHON = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")
LOCK = "pyodide-lock.json"
"""The list of packages that it could load, of which the page has none."""
SECONDS = (0.2, 0.5, 1, 2, 5, 10)
"""What a person may choose as the limit of a decision."""


def build_web() -> Path:
    """
    Makes the folder.

    :raises BuildError: if the kernel cannot be compiled or Pyodide fetched.
    """
    kernel, python = build_wasm(), pyodide()
    folder = BUILD / "web"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("pyodide", "weights"):
        (folder / name).mkdir(parents=True)
    for name in PYTHON:
        shutil.copyfile(python / name, folder / "pyodide" / name)
    about = json.loads((python / LOCK).read_text("utf-8"))["info"]
    (folder / "pyodide" / LOCK).write_text(json.dumps({"info": about, "packages": {}}), "utf-8")
    for name, (source, _) in STATIC.items():
        shutil.copyfile(source / name, folder / name)
    for path in PAGES.glob("*.js"):
        shutil.copyfile(path, folder / path.name)
    for name in _networks():
        shutil.copyfile(ROOT / "weights" / name, folder / "weights" / name)
    for name in ("index.html", "table.html", "endgame.html", "look.html"):
        (folder / name).write_text(_page(name), "utf-8")
    places = [f"/project/{path.relative_to(ROOT).as_posix()}" for path in (folder, kernel)]
    run_python(f"from tools.tables.web.pack import pack; pack(*{places})")
    for path in (folder / "app.bin", folder / "pyodide" / "python_stdlib.zip"):
        path.chmod(0o644)  # the page's Python knows no umask: all users of the machine could write what it made
    _write_version(folder)
    return folder


def _page(name: str) -> str:
    return page_text(
        {"index.html": "start.html"}.get(name, name),
        "",
        "index.html",
        PAGES,
        rules=sorted(RULE_SETS, key=lambda rules: rules != DEFAULT_RULES),
        bots=BOTS,
        person=PERSON,
        rooms=[],
        not_kept=False,
        number="",
        puzzles=[hands.replace(" ", " : ") for hands in PUZZLES],
        example=EXAMPLE,
        seconds=SECONDS,
        more_words=["web-words.js"],
    )


def _networks() -> set[str]:
    """Lists the files of all networks that the bots of the page play with."""
    reigning = read_manifest(str(ROOT / "weights"))["reigning"]
    return {name for features in FEATURES for name in reigning[features].values()}


def _write_version(folder: Path) -> None:
    """Writes the worker that keeps all files but networks, in a cache whose name changes with any of them."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in files)).hexdigest()[:12]
    kept = [name for name in files if not name.startswith("weights/") and name != "service.js"]
    for name in ("service.js", "worker.js"):
        text = (PAGES / name).read_text("utf-8").replace("@version@", f"ddzbot-{digest}")
        (folder / name).write_text(text.replace("/*@files@*/[]", json.dumps(["./", *kept])), "utf-8")


@click.command(cls=Command)
def main() -> None:
    """Make build/web, the bot as static files for any host."""
    folder = build_web()
    sizes = {path: len(gzip.compress(path.read_bytes())) for path in folder.rglob("*") if path.is_file()}
    networks = sum(size for path, size in sizes.items() if path.parent.name == "weights")
    whole = sum(sizes.values())
    say(
        f"{folder.relative_to(ROOT)}: {len(sizes)} files; compressed {(whole - networks) / 1e6:.1f} MB, "
        f"and networks of all rule sets {networks / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
