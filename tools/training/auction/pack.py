"""Packs a network for bids into the content of a weights file."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ddzbot.kernel.bid_records import BidParameters
from ddzbot.net.bid_net import ARCHITECTURE, NAME, SHAPES
from ddzbot.net.packed import Packed, Tensor
from ddzbot.rules import RULE_SETS

from ...release.weights_file import integer_tensor
from ..packing import Network
from .network import AuctionNet


def tensors_of(parameters: BidParameters) -> dict[str, Tensor]:
    """Names and shapes what the kernel computes with, as a file has it."""
    return {
        field: integer_tensor(np.array(numbers).reshape(SHAPES[field]), "int32" if field.endswith("_bias") else "int16")
        for field, numbers in parameters._asdict().items()
    }


def packed(states: Sequence[dict[str, Any]], _dtype: str) -> Iterator[Network]:
    """
    Packs the averaged network; the kernel computes with whole numbers, so that there is no choice of a dtype.

    :raises ValueError: if no round is over yet, or an earlier version began the training.
    """
    (state,) = states
    if not state["rows"]:
        raise ValueError("no round is over yet")
    row = state["rows"][-1]
    if "passed_out" not in row:
        raise ValueError("an earlier version of the program began this training; begin it again in another folder")
    net = AuctionNet()
    net.load_state_dict(state["learner"]["averaged"])
    names = ("deals", "steps", "batch", "others", "seed")
    options = " ".join([f"--rounds {state['goal']}", *(f"--{option} {state[option]}" for option in names)])
    description = {
        "data": {key: state[key] for key in ("deals", "deals_seed", "played_by")},
        "command": f"python -m tools train learn auction FOLDER DEALS {options}",
        "results": {"last_round": {figure: row[figure] for figure in ("rounds", "changed", "passed_out", "stake")}},
    }
    tensors = tensors_of(net.parameters_for_kernel())
    bidding = tuple(rules.name for rules in RULE_SETS.values() if rules.bidding)
    yield Network("bid", Packed(NAME, state["rules"], ARCHITECTURE, tensors, description), bidding)
