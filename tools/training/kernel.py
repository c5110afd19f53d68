"""The kernel, for trainings, which cannot run without it."""

import click

from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel


class NoKernelError(click.ClickException, ValueError):
    """Raised where there is no kernel; the message is one sentence."""


def needed_kernel(user: str = "This") -> Kernel:
    """
    Gets the kernel for *user*, which the sentence begins with.

    :raises NoKernelError: if there is none.
    """
    kernel = native()
    if kernel is None:
        reason = describe().partition(": ")[2]
        raise NoKernelError(f"{user} needs the kernel, which `make kernel` compiles ({reason}).")
    return kernel
