"""
Learns payoffs from records: batches in a seeded order, L1 loss, Adam, and checkpoints that lose nothing.

What a training does next is a function of its settings, its records and its last checkpoint, so that one which was
interrupted ends with the same weights as one which was not, on the same machine.
"""

import hashlib
import math
import os
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from .dataset import Batch, Records
from .shards import Array

FORMAT = "ddzbot-mcm-training/1"

_WARM_SHARE = 0.02
"""The share of the steps in which the learning rate rises; then it falls along a cosine."""
_LAST_RATE = 0.01
"""What of it is left in the end."""


class Settings(NamedTuple):
    """Everything but records and network that the weights depend on."""

    epochs: int
    batch: int = 512
    rate: float = 1e-3
    """The highest learning rate."""
    seed: int = 1
    threads: int = 1
    device: str = "cpu"
    bfloat16: bool = False
    """Computes with 8 significant bits; weights and sums keep 24."""


class Row(NamedTuple):
    """A line of the log."""

    step: int
    records: int
    """Records that were learnt from, counting each time."""
    epoch: float
    rate: float
    train_loss: float
    """Mean over the records since the line before."""
    test_loss: float | None
    """At the end of an epoch."""
    seconds: float
    """That were spent until then, all runs together."""


def learning_rate(step: int, steps: int, highest: float) -> float:
    """Gets the rate of a step, counted from 0: up in a line, down along half a cosine."""
    warm = max(1, round(_WARM_SHARE * steps))
    if step < warm:
        return highest * (step + 1) / warm
    done = (step - warm) / max(1, steps - warm)
    return highest * (_LAST_RATE + (1 - _LAST_RATE) * (1 + math.cos(math.pi * done)) / 2)


def begin(settings: Settings) -> torch.device:
    """Makes torch repeat itself, and seeds it; a network must be made after this, for its first weights."""
    # cuBLAS repeats itself only with a workspace of fixed size; it reads this when it is first used.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    # Otherwise torch fills each new tensor, a sixth of the time; nothing here reads what was not written.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    return torch.device(settings.device)


class Training:
    """
    One training of *model*: ``run()`` goes on until it is done or somebody wants to stop.

    ``step`` batches were learnt so far, of ``steps``; ``rows`` is the log.

    :raises ValueError: if there is no record to learn from.
    """

    def __init__(self, model: nn.Module, records: Records, settings: Settings) -> None:
        if not len(records.training):
            raise ValueError(f"there is nothing to learn from: {records.summary()}")
        self.device = begin(settings)
        self.model = model.to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.settings = settings
        self.records = records
        self.optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate)
        self.epoch_steps = -(-len(records.training) // settings.batch)
        self.steps = settings.epochs * self.epoch_steps
        self.step = 0
        self.rows: list[Row] = []
        self._sum = 0.0
        self._count = 0
        self._seconds = 0.0
        self.about = {
            "format": FORMAT,
            **settings._asdict(),
            "data": records.digest(),
            "records": len(records.training),
            "games": list(records.heads),
            "shapes": [[name, list(tensor.shape)] for name, tensor in model.state_dict().items()],
            "torch": str(torch.__version__),
        }

    def run(
        self,
        log_every: int,
        report: Callable[[], None] = lambda: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> bool:
        """
        Learns until the last step, and tells whether it got there; *report* is called after each step.

        The log gets a line every *log_every* steps, and at the end of each epoch one with the test loss.
        """
        began = time.monotonic() - self._seconds
        batches = _ahead(self._numbers(), self.records, self.device)
        try:
            while not stopped():
                if self.step and self.step % self.epoch_steps == 0 and not self._is_tested():
                    loss = loss_on_test(self.model, self.records, self.settings.batch, self.device, stopped)
                    if loss is None:
                        return False
                    self._log(loss)
                if self.step == self.steps:
                    return True
                self._learn(*next(batches))
                self._seconds = time.monotonic() - began
                if self.step % log_every == 0 and self.step % self.epoch_steps:
                    self._log(None)
                report()
        finally:
            batches.close()
        return False

    def _is_tested(self) -> bool:
        return bool(self.rows) and self.rows[-1].step == self.step and self.rows[-1].test_loss is not None

    def _numbers(self) -> Iterator[Array]:
        """Yields the numbers of the records of each batch that is still to come."""
        first, size = self.step % self.epoch_steps, self.settings.batch
        for epoch in range(self.step // self.epoch_steps, self.settings.epochs):
            order = np.random.default_rng([self.settings.seed, epoch]).permutation(self.records.training)
            for start in range(first * size, len(order), size):
                yield order[start : start + size]
            first = 0

    def _learn(self, inputs: Tensor, payoffs: Tensor) -> None:
        self.model.train()
        rate = learning_rate(self.step, self.steps, self.settings.rate)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.bfloat16):
            found = self.model(inputs).flatten()
        loss = nn.functional.l1_loss(found.float(), payoffs)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.step += 1
        self._sum += loss.item() * len(payoffs)
        self._count += len(payoffs)

    def _log(self, loss: float | None) -> None:
        epochs, rest = divmod(self.step, self.epoch_steps)
        records = epochs * len(self.records.training) + rest * self.settings.batch
        rate = learning_rate(self.step - 1, self.steps, self.settings.rate)
        mean = self._sum / self._count if self._count else math.nan
        epoch = self.step / self.epoch_steps
        self.rows.append(Row(self.step, records, epoch, rate, mean, loss, self._seconds))
        self._sum, self._count = 0.0, 0

    def save(self, path: Path) -> None:
        """Writes all that is needed to go on into one file, in one step."""
        state = {
            "about": self.about,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "rows": [tuple(row) for row in self.rows],
            "open": (self._sum, self._count, self._seconds),
        }
        save_in_one_step(path, state)

    def resume(self, path: Path) -> None:
        """
        Goes on where :meth:`save` stopped.

        :raises ValueError: if the file is of another training, with one sentence that says what differs.
        """
        state = read_state(path)
        for name, value in self.about.items():
            if state["about"].get(name) != value:
                raise ValueError(
                    f"checkpoint {path} is of another training: {name} is {state['about'].get(name)!r:.60} there and "
                    f"{value!r:.60} here; name another folder"
                )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = state["step"]
        self.rows = [Row(*row) for row in state["rows"]]
        self._sum, self._count, self._seconds = state["open"]


def _ahead(
    numbers: Iterator[Array], records: Records, device: torch.device
) -> Generator[tuple[Tensor, Tensor], None, None]:
    """Builds each batch in another thread while the one before is learnt."""

    def build(some: Array) -> tuple[Tensor, Tensor]:
        return tensors(records.batch(some), device)

    with ThreadPoolExecutor(1) as pool:
        waiting = None
        for some in numbers:
            following = pool.submit(build, some)
            if waiting is not None:
                yield waiting.result()
            waiting = following
        if waiting is not None:
            yield waiting.result()


def tensors(batch: Batch, device: torch.device) -> tuple[Tensor, Tensor]:
    """Gets the input of the network, the layers of a cell side by side, and the payoffs that it shall find."""
    payoffs = torch.from_numpy(batch.payoffs).to(device)
    if device.type != "cpu":
        cells = torch.from_numpy(batch.planes).to(device)
        return cells.to(torch.float32, memory_format=torch.channels_last), payoffs
    # By numpy: in a second thread torch would start as many threads again.
    return torch.from_numpy(_channels_last(batch.planes)).permute(0, 3, 1, 2), payoffs


def _channels_last(planes: Array) -> Array:
    return np.ascontiguousarray(planes.transpose(0, 2, 3, 1), dtype=np.float32)


def predictions(
    model: nn.Module,
    records: Records,
    numbers: Array,
    batch: int,
    device: torch.device,
    stopped: Callable[[], bool] = lambda: False,
) -> Array | None:
    """Values some records, in their order; None once *stopped* says so."""
    model.eval()
    parts = (numbers[start : start + batch] for start in range(0, len(numbers), batch))
    found: list[Array] = []
    with torch.no_grad():
        for inputs, _ in _ahead(parts, records, device):
            if stopped():
                return None
            found.append(model(inputs).flatten().cpu().numpy())
    return np.concatenate(found) if found else np.zeros(0, np.float32)


def loss_on_test(
    model: nn.Module, records: Records, batch: int, device: torch.device, stopped: Callable[[], bool]
) -> float | None:
    """Gets the mean L1 loss over the records of the test games; nan without any, None once *stopped* says so."""
    found = predictions(model, records, records.test, batch, device, stopped)
    if found is None:
        return None
    return float(np.abs(found - records.payoff[records.test]).mean(dtype=np.float64)) if len(found) else math.nan


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
    fresh = path.with_name(path.name + ".part")
    with fresh.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)


def read_state(path: Path) -> dict[str, Any]:
    """
    Reads what :func:`save_in_one_step` wrote.

    :raises ValueError: if it is something else, with one sentence that names the file.
    """
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises whatever the damaged bytes lead it to
        raise ValueError(f"{path}: it cannot be read ({str(error) or type(error).__name__:.80})") from error
    about = state.get("about") if isinstance(state, dict) else None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"{path}: it is not a {FORMAT} file")
    found: dict[str, Any] = state
    return found
