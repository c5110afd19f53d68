"""
Learning from samples: batches in a seeded order, Adam, and a test after each epoch.

The next step of a training is a function of its settings, its samples and its last checkpoint, so that one which was
interrupted ends with the same weights as one which was not, on the same machine.
"""

import math
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import click
import numpy as np
import torch
from torch import Tensor, nn

from ..shared.options import EXISTING_FOLDER, FiniteRange
from .figures import LogLine
from .loop import Learner
from .samples import Batch, Samples
from .shards import Array

_Command = TypeVar("_Command", bound=Callable[..., Any])

_WARM_SHARE = 0.02
"""The share of the steps in which the learning rate rises; then it falls along a cosine."""
_LAST_RATE = 0.01
"""The learning rate in the end, as a share of its peak."""


class Settings(NamedTuple):
    """Everything but samples and network that the weights depend on."""

    epochs: int
    batch: int = 512
    rate: float = 1e-3
    """The highest learning rate."""
    seed: int = 1
    threads: int = 1
    device: str = "cpu"
    bfloat16: bool = False
    """Computes with 8 significant bits; weights and sums keep 24."""


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


class SamplesLearner(Learner):
    """
    Learns from samples; derived classes have the name, and the loss.

    A round is a batch. After the training batches of an epoch come those of the test, so that it too may be stopped.

    :raises ValueError: if there is no sample to learn from.
    """

    unit = "batches"
    figures = ("step", "records", "epoch", "rate", "train_loss", "test_loss")

    def __init__(
        self, build_network: Callable[[], nn.Module], samples: Samples, how: Settings, log_every: int = 200
    ) -> None:
        if not len(samples.training):
            raise ValueError(f"there is nothing to learn from: {samples.summary()}")
        self.device = begin(how)
        self.model: nn.Module = build_network().to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.samples, self.how, self.log_every = samples, how, log_every
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=how.rate)
        self.epoch_steps = -(-len(samples.training) // how.batch)
        self._epoch_batches = self.epoch_steps + -(-len(samples.test) // how.batch)
        self.batches = how.epochs * self._epoch_batches
        """All there are, those of the tests too."""
        self._learned, self._tested = (0.0, 0), (0.0, 0)
        """The sum of losses, and of how many samples: since the last row of the log, and of the test so far."""
        self._coming: Generator[tuple[Tensor, Tensor], None, None] | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that must stay the same to resume a folder, by option name."""
        return {
            **self.how._asdict(),
            "data": self.samples.digest(),
            "records": len(self.samples.training),
            "games": list(self.samples.heads),
            "shapes": [[key, list(tensor.shape)] for key, tensor in self.model.state_dict().items()],
            "torch": str(torch.__version__),
        }

    def loss(self, found: Tensor, targets: Tensor) -> Tensor:
        """Gets the mean loss of what the network *found*."""
        raise AssertionError(f"{type(self).__name__} has no loss")

    def round(self) -> LogLine | None:
        """Learns a batch, or tests one; a row is due every so many steps, and at the end of an epoch."""
        if self._coming is None:
            self._coming = _ahead(self._numbers(), self.samples, self.device)
        epoch, batch = divmod(self.done, self._epoch_batches)
        inputs, targets = next(self._coming)
        self.done += 1
        if batch < self.epoch_steps:
            self._learn(epoch * self.epoch_steps + batch, inputs, targets)
        else:
            self._test(inputs, targets)
        step = epoch * self.epoch_steps + min(batch + 1, self.epoch_steps)
        if batch + 1 == self._epoch_batches:
            total, count = self._tested
            self._tested = 0.0, 0
            return self._row(step, total / count if count else math.nan)
        return self._row(step, None) if batch + 1 < self.epoch_steps and step % self.log_every == 0 else None

    def _numbers(self) -> Iterator[Array]:
        """Yields the numbers of the samples of each batch that is still to come."""
        skipped, size = self.done % self._epoch_batches, self.how.batch
        for epoch in range(self.done // self._epoch_batches, self.how.epochs):
            order = np.random.default_rng([self.how.seed, epoch]).permutation(self.samples.training)
            yield from [*_parts(order, size), *_parts(self.samples.test, size)][skipped:]
            skipped = 0

    def _learn(self, step: int, inputs: Tensor, targets: Tensor) -> None:
        self.model.train()
        rate = learning_rate(step, self.how.epochs * self.epoch_steps, self.how.rate)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.how.bfloat16):
            outputs = self.model(inputs)
        loss = self.loss(outputs.float(), targets)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        total, count = self._learned
        self._learned = total + loss.item() * len(targets), count + len(targets)

    def _test(self, inputs: Tensor, targets: Tensor) -> None:
        self.model.eval()
        with torch.no_grad():
            loss = self.loss(self.model(inputs), targets).item()
        total, count = self._tested
        self._tested = total + loss * len(targets), count + len(targets)

    def _row(self, step: int, test_loss: float | None) -> LogLine:
        epochs, steps = divmod(step, self.epoch_steps)
        records = epochs * len(self.samples.training) + steps * self.how.batch
        rate = learning_rate(step - 1, self.how.epochs * self.epoch_steps, self.how.rate)
        total, count = self._learned
        self._learned = 0.0, 0
        cells = (
            *(step, records, f"{step / self.epoch_steps:.4f}", f"{rate:.6g}", round(total / count, 6)),
            None if test_loss is None else round(test_loss, 6),
        )
        return dict(zip(self.figures, cells, strict=True))

    def state(self) -> dict[str, Any]:
        """Gets network and optimizer, and the sums of the rows to come."""
        states = {"net": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        return {**states, "open": self._learned, "tested": self._tested}

    def load(self, state: Mapping[str, Any]) -> None:
        """Resumes from a checkpoint."""
        learned = state["learner"]
        self.model.load_state_dict(learned["net"])
        self.optimizer.load_state_dict(learned["optimizer"])
        self._learned, self._tested = learned["open"], learned["tested"]

    def close(self) -> None:
        """Ends the thread that builds batches."""
        if self._coming is not None:
            self._coming.close()
            self._coming = None


def shards_argument(command: _Command) -> _Command:
    """Gives a command ``SHARDS...``, as ``folders``."""
    return click.argument("folders", metavar="SHARDS...", nargs=-1, required=True, type=EXISTING_FOLDER)(command)


def records_options(command: _Command) -> _Command:
    """Gives a command the options of every training on records; :func:`settings_of` reads them."""
    default = "By default as the network needs it."
    for option in (
        click.option("--log-every", type=click.IntRange(1), default=200, help="Steps between two lines of the log."),
        click.option("--threads", type=click.IntRange(1), default=os.cpu_count() or 1, help="Threads of torch."),
        click.option("--bfloat16", is_flag=True, help="Compute with 16 bits: faster on CPUs that support it."),
        click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="Where to compute."),
        click.option("--rate", type=FiniteRange(0, min_open=True), help=f"The highest learning rate. {default}"),
        click.option("--batch", type=click.IntRange(1), help=f"Records in a step. {default}"),
        click.option("--first", "records", type=click.IntRange(1), help="Take only the first so many records."),
        click.option("--epochs", type=click.IntRange(1), help=f"Passes over all records. {default}"),
    ):
        command = option(command)
    return command


def settings_of(usual: Settings, **given: Any) -> Settings:
    """
    Gets the settings out of the options of a command; what was not given is as *usual*.

    :raises UsageError: for a device that is not there.
    """
    if given["device"] == "cuda" and not torch.cuda.is_available():
        raise click.UsageError("device cuda: torch finds no such device here")
    return usual._replace(**{option: setting for option, setting in given.items() if setting is not None})


def _ahead(
    numbers: Iterator[Array], samples: Samples, device: torch.device
) -> Generator[tuple[Tensor, Tensor], None, None]:
    """Builds each batch in another thread while the one before is learnt."""

    def build(some: Array) -> tuple[Tensor, Tensor]:
        return tensors(samples.batch(some), device)

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
        layout = torch.channels_last if cells.ndim == 4 else torch.preserve_format
        return cells.to(torch.float32, memory_format=layout), targets
    # By numpy: in a second thread torch would start as many threads again.
    if batch.planes.ndim == 2:
        return torch.from_numpy(batch.planes.astype(np.float32)), targets
    return torch.from_numpy(_channels_last(batch.planes)).permute(0, 3, 1, 2), targets


def _channels_last(planes: Array) -> Array:
    return np.ascontiguousarray(planes.transpose(0, 2, 3, 1), dtype=np.float32)


def predictions(model: nn.Module, samples: Samples, numbers: Array, batch: int, device: torch.device) -> Array:
    """Gets what a network finds of some samples, in their order."""
    model.eval()
    with torch.no_grad():
        outputs = [model(inputs).cpu().numpy() for inputs, _ in _ahead(_parts(numbers, batch), samples, device)]
    return np.concatenate(outputs) if outputs else np.zeros(0, np.float32)
