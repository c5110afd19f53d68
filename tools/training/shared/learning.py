"""
Learns from records: batches in a seeded order, Adam, and checkpoints that lose nothing.

What a training does next is a function of its settings, its records and its last checkpoint, so that one which was
interrupted ends with the same weights as one which was not, on the same machine.
"""

import math
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from .checkpoints import read_state, save_in_one_step
from .shard_files import Array

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


class Batch(NamedTuple):
    """Some records as a network takes them."""

    planes: Array
    """(n, planes, rows, columns), uint8."""
    targets: Array
    """What it shall find of each, (n,) or (n, ...)."""


class Records(Protocol):
    """Records to learn from."""

    training: Array
    """The numbers of those to learn from."""
    test: Array
    """The numbers of those of the test games."""
    heads: Sequence[dict[str, Any]]
    """How the games were played."""

    def batch(self, numbers: Array) -> Batch:
        """Builds the input of some records."""

    def digest(self) -> str:
        """Hashes which records these are and in which order."""

    def summary(self) -> str:
        """Says how many records there are, in one sentence."""


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
    One training of *model*: ``run()`` goes on until it is done or somebody wants to stop. Derived classes have the
    format of their files, and the loss.

    ``step`` batches were learnt so far, of ``steps``; ``rows`` is the log.

    :raises ValueError: if there is no record to learn from.
    """

    file_format: ClassVar[str]

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
            "format": self.file_format,
            **settings._asdict(),
            "data": records.digest(),
            "records": len(records.training),
            "games": list(records.heads),
            "shapes": [[name, list(tensor.shape)] for name, tensor in model.state_dict().items()],
            "torch": str(torch.__version__),
        }

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean loss of what the network *found*."""
        raise AssertionError(f"{type(self).__name__} has no loss")

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
                    loss = self.loss_on_test(stopped)
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

    def loss_on_test(self, stopped: Callable[[], bool] = lambda: False) -> float | None:
        """Gets the mean loss over the records of the test games; nan without any, None once *stopped* says so."""
        self.model.eval()
        total, numbers, batch = 0.0, self.records.test, self.settings.batch
        with torch.no_grad():
            for inputs, targets in _ahead(_parts(numbers, batch), self.records, self.device):
                if stopped():
                    return None
                total += self.loss(self.model(inputs), targets).item() * len(targets)
        return total / len(numbers) if len(numbers) else math.nan

    def _learn(self, inputs: Tensor, targets: Tensor) -> None:
        self.model.train()
        rate = learning_rate(self.step, self.steps, self.settings.rate)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.bfloat16):
            found = self.model(inputs)
        loss = self.loss(found.float(), targets)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.step += 1
        self._sum += loss.item() * len(targets)
        self._count += len(targets)

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
        state = read_state(path, self.file_format)
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


def _parts(numbers: Array, batch: int) -> Iterator[Array]:
    return (numbers[start : start + batch] for start in range(0, len(numbers), batch))


def tensors(batch: Batch, device: torch.device) -> tuple[Tensor, Tensor]:
    """Gets the input of the network, the planes of a cell side by side, and what it shall find."""
    targets = torch.from_numpy(batch.targets).to(device)
    if device.type != "cpu":
        cells = torch.from_numpy(batch.planes).to(device)
        return cells.to(torch.float32, memory_format=torch.channels_last), targets
    # By numpy: in a second thread torch would start as many threads again.
    return torch.from_numpy(_channels_last(batch.planes)).permute(0, 3, 1, 2), targets


def _channels_last(planes: Array) -> Array:
    return np.ascontiguousarray(planes.transpose(0, 2, 3, 1), dtype=np.float32)


def predictions(model: nn.Module, records: Records, numbers: Array, batch: int, device: torch.device) -> Array:
    """Gets what a network finds of some records, in their order."""
    model.eval()
    with torch.no_grad():
        found = [model(inputs).cpu().numpy() for inputs, _ in _ahead(_parts(numbers, batch), records, device)]
    return np.concatenate(found) if found else np.zeros(0, np.float32)
