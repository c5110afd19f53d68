"""Packs the network MCM into the content of a weights file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ddzbot.net import mcm_cnn
from ddzbot.net.mcm_features import NAME, planes
from ddzbot.net.packed import Packed

from ..packing import Network, Numbers, arrays_of, floats_of, rounding_error, tensors_of
from .dataset import load_samples
from .model import McmModel
from .plan import THESIS

SAMPLE_RECORDS = 2000


def packed(states: Sequence[dict[str, Any]], dtype: str) -> Iterator[Network]:
    """
    Packs the network.

    :raises ValueError: if it learned from other features, or under several rule sets.
    """
    (state,) = states
    learned_from = {(games["rules"], games["features"]) for games in state["games"]}
    rules = sorted({rules for rules, features in learned_from if features == NAME})
    if len(learned_from) != 1 or not rules:
        sources = " and ".join(f"{features} under {rules}" for rules, features in sorted(learned_from))
        raise ValueError(f"it learned from {sources}, not from {NAME} under one rule set")
    before = arrays_of(state["learner"]["net"])
    # Without the CPU time: a training that is repeated gives the same file.
    left_out = ("data", "records", "shapes", "learner", "rows", "recipe", "seconds")
    settings = {key: setting for key, setting in state.items() if key not in left_out}
    options = f"--epochs {state['epochs']} --batch {state['batch']} --rate {state['rate']} --seed {state['seed']}"
    description = {
        "data": {"records": state["records"], "digest": state["data"]},
        "command": f"python -m tools train learn mcm FOLDER SHARDS {options}",
        "results": {"settings": settings},
    }
    content = Packed(NAME, rules[0], mcm_cnn.ARCHITECTURE, tensors_of(before, dtype), description)
    teachers = {games["setting"] for games in state["games"]}
    yield Network("mcm", content, (rules[0],), before, THESIS if teachers == {THESIS} else "")


def value_loss(network: Network, folder: Path) -> str:
    """
    Says what packing changes in the values of the first records of the test games in a folder of shards.

    :raises ValueError: if there is no shard, or something else in a shard's place.
    """
    samples = load_samples([folder])
    numbers = samples.test if len(samples.test) else samples.training
    sample = planes(*samples.inputs(numbers[:SAMPLE_RECORDS]))
    after = {key: floats_of(tensor) for key, tensor in network.packed.tensors.items()}
    values = [_outputs(tensors, sample) for tensors in (network.before, after)]
    figures = rounding_error(*values)
    return f"values of {len(values[0]):,} records: max error {figures.most:.3g}, mean error {figures.mean:.3g}"


def _outputs(tensors: Mapping[str, Numbers], sample: Numbers) -> Numbers:
    model = McmModel()
    model.load_state_dict({key: torch.from_numpy(values) for key, values in tensors.items()})
    with torch.no_grad():
        return np.asarray(model(torch.from_numpy(sample)).numpy())
