"""What runs here: the commit, the code of the kernel, the processor and the compiler."""

import os
import platform
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from ddzbot import __version__
from ddzbot.files import ROOT

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel


_GIT_SECONDS = 10


def commit(root: str = ROOT) -> str:
    """Names the commit of the checkout, with ``-dirty`` behind it if files were changed; else the release."""
    try:
        if not os.path.samefile(_git(root, "rev-parse", "--show-toplevel"), root):
            return f"release {__version__}"
        return _git(root, "describe", "--always", "--dirty", "--tags")
    except (OSError, ValueError, subprocess.SubprocessError):
        return f"release {__version__}"


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
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (models and models[0]) or platform.processor() or platform.machine() or "unknown"


def cores() -> int:
    """Counts the processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
