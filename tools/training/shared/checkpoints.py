"""Files of torch: the weights of a network, and all that a training needs to go on."""

import hashlib
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ...shared.kept.whole_file import written_whole


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Gets the weights as anybody expects them: on the processor, the last axis side by side."""
    return {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}


def weights_hash(model: nn.Module) -> str:
    """Hashes names, shapes and bits of all weights, in 12 hex digits."""
    content = hashlib.sha256()
    for name, tensor in weights_of(model).items():
        content.update(f"{name} {list(tensor.shape)} ".encode())
        content.update(tensor.numpy().tobytes())
    return content.hexdigest()[:12]


def save_in_one_step(path: Path, state: dict[str, Any]) -> None:
    """Writes what torch can: a reader sees the old file or the new one, never a half."""
    with written_whole(path) as file:
        torch.save(state, file)


def read_state(path: Path, file_format: str) -> dict[str, Any]:
    """
    Reads what :func:`save_in_one_step` wrote.

    :raises ValueError: if it is something else, with one sentence that names the file.
    """
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises whatever the damaged bytes lead it to
        raise ValueError(f"{path}: it cannot be read ({str(error) or type(error).__name__:.80})") from error
    about = state.get("about") if isinstance(state, dict) else None
    if not isinstance(about, dict) or about.get("format") != file_format:
        raise ValueError(f"{path}: it is not a {file_format} file")
    found: dict[str, Any] = state
    return found
