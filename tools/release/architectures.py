"""What a weights file must have, from the module of its architecture."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ddzbot.net import bid_net, cql_layers, fast_net, mcm_cnn, rocket_bidder, rocket_cnn
from ddzbot.net.packed import Packed

EXPECT: Mapping[str, Callable[[Packed], Any]] = {
    **dict.fromkeys(fast_net.ARCHITECTURES, fast_net.seats_of),
    bid_net.ARCHITECTURE: bid_net.parameters_of,
    **{
        module.ARCHITECTURE: partial(Packed.expect, architecture=module.ARCHITECTURE, shapes=module.SHAPES)
        for module in (cql_layers, mcm_cnn, rocket_cnn, rocket_bidder)
    },
}
"""By architecture, what raises a WeightsError for a file that lacks something."""
