"""
The hot paths: the C kernel where there is one, else its twin in Python. Both give the same answers.

Which one it is gets chosen once, at the first use. ``DDZ_NO_KERNEL=1`` in the environment forces the twin. A kernel
is looked for where ``DDZ_KERNEL`` points, beside this module, and in the build folder; it must have the version that
this package was written for. Nothing is written to stderr: :func:`describe` says what was found. The import of this
package loads neither kernel nor twin.
"""

import os
from typing import TYPE_CHECKING, List, Mapping, NamedTuple, Optional, Union

from ddzbot.cards import Hand
from ddzbot.files import exists, loadable, read_bytes
from ddzbot.rules import Move, RuleSet

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.twin import Twin

    Engine = Union[Kernel, Twin]
    """Type alias: whoever does the work."""


class Choice(NamedTuple):
    """The kernel or the twin, and why."""

    engine: "Engine"
    """Whichever does the work."""
    kernel: "Optional[Kernel]"
    """The same kernel, or None where it is the twin."""
    description: str
    """One line. For example ``kernel 4 build/ddz_kernel.so`` or ``twin: DDZ_NO_KERNEL is set``."""


def choose(environment: Mapping[str, str]) -> Choice:
    """Loads the first kernel that fits, or else the twin. Never raises because of a kernel."""
    if environment.get("DDZ_NO_KERNEL") == "1":
        return _twin("DDZ_NO_KERNEL is set")
    try:
        from ddzbot.kernel.binding import Kernel
        from ddzbot.kernel.library import VERSION, KernelError, places
        from ddzbot.kernel.seal import broken_seal
    except ImportError as error:
        return _twin(str(error))  # a Python without ctypes
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
                return Choice(kernel, kernel, f"kernel {VERSION} {path}")
    return _twin("; ".join(reasons) or "there is no kernel")


def _twin(reason: str) -> Choice:
    from ddzbot.kernel.twin import Twin

    return Choice(Twin(), None, "twin: " + reason)


_choice: Optional[Choice] = None


def chosen() -> Choice:
    """Gets the choice of this process, made at the first call."""
    global _choice
    if _choice is None:
        _choice = choose(os.environ)
    return _choice


def engine() -> "Engine":
    """Gets the kernel or the twin, whichever was chosen."""
    return chosen().engine


def native() -> "Optional[Kernel]":
    """Gets the kernel, or None where the twin does the work."""
    return chosen().kernel


def describe() -> str:
    """Says in one line what was chosen and why, for the debug field and the tools."""
    return chosen().description


def legal_moves(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
    """Lists every legal move, the same list as :func:`ddzbot.rules.legal_moves`."""
    return chosen().engine.legal_moves(rules, hand, to_beat)
