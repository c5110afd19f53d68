"""Runs the steps in order, and leaves out what cannot run after a failure."""

from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple

from ...shared.message import Message
from .bench import Bench
from .compliance import NonComplianceError, NotAskedForError
from .steps import STEPS, Step
from .turn import Turn

Status = Literal["pass", "fail", "not run", "not asked for"]


class Finding(NamedTuple):
    """What a step came to."""

    number: int
    name: str
    status: Status
    sentence: str
    turn: Turn | None = None
    """The turn in which it failed."""

    @property
    def complies(self) -> bool:
        """Checks if the step leaves nothing to do; one that was not asked for does not count."""
        return self.status in ("pass", "not asked for")

    def as_json(self) -> dict[str, Any]:
        """Gets the finding for programs."""
        return {field: value for field, value in self._asdict().items() if field != "turn"}


def choose(text: str) -> set[int]:
    """
    Reads which steps are to run, by number or by name. For example, ``3,lead`` is ``{3, 4}``; no text is all.

    :raises ValueError: if there is no such step
    """
    names = {step.name: number for number, step in enumerate(STEPS, 1)}
    steps = names | {str(number): number for number in names.values()}
    chosen = [word.strip() for word in text.split(",")] if text else list(names)
    for word in chosen:
        if word not in steps:
            problem = "step {step} is unknown: choose from 1 to {count}, or from {names}"
            raise ValueError(Message(problem, step=repr(word), count=len(STEPS), names=", ".join(names)))
    return {steps[word] for word in chosen}


def run_steps(bench: Bench, numbers: Collection[int]) -> Iterator[Finding]:
    """Runs the steps with these *numbers*, and yields each finding as soon as it is known."""
    missing: dict[str, Message] = {}
    for number, step in enumerate(STEPS, 1):
        if number in numbers:
            finding = _run(bench, number, step, missing)
            if not finding.complies:
                own = Message("step {number} ({name})", number=number, name=step.name)
                missing[step.name] = missing.get(next(iter(_lacks(step, missing)), ""), own)
            yield finding


def _run(bench: Bench, number: int, step: Step, missing: dict[str, Message]) -> Finding:
    """*missing* has, for each step that did not pass, the one that is to blame for it."""
    for need in _lacks(step, missing):
        return Finding(number, step.name, "not run", Message("{step} has to pass first", step=missing[need]))
    try:
        return Finding(number, step.name, "pass", step.run(bench))
    except NonComplianceError as failure:
        return Finding(number, step.name, "fail", str(failure), failure.turn)
    except NotAskedForError as reason:
        return Finding(number, step.name, "not asked for", str(reason))


def _lacks(step: Step, missing: dict[str, Message]) -> list[str]:
    return [need for need in step.needs if need in missing]
