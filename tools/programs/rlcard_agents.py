"""
The sources of RLCard's agents: its registry of models, or a checkpoint of its Deep Monte Carlo.

RLCard's trainer of that kind saves ``model.tar``; only tensors are read of it, and the layers are rebuilt here, since
RLCard's own class wants packages that play no part in playing.
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ddzbot.game import SEAT_NAMES, SEATS

from ..shared.bounds import MOST_CHECKPOINT, UnreadableError, whole_file

_WEIGHTS = "fc_layers.{}.weight"
_BIAS = "fc_layers.{}.bias"


class Agent(Protocol):
    """The interface of RLCard's agents."""

    use_raw: bool
    """Whether its actions are texts; else numbers of actions."""

    def eval_step(self, state: Any) -> tuple[Any, Any]:
        """Gets an action, and what there is to say about it."""
        ...


class UnknownModelError(ValueError):
    """Raised for a model that is none; the message is one sentence that names it."""


def agents_of(model: str) -> list[Agent]:
    """
    Gets the three agents of a registered model, or of a file ``model.tar``.

    :raises UnknownModelError: if there is no such model for Dou Dizhu, or it cannot be read.
    """
    if model.endswith(".tar"):
        return _load_trained(Path(model))
    from rlcard.models.registration import model_registry

    models = sorted(registered for registered in model_registry.model_specs if registered.startswith("doudizhu"))
    if model not in models:
        raise UnknownModelError(f"model {model!r} is unknown; there are {', '.join(models)}, and files model.tar")
    agents: list[Agent] = model_registry.load(model).agents
    return agents


class TrainedAgent:
    """An agent of RLCard's Deep Monte Carlo: layers with rectified units, which value every legal action."""

    use_raw = False

    def __init__(self, layers: list[tuple[Any, Any]]) -> None:
        self._layers = layers

    def eval_step(self, state: Any) -> tuple[int, dict[str, Any]]:
        """Chooses the action of the highest value."""
        actions = list(state["legal_actions"])
        features = np.concatenate([[*state["obs"], *state["legal_actions"][action]] for action in actions])
        units = features.astype(np.float32).reshape(len(actions), -1)
        for layer, (weight, bias) in enumerate(self._layers):
            units = (np.maximum(units, 0) if layer else units) @ weight.T + bias
        return actions[int(units[:, 0].argmax())], {}


def _load_trained(path: Path) -> list[Agent]:
    import torch

    try:
        content = whole_file(path, MOST_CHECKPOINT)
        state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)["model_state_dict"]
        agents = [TrainedAgent(_layers(state[seat])) for seat in range(SEATS)]
    except UnreadableError as error:
        raise UnknownModelError(f"{path}: {error}") from None
    except Exception:  # torch raises whatever the bytes lead it to
        raise UnknownModelError(f"{path}: this is no checkpoint of RLCard's Deep Monte Carlo") from None
    for seat, agent in enumerate(agents):
        _check(agent._layers, INPUTS[seat], f"{path}: the agent of {SEAT_NAMES[seat]}")
    return [*agents]


INPUTS = (790 + 54, 901 + 54, 901 + 54)
"""The sizes of RLCard's state and action vectors, by seat."""


def _layers(state: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Gets weights and biases; between two layers RLCard counts the rectifier."""
    numbers = range(0, 2 * (len(state) // 2), 2)
    return [(state[_WEIGHTS.format(index)].numpy(), state[_BIAS.format(index)].numpy()) for index in numbers]


def _check(layers: list[tuple[Any, Any]], inputs: int, whose: str) -> None:
    width = inputs
    for weight, bias in layers:
        if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
            raise UnknownModelError(f"{whose} has a layer of {list(weight.shape)} where {width} inputs arrive")
        width = len(weight)
    if width != 1:
        raise UnknownModelError(f"{whose} has {width} outputs, not one")
