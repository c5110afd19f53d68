"""Files of torch: the weights of a network, and all that a training needs to resume."""

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor, nn

from ddzbot.net.fast_net import ARCHITECTURES

from ..shared.storage.whole_file import put

CHECKPOINT = "checkpoint.pt"
_NEW: dict[str, Any] = {"auction": False, "rate_games": 0, "origin": None, "rivals": [], "share": 0.0, "shards": 1}
"""The fields that older states of the champion's training lack, besides the number of units."""
_OBJECTIVES = {"win": "wp", "score": "adp"}
"""The values of ``aim`` in older states, as ``objective`` has them."""


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Gets the weights in the plain form: tensors on the CPU, contiguous along the last axis."""
    return {key: tensor.detach().cpu().contiguous() for key, tensor in model.state_dict().items()}


def weights_hash(model: nn.Module) -> str:
    """Hashes names, shapes and bits of all weights, in 12 hex digits."""
    content = hashlib.sha256()
    for key, tensor in weights_of(model).items():
        content.update(f"{key} {list(tensor.shape)} ".encode())
        content.update(tensor.numpy().tobytes())
    return content.hexdigest()[:12]


def bytes_of(state: dict[str, Any]) -> bytes:
    """Gets what torch would write; where a disk is full, torch says something else than that."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def state_of(content: bytes) -> dict[str, Any]:
    """
    Gets what torch has written. No code in it is run, and every byte is checked against the checksums beside it.

    :raises Exception: whatever damaged bytes lead torch to.
    """
    state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    # torch reads past the checksums. Checkpoints of an old torch have none, and are no zip archives.
    if zipfile.is_zipfile(io.BytesIO(content)) and (damaged := zipfile.ZipFile(io.BytesIO(content)).testzip()):
        raise ValueError(f"{damaged} is damaged: its checksum does not fit")
    return dict(state)


def save_in_one_step(path: Path, state: dict[str, Any]) -> None:
    """
    Writes what torch can: a reader sees the old file or the new one, never a half.

    :raises OSError: if it cannot be written.
    """
    put(path, bytes_of(state))


def read_checkpoint(path: Path) -> dict[str, Any]:
    """
    Reads a checkpoint, or a network that a training kept as such a file. No code in the file is run.

    :raises ClickException: if it is neither, with one sentence that names the file.
    """
    try:
        state = state_of(path.read_bytes())
        if "aim" in state:
            state["objective"] = _OBJECTIVES[state.pop("aim")]
        if "objective" in state and "architecture" in state:
            units = ARCHITECTURES.get(state["architecture"], state["architecture"])
            state = {"recipe": "champion", **_NEW, "units": units, **state}
        state["recipe"]
    except Exception as error:  # torch raises whatever the damaged bytes lead it to
        reason = str(error).partition("\n")[0].partition(". ")[0] or type(error).__name__
        raise click.ClickException(
            f"{path} cannot be read, or is of an older program ({reason:.80}): give another folder"
        ) from None
    return state
