"""
Packs the state of a champion's training, small enough for a repository, and unpacks it to resume elsewhere.

Weights are rounded to 16 bits, and so are Adam's squares; its means are dropped, which it makes anew in a few steps.
A training that resumes from there is the same but for that rounding.
"""

import gzip
import operator
import warnings
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor

from ...shared.bounds import MOST_STATE, whole_file
from ...shared.interrupts import Group
from ...shared.paths import call_of
from ...shared.storage.whole_file import put
from ...shared.terminal import say
from ..checkpoints import CHECKPOINT, bytes_of, state_of

_MOST_BYTES = 4_000_000


def compact(state: dict[str, Any]) -> dict[str, Any]:
    """Rounds a checkpoint."""
    learner = state["learner"]
    return {
        **{key: setting for key, setting in state.items() if key != "learner"},
        "net": _halved(learner["net"]),
        "averaged": _halved(learner["averaged"]),
        "squares": [
            [entry["exp_avg_sq"].to(torch.bfloat16) for entry in optimizer["state"].values()]
            for optimizer in learner["optimizers"]
        ],
        "steps": [[entry["step"] for entry in optimizer["state"].values()] for optimizer in learner["optimizers"]],
        "groups": [optimizer["param_groups"] for optimizer in learner["optimizers"]],
    }


def expand(small: dict[str, Any]) -> dict[str, Any]:
    """Makes a checkpoint again."""
    optimizers = [
        {
            "state": {
                index: {"step": step, "exp_avg": torch.zeros_like(square.float()), "exp_avg_sq": square.float()}
                for index, (square, step) in enumerate(zip(squares, steps, strict=True))
            },
            "param_groups": groups,
        }
        for squares, steps, groups in zip(small["squares"], small["steps"], small["groups"], strict=True)
    ]
    settings = {
        key: setting for key, setting in small.items() if key not in ("net", "averaged", "squares", "steps", "groups")
    }
    return {
        **settings,
        "learner": {"net": _whole(small["net"]), "averaged": _whole(small["averaged"]), "optimizers": optimizers},
    }


def _halved(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {key: tensor.half() for key, tensor in weights.items()}


def _whole(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {key: tensor.float() for key, tensor in weights.items()}


@click.group(cls=Group)
def state() -> None:
    """Keep the state of a training in one small file, or resume from one."""


@state.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def pack(folder: Path, file: Path) -> None:
    """Write the state of the training in FOLDER to FILE."""
    try:
        whole = state_of((folder / CHECKPOINT).read_bytes())
        games = _games(whole)
        content = gzip.compress(bytes_of(compact(whole)), 9, mtime=0)
    except Exception as error:  # torch raises whatever the bytes lead it to
        raise click.ClickException(f"{folder}: this is not a training: {_reason(error)}") from None
    if len(content) > _MOST_BYTES:
        raise click.ClickException(f"{file}: {len(content):,} bytes are more than the {_MOST_BYTES:,} that are allowed")
    put(file, content)
    say(f"{file}: {len(content):,} bytes, {games:,} games")


@state.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def unpack(file: Path, folder: Path) -> None:
    """Make FOLDER a training that resumes from FILE."""
    if (folder / CHECKPOINT).exists():
        raise click.ClickException(f"{folder} has a training already; name another folder")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of what it then refuses
            whole = expand(state_of(whole_file(file, MOST_STATE)))
        games = _games(whole)
    except Exception as error:  # torch raises whatever the bytes lead it to
        raise click.ClickException(f"{file}: this is not a state of a training ({_reason(error)})") from None
    put(folder / CHECKPOINT, bytes_of(whole))
    say(f"{folder}: {games:,} games; resume with {call_of('train', 'learn', 'champion', str(folder))}")


def _games(whole: dict[str, Any]) -> int:
    return operator.index(whole["games"])


def _reason(error: Exception) -> str:
    """Takes the first sentence of torch's message, which fills a page."""
    sentence = str(error).partition("\n")[0].partition(". ")[0]
    return f"{sentence or type(error).__name__:.80}"
