"""Two ways to look for input that a reader does not stand: Hypothesis, and a growing corpus led by lines reached."""

import hashlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import hypothesis
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.fuzz.mutation import mutated
from tests.fuzz.targets import Target
from tests.support import ROOT

BATCH = 50
"""Examples that Hypothesis tries before the clock is looked at."""

Lines = set[tuple[CodeType, int]]


class Run(NamedTuple):
    """What was done with one target."""

    executions: int
    seconds: float
    lines: int
    """Lines of the watched files that were reached."""
    found: list[Path]
    """Where the inputs lie that raised something, and what it was."""


class _Keeper:
    """Tries inputs, counts them, and keeps those that raise; one for each place where it was raised."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.check = target.check
        self.executions = 0
        self.found: dict[str, Path] = {}
        self._folder = folder

    def survives(self, data: bytes) -> bool:
        self.executions += 1
        try:
            self.check(data)
        except Exception as error:
            self._keep(data, error)
            return False
        return True

    def _keep(self, data: bytes, error: Exception) -> None:
        frame = error.__traceback__
        while frame and frame.tb_next:
            frame = frame.tb_next
        where = f"{type(error).__name__} at {frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else "?"
        former = self.found.get(where)
        if former is None or len(data) < former.stat().st_size:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = former or self._folder / hashlib.sha256(where.encode()).hexdigest()[:12]
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(
                f"{where}\n{error!s:.2000}\n", encoding="utf-8", errors="backslashreplace"
            )
            self.found[where] = path


def fuzz_target(target: Target, seconds: float, seed: int, folder: Path) -> Run:
    """Fuzzes one target for so long, a third of the time by Hypothesis; corpus and database stay in *folder*."""
    started = time.monotonic()
    keeper = _Keeper(target, folder / "found" / target.name)
    seeds = target.seeds()
    _by_hypothesis(keeper, seeds, started + seconds / 3, seed, folder / "hypothesis" / target.name)
    lines = _by_coverage(keeper, target, seeds, started + seconds, seed, folder / "corpus" / target.name)
    return Run(keeper.executions, time.monotonic() - started, len(lines), list(keeper.found.values()))


def _by_hypothesis(keeper: _Keeper, seeds: list[bytes], until: float, seed: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sample = st.sampled_from(seeds)
    damaged = st.builds(mutated, sample, sample, st.randoms(use_true_random=False))
    settings = hypothesis.settings(
        max_examples=BATCH,
        derandomize=False,
        deadline=None,
        database=DirectoryBasedExampleDatabase(folder),
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @settings
    @hypothesis.given(damaged)
    def stands(data: bytes) -> None:
        assert keeper.survives(data)

    while time.monotonic() < until:
        try:
            hypothesis.seed(seed)(stands)()
        except AssertionError:
            return  # it is kept, and Hypothesis would only find it again
        seed += 1


def _by_coverage(keeper: _Keeper, target: Target, seeds: list[bytes], until: float, seed: int, folder: Path) -> Lines:
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(f"{target.name}/{seed}")
    corpus = [*seeds, *(path.read_bytes() for path in sorted(folder.iterdir()))]
    reached: Lines = set()
    for data in corpus:
        reached |= _lines_of(keeper.survives, data, target.watched)
        if time.monotonic() > until:
            break
    while time.monotonic() < until:
        # Half of the time one of the latest, which have reached something new.
        recent = corpus[-20:] if dice.random() < 0.5 else corpus
        data = mutated(dice.choice(recent), dice.choice(corpus), dice)
        lines = _lines_of(keeper.survives, data, target.watched)
        if lines - reached:
            reached |= lines
            corpus.append(data)
            (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    return reached


def _lines_of(run: Callable[[bytes], Any], data: bytes, watched: tuple[str, ...]) -> Lines:
    """Runs something, and gets the lines of the watched files that it reached."""
    with _traced(watched) as lines:
        run(data)
    return lines


@contextmanager
def _traced(watched: tuple[str, ...]) -> Iterator[Lines]:
    lines: Lines = set()
    folders = tuple(str(ROOT / folder) for folder in watched)

    def on_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines.add((frame.f_code, frame.f_lineno))
        return on_line

    def on_call(frame: FrameType, event: str, _: Any) -> Any:
        return on_line if frame.f_code.co_filename.startswith(folders) else None

    before = sys.gettrace()
    sys.settrace(on_call)
    threading.settrace(on_call)  # the bot thinks in another thread
    try:
        yield lines
    finally:
        sys.settrace(before)
        threading.settrace(None)  # type: ignore[arg-type]
