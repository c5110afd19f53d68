"""The network for bids that a command works with."""

import click

from ddzbot.kernel import native
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.net.bid_net import reigning_bid_net


def chosen_net(rules: str) -> KernelBidNet:
    """
    Gets the network that reigns under *rules*, in the kernel.

    :raises ClickException: without the kernel or such a network.
    """
    kernel = native()
    if kernel is None:
        raise click.ClickException("This needs the kernel: run make kernel.")
    loaded = reigning_bid_net(kernel, rules)
    if not isinstance(loaded.net, KernelBidNet):
        raise click.ClickException(loaded.description)
    return loaded.net
