"""Python for browsers, as its makers publish it on npm: one release, known by its hash, kept in build/."""

import shutil
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from hashlib import sha512
from importlib.metadata import distribution
from pathlib import Path

from ...shared.compiling import BUILD, BuildError
from ...shared.paths import ROOT

VERSION = "0.29.5"
"""CPython 3.13."""
INTEGRITY = "TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQKyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw=="
"""The SHA-512 of the archive, as npm writes it."""


def pyodide() -> Path:
    """
    Gets the folder of Pyodide's files, fetched on first use.

    :raises BuildError: if npm is not there or fails, or what it fetches is another archive.
    """
    folder = BUILD / f"pyodide-{VERSION}"
    if not folder.is_dir():
        BUILD.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as temporary:
            _unpack(_fetch(Path(temporary)), Path(temporary))
            Path(temporary, "package").replace(folder)
    return folder


def run_python(code: str) -> None:
    """
    Runs *code* in the page's Python, with this project as ``/project``.

    :raises BuildError: if Node.js is not there, or the code fails.
    """
    node = shutil.which("node")
    if node is None:
        raise BuildError("There is no node, which runs the page's Python: install Node.js")
    packages = distribution("click").locate_file("")
    command = [node, *map(str, (Path(__file__).with_suffix(".mjs"), pyodide(), ROOT, packages)), code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"The page's Python fails:\n{done.stderr[-2000:]}")


def _fetch(place: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError("There is no npm, which fetches Pyodide: install Node.js")
    command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=place, check=False)
    archive = place / f"pyodide-{VERSION}.tgz"
    if done.returncode or not archive.is_file():
        raise BuildError(f"npm cannot fetch Pyodide {VERSION}:\n{done.stderr}")
    return archive


def _unpack(archive: Path, place: Path) -> None:
    if b64encode(sha512(archive.read_bytes()).digest()).decode() != INTEGRITY:
        raise BuildError(f"{archive.name} is not the archive that this build knows: its hash is another one")
    with tarfile.open(archive) as content:
        content.extractall(place, filter="data")
