"""What runs here: the commit, the code of the kernel, the processor; and how much of the machine this process takes."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ddzbot import __version__
from ddzbot.files import ROOT

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel


_GIT_SECONDS = 10


def commit(root: str = ROOT) -> str:
    """
    Names the commit of the checkout, or that an installed package was made of; the version where neither is known.

    It is the start of the commit's hash, with ``-dirty`` behind it if files were changed.
    """
    made_of = __version__.partition("+g")[2].replace(".", "-")
    return _commit_of_checkout(root) or made_of or f"version {__version__}"


def build_version(root: str = ROOT) -> str:
    """
    Gets the version of a package that is made here: the commit stands in it, unless this is the one tagged as release.

    For example ``1.0.0.dev0+g1234567`` or, of changed files, ``1.0.0.dev0+g1234567.dirty`` (PEP 440, local versions).
    """
    made_of = _commit_of_checkout(root)
    if not made_of or (_git(root, "tag", "--points-at", "HEAD", f"v{__version__}") and not made_of.endswith("-dirty")):
        return __version__
    return f"{__version__}+g{made_of.replace('-', '.')}"


def _commit_of_checkout(root: str) -> str:
    """Gets the commit of a checkout; empty for a folder that is none, though one may lie around it."""
    try:
        if not os.path.samefile(_git(root, "rev-parse", "--show-toplevel"), root):
            return ""
        return _git(root, "describe", "--always", "--dirty", "--exclude=*")
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def _git(root: str, *words: str) -> str:
    command = ["git", "-C", root, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_SECONDS, check=True)
    return done.stdout.strip()


def code_path(kernel: "Kernel | None") -> str:
    """Names the code of a kernel that this processor runs: avx512, avx2 or portable; none without a kernel."""
    if kernel is None:
        return "none"
    from ddzbot.kernel.fast_net import CODE_NAMES, codes_of

    return CODE_NAMES[codes_of(kernel.library)[-1]]


def cpu() -> str:
    """Names the model of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    models = [entry.partition(":")[2].strip() for entry in lines if entry.startswith("model name")]
    return (models and models[0]) or platform.processor() or platform.machine() or "unknown"


def cores() -> int:
    """Counts the processors that this process may run on."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    else:
        return os.cpu_count() or 1


def give_way(niceness: int) -> None:
    """Lets other programs go before this process, the more the greater *niceness* is; Windows knows one step alone."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(niceness)
