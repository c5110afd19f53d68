"""
Makes build/web: the bot as static files, for any host and any folder.

    python -m tools.make web

All but the pages and the service worker lies in one folder, whose name changes with any file in it: what a browser
has kept of one version is never taken for another one.
"""

import gzip
import hashlib
import re
import shutil
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import click

from ddzbot.net.current import read_manifest
from ddzbot.rules import RULE_SETS

from ...shared.compiling import BUILD, build_wasm
from ...shared.default_rules import AUCTION_RULES
from ...shared.interrupts import Command
from ...shared.json_text import json_text, parse_json
from ...shared.names import PERSON
from ...shared.paths import ROOT
from ...shared.terminal import say
from ..serve.board import EXAMPLE
from ..serve.markup import STATIC, page_text, static_text
from ..table.endgames import PUZZLES
from ..table.levels import LEVELS, NAMES
from .browser_worker import BOTS, FEATURES
from .pyodide import pyodide, run_python

PAGES = Path(__file__).parent / "pages"
MADE = ("index.html", "table.html", "endgame.html", "look.html")
SCRIPTS = ("files.js", "kept.js", "bot.js")
"""What each page loads besides what the server's pages load."""
MARKED = "utf-8-sig"
"""A page, script or style begins with a byte order mark, which wins against any charset that a host names."""
PYTHON = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")
LOCK = "pyodide-lock.json"
"""The list of packages that it could load, of which the page has none."""
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' blob:; img-src 'self' data:; worker-src 'self' blob:"
)
"""The Content-Security-Policy under which the page does all that it can do."""
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
    with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
        files = Path(temporary, "files")
        _put_files(files, kernel, python)
        publish(files, folder)
    return folder


def publish(files: Path, folder: Path) -> None:
    """Makes the *folder* from all *files* of a version, which lie in another one, with its pages and service worker."""
    listed = {
        path.relative_to(files).as_posix(): path.read_bytes() for path in sorted(files.rglob("*")) if path.is_file()
    }
    sums = {path: (len(content), hashlib.sha256(content).hexdigest()) for path, content in listed.items()}
    version = "v-" + hashlib.sha256(json_text(sums).encode()).hexdigest()[:12]
    for path, content in listed.items():
        (folder / version / path).parent.mkdir(parents=True, exist_ok=True)
        # Written here, not copied: the page's Python makes its files writable for all users.
        (folder / version / path).write_bytes(content)
    for page in MADE:
        (folder / page).write_text(_page(page, version, sums), MARKED)
    service = _set((PAGES / "service.js").read_text("utf-8"), VERSION=version, LISTED=sums, PAGES=MADE)
    (folder / "service.js").write_text(f"{listed['files.js'].decode('utf-8-sig')}\n{service}", MARKED)


def _set(script: str, **values: Any) -> str:
    """Writes values into the places of a script that wait for them."""
    for key, value in values.items():
        script = script.replace(f"/*@{key}@*/null", json_text(value))
    return script


def _put_files(folder: Path, kernel: Path, python: Path) -> None:
    """Puts all files of a version into a new *folder*."""
    for part in ("pyodide", "weights"):
        (folder / part).mkdir(parents=True)
    for file in PYTHON:
        shutil.copyfile(python / file, folder / "pyodide" / file)
    about = parse_json((python / LOCK).read_text("utf-8"))["info"]
    (folder / "pyodide" / LOCK).write_text(json_text({"info": about, "packages": {}}), "utf-8")
    texts = {file: static_text(file, "web") for file in STATIC}
    texts |= {file: (PAGES / file).read_text("utf-8") for file in (*SCRIPTS, "link.js", "look.js")}
    for file, text in texts.items():
        (folder / file).write_text(_set(text, POLICY=POLICY), MARKED)
    for network in _networks():
        shutil.copyfile(ROOT / "weights" / network, folder / "weights" / network)
    worker = [_set((PAGES / script).read_text("utf-8"), POLICY=POLICY) for script in ("files.js", "worker.js")]
    (folder / "worker.js").write_text("\n".join(worker), MARKED)
    places = [f"/project/{path.relative_to(ROOT).as_posix()}" for path in (folder, kernel)]
    run_python(f"from tools.tables.web.pack import pack; pack(*{places})")


def _page(name: str, version: str, sums: dict[str, tuple[int, str]]) -> str:
    """
    Makes a page, which shows what is wrong if it or one of its scripts is not whole.

    Its browser refuses a script or a style that is another one than that of this version.
    """
    html = page_text(
        {"index.html": "start.html"}.get(name, name),
        f"{version}/",
        "index.html",
        PAGES,
        rules=sorted(RULE_SETS, key=lambda rules: rules != AUCTION_RULES),
        bots=BOTS,
        levels=LEVELS,
        level_names=NAMES,
        person=PERSON,
        rooms=[],
        not_kept=False,
        number="",
        puzzles=[hands.replace(" ", " : ") for hands in PUZZLES],
        example=EXAMPLE,
        seconds=SECONDS,
        more_scripts=SCRIPTS,
    )
    named = re.compile(rf'(?:src|href)="{version}/([\w./-]+)"')
    html = named.sub(lambda reference: f'{reference[0]} integrity="{_integrity(sums[reference[1]][1])}"', html)
    head = '<meta charset="utf-8">'
    guard = f"<script>\n{_set((PAGES / 'guard.js').read_text('utf-8'), PAGE=name, POLICY=POLICY)}</script>"
    listed = f'<script id="files" type="application/json">{json_text(sums)}</script>'
    return html.replace(head, f"{head}\n{guard}\n{listed}").replace(
        "</body>", "<script>Guard.whole();</script>\n</body>"
    )


def _integrity(sha256: str) -> str:
    return "sha256-" + b64encode(bytes.fromhex(sha256)).decode()


def _networks() -> set[str]:
    """Lists the files of all networks that the bots of the page play with."""
    current = read_manifest(str(ROOT / "weights"))["current"]
    return {network for features in FEATURES for network in current[features].values()}


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
