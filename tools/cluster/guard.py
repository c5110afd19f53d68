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
        first, self._met = not self._met, self._met or bool(survey.judged)
        # A worker that is gone is forgotten: another one may have its address next.
        self._judged = {one: why for one, why in {**self._judged, **survey.judged}.items() if one in survey.threads}
        self.threads = {one: count for one, count in survey.threads.items() if self._judged.get(one) == ""}
        refused = [f"worker {one} is refused: {why}" for one, why in survey.judged.items() if why]
        if refused and first and len(refused) == len(survey.threads):
            raise ClusterError("; ".join(refused))
        for sentence in refused:
            self._say(sentence)

    def _survey(self, known: frozenset[str]) -> _Survey:
        threads = self._client.nthreads()
        fresh = [one for one in threads if one not in known]
        versions = self._ask(platform.python_version, fresh)
        judged = {one: _other_python(version) for one, version in versions.items()}
        # A function by value is Python's bytecode: only the same Python reads it.
        readers = [one for one, why in judged.items() if not why]
        found = self._ask(fingerprint, readers, *self._needs)
        judged.update((one, _judge(self._here, there)) for one, there in found.items())
        return _Survey(threads, {one: why for one, why in judged.items() if why or one in found})

    def _ask(self, function: Callable[..., Any], workers: list[str], *arguments: Any) -> dict[str, Any]:
        """Gets what each worker answers, but for those that are just going."""
        if not workers:
            return {}
        answers = self._client.run(function, *arguments, workers=workers, on_error="return")
        return {one: answer for one, answer in answers.items() if not isinstance(answer, OSError)}


def _other_python(version: Any) -> str:
    here = platform.python_version()
    return "" if _minor(str(version)) == _minor(here) else f"Python is {version} there and {here} here"


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def _judge(here: Mapping[str, str], there: Any) -> str:
    if not isinstance(there, dict):
        return f"it cannot say what it would play with ({type(there).__name__}: {there})"
    return difference(here, there)
