"""What a training keeps on a disk: a full one is one sentence, a damaged byte is seen, a death costs nothing."""

import errno
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import torch

from tests.dying import Dying, DyingError
from tests.support import ROOT
from tests.training.test_loop import Tiny
from tools.training.checkpoints import read_checkpoint, save_in_one_step
from tools.training.loop import Marks, Training, run

pytestmark = pytest.mark.whole

STATE: dict[str, Any] = {
    "recipe": "tiny",
    "games": 4,
    "rows": [{"games": 4, "loss": 0.5}],
    "learner": {"weights": torch.arange(500, dtype=torch.float32), "steps": torch.tensor([3])},
}


def flat(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {name: flat(one) for name, one in value.items()}
    return value


def test_a_flipped_bit_anywhere_is_seen_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_in_one_step(path, STATE)
    whole, seen = path.read_bytes(), 0
    for place in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            assert flat(read_checkpoint(path)) == flat(STATE)
        except click.ClickException as error:
            assert error.message.startswith(f"{path} cannot be read, or is of an older program (")
            seen += 1
    # The rest are zeros between the parts, which are not read.
    assert seen > len(whole) / 7 / 2


def test_a_flipped_bit_of_the_weights_is_named(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_in_one_step(path, STATE)
    whole = bytearray(path.read_bytes())
    whole[whole.index(torch.arange(100, 120, dtype=torch.float32).numpy().tobytes())] ^= 1
    path.write_bytes(whole)
    with pytest.raises(click.ClickException, match="is damaged: its checksum does not fit"):
        read_checkpoint(path)


def go_on(folder: Path, games: int = 12) -> dict[str, Any]:
    training = Training(folder, Tiny())
    run(training, Marks(games), Marks(4), 0.0, True)
    state = read_checkpoint(training.checkpoint)
    del state["seconds"]
    return dict(flat({**state, "rows": [{**row, "seconds": 0} for row in state["rows"]]}))


def test_a_training_on_a_full_disk_ends_with_a_message_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on(tmp_path / "t", 4)
    before = (tmp_path / "t" / "checkpoint.pt").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(click.ClickException) as caught:
            go_on(tmp_path / "t")
    assert caught.value.message == (
        f"the disk of {tmp_path / 't' / 'checkpoint.pt'} is full (No space left on device); free some space, "
        "then run the same command again to resume"
    )
    assert (tmp_path / "t" / "checkpoint.pt").read_bytes() == before
    assert go_on(tmp_path / "t") == go_on(tmp_path / "whole")


FULL = """
import resource, sys
from pathlib import Path
import torch
from tools.programs import douzero_weights
from tools.training.checkpoints import save_in_one_step
folder = Path(sys.argv[1])
networks = douzero_weights.read(Path("tools/programs/weights/zero.npz"))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
for write in (
    lambda: save_in_one_step(folder / "a.pt", {str(number): torch.rand(9_000) for number in range(40)}),
    lambda: douzero_weights.write(folder / "a.npz", networks, "a test"),
):
    try:
        write()
    except OSError as error:
        print(error.strerror, error.filename)
"""


def test_torch_and_numpy_say_that_there_is_no_room(tmp_path: Path) -> None:
    """At a limit of the system, which takes a part of a write, as a full disk does."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"File too large {tmp_path / 'a.pt'}\nFile too large {tmp_path / 'a.npz'}\n"
    assert not list(tmp_path.iterdir())


def test_a_training_that_dies_at_any_write_ends_as_one_that_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is written last there is nothing or half; every file is written several times, and meets both."""
    monkeypatch.setattr(Training, "draw", lambda _: None)
    whole, deaths, dice = go_on(tmp_path / "whole"), 0, random.Random(1)
    for at in range(200):
        folder = tmp_path / str(at)
        try:
            with Dying(at, dice.choice((0.0, 0.5))):
                go_on(folder)
        except DyingError:
            deaths += 1
        else:
            break
        assert go_on(folder) == whole
        assert (folder / "log.csv").read_text().count("\n") == 4
        assert not list(folder.glob("checkpoint.pt.*"))
    assert 10 < deaths < 200
