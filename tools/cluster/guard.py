"""
The check of workers: each is asked for its program and files before it gets any work, those that join later too.

It is asked in a thread of its own, because a worker or a network that hangs must not hold up the others.
"""

import platform
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from distributed import Client

from .connect import lost
from .errors import ClusterError
from .needs import Needs, difference
from .probe import fingerprint

_EVERY_SECONDS = 0.5


class _Survey(NamedTuple):
    threads: Mapping[str, int]
    """Of each worker that is there."""
    judged: dict[str, str]
    """For each worker that was asked, why it may not play; empty if it may."""


class Guard:
    """Knows the workers of a cluster. :meth:`close` it in the end."""

    def __init__(self, client: Client, address: str, needs: Needs, say: Callable[[str], None]) -> None:
        self._client = client
        self._address = address
        self._needs = needs
        self._here = needs.fingerprint()
        self._say = say
        self._judged: dict[str, str] = {}
        self._met = False
        self._thread = ThreadPoolExecutor(1)
        self._asking: Future[_Survey] | None = None
        self._asked = float("-inf")
        self.threads: Mapping[str, int] = {}
        """The number of threads of each worker that is there and may play, by address."""

    def close(self) -> None:
        """Stops asking workers."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def look(self) -> None:
        """
        Notes the workers that came and went, without waiting.

        :raises ClusterError: if the scheduler is gone, or if all workers that were there at first are refused.
        """
        if self._asking is not None and self._asking.done():
            asking, self._asking = self._asking, None
            try:
                self._take(asking.result())
            except (OSError, RuntimeError) as error:
                raise lost(self._address, error) from None
        if self._asking is None and time.monotonic() - self._asked > _EVERY_SECONDS:
            self._asked = time.monotonic()
            self._asking = self._thread.submit(self._survey, frozenset(self._judged))

    def _take(self, survey: _Survey) -> None:
        is_first, self._met = not self._met, self._met or bool(survey.judged)
        # A worker that is gone is forgotten: another one may have its address next.
        judged = {**self._judged, **survey.judged}
        self._judged = {worker: why for worker, why in judged.items() if worker in survey.threads}
        self.threads = {worker: count for worker, count in survey.threads.items() if self._judged.get(worker) == ""}
        refused = [f"worker {worker} is refused: {why}" for worker, why in survey.judged.items() if why]
        if refused and is_first and len(refused) == len(survey.threads):
            raise ClusterError("; ".join(refused))
        for sentence in refused:
            self._say(sentence)

    def _survey(self, known: frozenset[str]) -> _Survey:
        threads = self._client.nthreads()
        fresh = [worker for worker in threads if worker not in known]
        versions = self._ask(platform.python_version, fresh)
        judged = {worker: _other_python(version) for worker, version in versions.items()}
        # A function by value is Python's bytecode: only the same Python reads it.
        readers = [worker for worker, why in judged.items() if not why]
        prints = self._ask(fingerprint, readers, *self._needs)
        judged.update((worker, _judge(self._here, there)) for worker, there in prints.items())
        return _Survey(threads, {worker: why for worker, why in judged.items() if why or worker in prints})

    def _ask(self, function: Callable[..., Any], workers: list[str], *arguments: Any) -> dict[str, Any]:
        """Gets what each worker answers, but for those that are just going."""
        if not workers:
            return {}
        answers = self._client.run(function, *arguments, workers=workers, on_error="return")
        return {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}


def _other_python(version: Any) -> str:
    here = platform.python_version()
    return "" if _minor(str(version)) == _minor(here) else f"Python is {version} there and {here} here"


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def _judge(here: Mapping[str, str], there: Any) -> str:
    if not isinstance(there, dict):
        return f"it cannot say what it would play with ({type(there).__name__}: {there})"
    return difference(here, there)
