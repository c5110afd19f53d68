"""The bot runs as a process of its own here, and finds the kernel only if it was compiled before."""

import pytest

from tests.support import kernel_path


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernel() -> None:
    kernel_path()
