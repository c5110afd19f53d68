"""What is made once for many tests: the wheels of a release, and other Pythons with what the commands need."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock

from tests.support import ROOT, find_python, require
from tools.release.wheels import make_wheel
from tools.shared.install import PINS, needed
from tools.shared.targets import TARGETS

PLACE = Path.home() / ".cache" / "ddzbot"
"""Where the other Pythons stay from run to run."""


def made_wheels(factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Makes the wheel for each system, by name; of several workers the first one does."""
    require(find_spec("ziglang"), "zig (extra zig)")
    require(find_spec("setuptools"), "setuptools (extra release)")
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "wheels"
    with FileLock(f"{folder}.lock"):
        there = {system: [*folder.glob(f"*-{target.tag}.whl")] for system, target in TARGETS.items()}
        return {system: wheels[0] if wheels else make_wheel(system, folder) for system, wheels in there.items()}


def unpacked(wheel: Path, name: str, to: Path) -> Path:
    """Installs a wheel into a folder as pip does on its system; gets the folder."""
    systems = (word for tag in TARGETS[name].tag.split(".") for word in ("--platform", tag))
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "--target", to]
    command += ["--only-binary=:all:", "--python-version", "3.11", *systems, wheel]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return to


def python_with_packages(version: str) -> str:
    """Finds a CPython of that version and installs the packages of all commands for it, unless they are there."""
    base = require(find_python(version), f"CPython {version}")
    folder = PLACE / f"python{version}"
    python, done = folder / "bin" / "python", folder / "installed"
    PLACE.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not done.exists() or done.read_bytes() != PINS.read_bytes():
            for command in ([base, "-m", "venv", "--clear", folder], [python, "-m", "tools.make", "install", "tools"]):
                ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
                assert ended.returncode == 0, ended.stderr
            done.write_bytes(PINS.read_bytes())
    return str(python)


def packages_for_arm64() -> Path:
    """Installs what the commands need under CPython 3.11 of arm64 into a folder, unless it is there."""
    folder = PLACE / "arm64-packages"
    words = ["--platform", "manylinux2014_aarch64", "--platform", "manylinux_2_28_aarch64", "--only-binary=:all:"]
    words += ["--python-version", "3.11", "-c", str(PINS), *needed("base")]
    PLACE.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            unfinished = f"{folder}-unfinished"
            command = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", unfinished, *words]
            ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            assert ended.returncode == 0, ended.stderr
            Path(unfinished).rename(folder)
    return folder
