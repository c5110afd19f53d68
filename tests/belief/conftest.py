"""The kernel that is built from these sources, as the kernel's own tests have it."""

from tests.kernel.conftest import kernel

__all__ = ["kernel"]
