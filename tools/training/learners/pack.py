"""Packs the networks of CQL, DQN and A3C into the content of weights files."""

from collections.abc import Iterator, Sequence
from typing import Any

from ddzbot.net.packed import Packed
from ddzbot.rules import RULE_SETS

from ..packing import Network, arrays_of, tensors_of

_LEFT_OUT = ("value.weight", "value.bias")
"""Tensors that only learning needs."""


def packed(states: Sequence[dict[str, Any]], dtype: str) -> Iterator[Network]:
    """Packs the network of a checkpoint; what it took is not in it, so that the same training is the same file."""
    (state,) = states
    weights = {key: tensor for key, tensor in state["learner"]["net"].items() if key not in _LEFT_OUT}
    before = arrays_of(weights)
    recipe, rules, games, seed = state["recipe"], state["rules"], state["games"], state["seed"]
    description = {
        "data": {"games": games, "seed": seed},
        "command": f"python -m tools train learn {recipe} FOLDER --count {games} --rules {rules} --seed {seed}",
        "results": _results(state["rows"]),
    }
    content = Packed(state["features"], rules, state["architecture"], tensors_of(before, dtype), description)
    yield Network(recipe, content, tuple(RULE_SETS), before)


def _results(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Gets the last measurement, if there is one."""
    measured = [row for row in rows if "wp_rhcp" in row]
    if not measured:
        return {}
    row = measured[-1]
    return {
        "games": row["games"],
        "landlord against rule": row["wp_rule"],
        "landlord against rhcp": row["wp_rhcp"],
    }
