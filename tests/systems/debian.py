"""
Pythons of other releases and processors, out of Debian's packages: a folder for each, and nothing here is installed.

``python -m tests.systems.debian`` gets all of them, some 20 MB each, and names those that it cannot get.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from tests.support import require

PLACE = Path(os.environ.get("DDZ_SYSTEMS", Path.home() / ".cache" / "ddzbot" / "systems"))
"""Where they stay from run to run."""
_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
_UNPACKED = "unpacked"


class System(NamedTuple):
    """Where a Python comes from, and how it runs here."""

    name: str
    suite: str
    """A release of Debian, with this Python."""
    architecture: str
    """Debian's name of the processor."""
    package: str
    """The package, and the program in it."""
    qemu: str = ""
    """qemu's name of the processor; empty where it runs on this one."""
    loader: str = ""
    """What loads programs there, with a C library that may be newer than the one here."""

    @property
    def root(self) -> Path:
        """The folder that it sees as ``/``."""
        return PLACE / f"{self.suite}-{self.architecture}-{self.package}"

    def python(self) -> list[str]:
        """Gets the command that runs it; without what it needs, the running test is NOT TESTED, with how to get it."""
        if self.qemu:
            emulator = require(shutil.which(f"qemu-{self.qemu}-static"), "qemu: apt-get install qemu-user-static")
            start = ["nice", "-n", "19", emulator, "-L", str(self.root)]
        else:
            libraries = [str(self.root / folder / "x86_64-linux-gnu") for folder in ("usr/lib", "lib")]
            start = [str(self.root / self.loader), "--library-path", os.pathsep.join(libraries)]
        fault = fetch(self)
        require(not fault, f"{self.name}: {fault}")
        return [*start, str(self.root / "usr" / "bin" / self.package)]

    def environment(self, **variables: str) -> dict[str, str]:
        """Makes what it runs with: none of the settings of the Python here."""
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("DDZ_", "PYTHON"))}
        return {**outside, "PYTHONHOME": str(self.root / "usr"), "PYTHONDONTWRITEBYTECODE": "1", **variables}


_LOADER = "lib64/ld-linux-x86-64.so.2"
ARM64 = System("CPython 3.11 for arm64", "bookworm", "arm64", "python3.11", qemu="aarch64")
SYSTEMS = (
    ARM64,
    System("CPython 3.14", "forky", "amd64", "python3.14", loader=_LOADER),
    System("PyPy 7.3.11", "bookworm", "amd64", "pypy3", loader=_LOADER),
    System("PyPy 7.3.19", "trixie", "amd64", "pypy3", loader=_LOADER),
    System("CPython 3.13 for riscv64", "trixie", "riscv64", "python3.13", qemu="riscv64"),
    System("CPython 3.11 for s390x", "bookworm", "s390x", "python3.11", qemu="s390x"),
)


def fetch(system: System) -> str:
    """Unpacks a system's Python and all that it needs, unless it is there; returns why it cannot, in a line."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{system.root}.lock"):
        if (system.root / _UNPACKED).exists():
            return ""
        if not shutil.which("apt-get") or not Path(_KEYS).exists():
            return f"apt-get of Debian gets {system.package} of {system.suite}"
        with tempfile.TemporaryDirectory() as state:
            try:
                packages = _download(system, Path(state))
            except subprocess.CalledProcessError as error:
                reason = (error.stderr.strip().splitlines() or [f"exit status {error.returncode}"])[-1]
                return f"apt-get cannot get {system.package} of {system.suite}: {reason}"
            _unpack(packages, system.root)
    return ""


def _download(system: System, state: Path) -> list[Path]:
    """Has apt-get fetch the packages in a *state* of its own: what is installed and known here does not change."""
    state.chmod(0o755)
    for folder in ("lists", "archives"):
        (state / folder / "partial").mkdir(parents=True)
    (state / "status").touch()
    origin = ("Created-By: Packages", "Origin: Debian", "Label: Debian")
    site = _printed("apt-get", "indextargets", "--format", "$(REPO_URI)", *origin).split()[0]
    (state / "sources").write_text(f"deb [signed-by={_KEYS}] {site} {system.suite} main\n", "utf-8")
    settings = {
        "APT::Architecture": system.architecture,
        "APT::Architectures": system.architecture,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Dir::State": state,
        "Dir::State::status": state / "status",
        "Dir::Cache": state,
        "Dir::Etc::SourceList": state / "sources",
        "Dir::Etc::SourceParts": "-",
    }
    get = ["apt-get", "-qq", *(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))]
    _printed(*get, "update")
    _printed(*get, "install", "-y", "--no-install-recommends", "--download-only", system.package)
    return sorted((state / "archives").glob("*.deb"))


def _unpack(packages: list[Path], root: Path) -> None:
    """Puts files of *packages* into the folder, with the links of a release that keeps all below ``/usr``."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for package in packages:
        _printed("dpkg", "-x", str(package), str(root))
    for folder in ("lib", "lib64"):
        if not (root / folder).exists() and (root / "usr" / folder).exists():
            (root / folder).symlink_to(f"usr/{folder}")
    (root / _UNPACKED).touch()


def _printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    faults = {system.name: fetch(system) for system in SYSTEMS}
    for name, reason in faults.items():
        print(f"{name}: {reason or 'is there'}")
    sys.exit(any(faults.values()))
