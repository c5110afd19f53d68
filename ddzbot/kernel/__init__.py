"""
The hot paths in C: whether there is a kernel, and where.

A kernel is looked for once, at the first use: where ``DDZ_KERNEL`` points, beside this module, and in the build folder;
it must have the version that this package was written for. One that cannot be used is passed over, and the next one
plays. ``DDZ_NO_KERNEL=1`` in the environment forbids it. Without a kernel callers compute in Python, or report that
they cannot play. Nothing is written to stderr: :func:`describe` says what was found, and what was passed over.

The import of this package loads no kernel, but offers it to :mod:`ddzbot.rules`, whose lists of moves it makes from its
first use on.
"""

import os
from typing import TYPE_CHECKING, List, Mapping, NamedTuple, Optional

from ddzbot.files import exists, loadable, read_bytes, shown
from ddzbot.rules import REFERENCE, Lister, answer_by, offer

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel


class Choice(NamedTuple):
    """The kernel, or none, and why."""

    kernel: "Optional[Kernel]"
    description: str
    """One line. For example ``kernel 9 build/ddz_kernel.so`` or ``no kernel: DDZ_NO_KERNEL is set``."""
    passed_over: str = ""
    """What came before the kernel and cannot be used, and why; it is in the description too."""


def choose(environment: Mapping[str, str]) -> Choice:
    """Loads the first kernel that fits. Never raises because of one."""
    if environment.get("DDZ_NO_KERNEL") == "1":
        return _none("DDZ_NO_KERNEL is set")
    try:
        return _first_that_loads(environment)
    except Exception as error:  # ctypes may be missing; or be there, and not work in this process
        return _none(str(error) or type(error).__name__)


def _first_that_loads(environment: Mapping[str, str]) -> Choice:
    from ddzbot.kernel.library import VERSION, places

    reasons: List[str] = []
    for path in places(environment):
        if exists(path):
            try:
                kernel = _loaded(path)
            except Exception as error:  # a zip file may be damaged in any way
                reasons.append(str(error))
                continue
            passed_over = "; ".join(reasons)
            return Choice(kernel, f"kernel {VERSION} {path}" + (passed_over and f" ({passed_over})"), passed_over)
        if path == environment.get("DDZ_KERNEL"):
            reasons.append(f"DDZ_KERNEL={path}: there is no such file")
    return _none("; ".join(reasons) or "none is there")


def _loaded(path: str) -> "Kernel":
    """
    Loads the kernel of a file, from wherever the system lets it run.

    :raises KernelError: if it has no valid checksum, or does not load.
    :raises Exception: of any kind, if it cannot be read.
    """
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.checksum import checksum_fault
    from ddzbot.kernel.library import KernelError

    content = read_bytes(path)
    fault = checksum_fault(content)
    if fault:
        raise KernelError(f"{shown(path)}: {fault}")
    refusals = []
    for candidate in loadable(path, content):
        try:
            return Kernel(candidate)
        except KernelError as error:
            refusals.append(error)
    from ddzbot.kernel.system import why_foreign

    foreign = why_foreign(content)
    raise KernelError(f"{shown(path)}: {foreign}") if foreign else refusals[0]


def _none(reason: str) -> Choice:
    return Choice(None, "no kernel: " + reason)


_choice: Optional[Choice] = None
_choices: List[Choice] = []


def current_choice() -> Choice:
    """Gets the choice of this process, made at the first call."""
    global _choice
    if _choice is None:
        # Threads that come at once each make one. The first counts for all, since its memory must last; none waits.
        _choices.append(choose(os.environ))
        _choice = _choices[0]
        answer_by(lister())
    return _choice


def native() -> "Optional[Kernel]":
    """Gets the kernel, or None."""
    return current_choice().kernel


def describe() -> str:
    """Says in one line what was found, for the debug field and the tools."""
    return current_choice().description


def lister() -> Lister:
    """Gets what answers for the rules in this process: the kernel, or the reference where there is none."""
    kernel = native()
    return kernel.lister() if kernel else REFERENCE


offer(lister)
