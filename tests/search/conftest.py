"""Runs a test on the kernel's solver and on its twin."""

import os

import pytest

from ddzbot.kernel.binding import Kernel
from tests.support import require
from tools import build_kernel


def kernel_path() -> str | None:
    """Finds or builds the library; None when that takes a compiler and there is none."""
    if os.environ.get("DDZ_KERNEL"):
        return os.environ["DDZ_KERNEL"]
    try:
        build_kernel.find_compiler(os.environ)
    except build_kernel.BuildError:
        return None
    return str(build_kernel.build())


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    return Kernel(require(kernel_path(), "a C compiler"))
