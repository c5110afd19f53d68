"""The wheels of a release, made once for all tests of a run."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock

from tests.support import require
from tools.release.wheels import make_wheel
from tools.shared.targets import TARGETS


def made_wheels(factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Makes the wheel for each system, by name; of several workers the first one does."""
    require(find_spec("ziglang"), "zig (extra zig)")
    require(find_spec("setuptools"), "setuptools (extra release)")
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "wheels"
    with FileLock(f"{folder}.lock"):
        there = {name: [*folder.glob(f"*-{target.tag}.whl")] for name, target in TARGETS.items()}
        return {name: found[0] if found else make_wheel(name, folder) for name, found in there.items()}


def unpacked(wheel: Path, name: str, to: Path) -> Path:
    """Installs a wheel into a folder as pip does on its system; gets the folder."""
    systems = (word for tag in TARGETS[name].tag.split(".") for word in ("--platform", tag))
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "--target", to]
    command += ["--only-binary=:all:", "--python-version", "3.11", *systems, wheel]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return to
