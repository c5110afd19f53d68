"""The network for bids that a command works with."""

from pathlib import Path

import click

from ddzbot.kernel import native
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.net.bid_net import bid_net_of_file, reigning_bid_net


def chosen_net(rules: str, weights: Path | None) -> KernelBidNet:
    """
    Gets the network of a file in the kernel, or the one that reigns under *rules*.

    :raises ClickException: without the kernel or such a network.
    """
    kernel = native()
    if kernel is None:
        raise click.ClickException("This needs the kernel: run make kernel.")
    loaded = bid_net_of_file(kernel, str(weights)) if weights else reigning_bid_net(kernel, rules)
    if not isinstance(loaded.net, KernelBidNet):
        raise click.ClickException(loaded.description)
    return loaded.net
