"""
The weights of DouZero's networks: a folder of public checkpoints, or one small file of this project.

A checkpoint is what torch saves of a network, and only tensors are read of it. A file of this project holds all three
in 16 bits, with a few words about them, as numpy's .npz without objects.
"""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ddzbot.game import SEAT_NAMES

from ..shared.bounds import MOST_CHECKPOINT, UnreadableError, whole_file
from ..shared.storage.whole_file import put
from .douzero_network import Networks

_ABOUT = "about"
_WIDEST = 4096


class BadWeightsError(ValueError):
    """Raised for weights that cannot be read; the message is one sentence that names the file."""


def read(path: Path) -> Networks:
    """
    Reads a folder with ``landlord.ckpt``, ``landlord_down.ckpt`` and ``landlord_up.ckpt``, or a file of :func:`write`.

    :raises BadWeightsError: if something is missing, cannot be read, or belongs to networks of another shape.
    """
    if path.is_dir():
        return _build(
            {seat: _checkpoint(path / f"{seat_name}.ckpt") for seat, seat_name in enumerate(SEAT_NAMES)}, path
        )
    arrays, _ = _unpack(path)
    seats: dict[int, dict[str, Tensor]] = {seat: {} for seat in range(len(SEAT_NAMES))}
    for key, array in arrays.items():
        seat, _, parameter = key.partition(".")
        if seat not in SEAT_NAMES:
            raise BadWeightsError(f"{path}: {key!r} belongs to no seat")
        seats[SEAT_NAMES.index(seat)][parameter] = torch.from_numpy(array.astype(np.float32))
    return _build(seats, path)


def about(path: Path) -> str:
    """
    Gets what was written about the networks in a file.

    :raises BadWeightsError: as :func:`read`.
    """
    return _unpack(path)[1]


def write(path: Path, nets: Networks, words: str) -> None:
    """Packs the networks into one file, rounded to 16 bits, with *words* about them; the same bytes each time."""
    arrays: dict[str, Any] = {_ABOUT: np.array(words)}
    for seat, seat_name in enumerate(SEAT_NAMES):
        for parameter, tensor in nets.of(seat).state_dict().items():
            arrays[f"{seat_name}.{parameter}"] = tensor.numpy().astype(np.float16)
    packed = io.BytesIO()  # where a disk is full, the archive could not even be closed
    np.savez_compressed(packed, **arrays)
    put(path, packed.getvalue())


def _checkpoint(path: Path) -> Mapping[str, Any]:
    try:
        state = torch.load(io.BytesIO(whole_file(path, MOST_CHECKPOINT)), map_location="cpu", weights_only=True)
    except UnreadableError as error:
        raise BadWeightsError(f"{path}: {error}") from None
    except Exception:  # torch raises whatever the bytes lead it to
        raise BadWeightsError(f"{path}: this is no checkpoint of torch") from None
    if not isinstance(state, Mapping) or not all(isinstance(tensor, Tensor) for tensor in state.values()):
        raise BadWeightsError(f"{path}: this checkpoint is not the state of a network")
    return state


def _unpack(path: Path) -> tuple[dict[str, Any], str]:
    try:
        with np.load(io.BytesIO(whole_file(path, MOST_CHECKPOINT)), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
            return arrays, str(arrays.pop(_ABOUT))
    except UnreadableError as error:
        raise BadWeightsError(f"{path}: {error}") from None
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, AttributeError, TypeError):
        raise BadWeightsError(f"{path}: this is no file of DouZero's networks") from None


def _build(states: Mapping[int, Mapping[str, Any]], path: Path) -> Networks:
    inner = states[0].get("dense2.weight")
    width = len(inner) if inner is not None and inner.ndim == 2 else 0
    if not 4 <= width <= _WIDEST:
        raise BadWeightsError(f"{path}: the network of the landlord has no layer dense2 of 4 to {_WIDEST} units")
    nets = Networks(width)
    for seat, state in states.items():
        _fill(nets.of(seat), state, f"{path}: the network of {SEAT_NAMES[seat]}")
    return nets.eval()


def _fill(net: torch.nn.Module, state: Mapping[str, Any], where: str) -> None:
    for key, parameter in net.state_dict().items():
        tensor = state.get(key)
        if tensor is None:
            raise BadWeightsError(f"{where} has no {key}")
        if tensor.shape != parameter.shape:
            raise BadWeightsError(f"{where} has {key} of {list(tensor.shape)}, not {list(parameter.shape)}")
    unknown = sorted(set(state) - set(net.state_dict()))
    if unknown:
        raise BadWeightsError(f"{where} has {unknown[0]}, which DouZero's network has not")
    net.load_state_dict(dict(state))
