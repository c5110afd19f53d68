"""A program in a job object, with three pipes: :class:`.process_group.Group` on Windows, where there is no sandbox."""

import sys

assert sys.platform == "win32"

import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from ..programs.sandbox import confine
from ..shared.work.job_windows import Job, handle_of, peak_mib
from .pipes_windows import Pipes
from .process_limits import Limits

_SUSPENDED = 0x4
_FLAGS = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP | _SUSPENDED
"""Ctrl-C is the judge's alone, and nothing that a program starts is outside its job."""
_END_SECONDS = 2.0
_PAUSE = 0.005
"""How long, and with which pauses, to wait for the end of what was killed."""


class ProcessGroup:
    """As of :class:`.process_group.Group`; :meth:`kill` may be called at any time and more than once."""

    in_sandbox = False

    def __init__(
        self,
        command: Sequence[str],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        memory_mib: float = Limits().memory_mib,
    ) -> None:
        self.peak_mib = 0.0
        self.exit_code: int | None = None
        self._busy: float | None = None
        """Its processor time when it was stopped; None while it is not."""
        started = confine(command, cwd, env, memory_mib)
        self._job, self.pipes = Job(), Pipes()
        try:
            self._popen = self._open(_found(started.words, cwd, started.env), cwd, started.env)
        except BaseException:
            self.pipes.close()
            self._job.close()
            raise
        self.pipes.begin(handle_of(self._popen))
        psutil.Process(self.pid).resume()

    def _open(self, words: Sequence[str], cwd: Path | None, env: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        stdin, stdout, stderr = self.pipes.theirs
        popen = subprocess.Popen(
            words, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, cwd=cwd, env=env, creationflags=_FLAGS
        )
        self._job.add(popen)
        return popen

    @property
    def pid(self) -> int:
        """As of the interface."""
        return self._popen.pid

    def ended(self) -> bool:
        """As of the interface."""
        return self._popen.poll() is not None

    def busy_at_rest(self) -> float | None:
        """As of the interface; the system does not tell at once whether a thread is at work."""
        return self._job.seconds()

    def stop(self) -> None:
        """As of the interface."""
        if self.exit_code is not None:
            return
        stopped: set[int] = set()
        while others := set(self._job.processes()) - stopped:
            for pid in others:
                with suppress(psutil.Error):
                    psutil.Process(pid).suspend()
            stopped |= others
        self._busy = self._job.seconds()

    def resume(self) -> float:
        """As of the interface."""
        before, self._busy = self._busy, None
        if self.exit_code is not None or before is None:
            return 0.0
        seconds = max(self._job.seconds() - before, 0.0)
        for pid in self._job.processes():
            with suppress(psutil.Error):
                psutil.Process(pid).resume()
        return seconds

    def kill(self) -> int:
        """As of the interface."""
        if self.exit_code is None:
            self._job.end()
            end = time.monotonic() + _END_SECONDS
            while self._job.running() and time.monotonic() < end:
                time.sleep(_PAUSE)
            self.exit_code = self._popen.wait()
            self.peak_mib = peak_mib(self._popen)
        return self.exit_code

    def close(self) -> None:
        """As of the interface."""
        self.kill()
        self.pipes.close()
        self._job.close()


def _found(words: Sequence[str], cwd: Path | None, env: Mapping[str, str]) -> list[str]:
    """Finds the program as it is elsewhere: in the folder that it is to run in, then along its own path."""
    here = (cwd or Path()).resolve()
    return [shutil.which(str(here / words[0])) or shutil.which(words[0], path=env.get("PATH")) or words[0], *words[1:]]
