"""
The hot paths in C: whether there is a kernel, and where.

A kernel is looked for once, at the first use: where ``DDZ_KERNEL`` points, beside this module, and in the build folder;
it must have the version that this package was written for. ``DDZ_NO_KERNEL=1`` in the environment forbids it. Without a
kernel whoever asks does the same in Python, or says that it cannot play. Nothing is written to stderr: :func:`describe`
says what was found. The import of this package loads no kernel.
"""

import os
from typing import TYPE_CHECKING, Mapping, NamedTuple, Optional

from ddzbot.files import exists, loadable, read_bytes

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel


class Choice(NamedTuple):
    """The kernel, or none, and why."""

    kernel: "Optional[Kernel]"
    description: str
    """One line. For example ``kernel 7 build/ddz_kernel.so`` or ``no kernel: DDZ_NO_KERNEL is set``."""


def choose(environment: Mapping[str, str]) -> Choice:
    """Loads the first kernel that fits. Never raises because of one."""
    if environment.get("DDZ_NO_KERNEL") == "1":
        return _none("DDZ_NO_KERNEL is set")
    try:
        from ddzbot.kernel.binding import Kernel
        from ddzbot.kernel.library import VERSION, KernelError, places
        from ddzbot.kernel.seal import broken_seal
    except ImportError as error:
        return _none(str(error))  # a Python without ctypes
    reasons = []
    for path in places(environment):
        if exists(path):
            try:
                content = read_bytes(path)
                fault = broken_seal(content)
                if fault:
                    raise KernelError(f"{path}: {fault}")
                kernel = Kernel(loadable(path, content))
            except (KernelError, OSError) as error:
                reasons.append(str(error))
            else:
                return Choice(kernel, f"kernel {VERSION} {path}")
    return _none("; ".join(reasons) or "none is there")


def _none(reason: str) -> Choice:
    return Choice(None, "no kernel: " + reason)


_choice: Optional[Choice] = None


def chosen() -> Choice:
    """Gets the choice of this process, made at the first call."""
    global _choice
    if _choice is None:
        _choice = choose(os.environ)
    return _choice


def native() -> "Optional[Kernel]":
    """Gets the kernel, or None."""
    return chosen().kernel


def describe() -> str:
    """Says in one line what was found, for the debug field and the tools."""
    return chosen().description
