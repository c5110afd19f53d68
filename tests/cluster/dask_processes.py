"""Schedulers and workers on this machine, each a process of its own that can be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil

from tests.support import ROOT, kernel_path

_QUIET: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
_PATIENCE = 60.0


class Dask:
    """
    A scheduler, with certificates among the *options* or none; leaving the context ends it and all its workers.

    Its units may die with *failures* workers, and one more is too much.
    """

    def __init__(self, folder: Path, *options: str, failures: int = 0) -> None:
        self._ends = ExitStack()
        self._folder = folder
        self._options = options
        self._failures = failures
        self._good: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        where = f"{'tls' if options else 'tcp'}://127.0.0.1"
        # Not in the checkout: a scheduler needs nothing of ours.
        self.scheduler = self._start(folder, "scheduler", "--host", where, "--port", "0", "--scheduler-file", str(file))
        # There it is empty at first; its last character is there when all of it is.
        until(lambda: file.exists() and file.read_text().rstrip().endswith("}"), self.scheduler)
        self.address: str = json.loads(file.read_text())["address"]

    def __enter__(self) -> "Dask":
        return self

    def __exit__(self, *exception: Any) -> None:
        self._ends.close()

    def worker(self, checkout: Path = ROOT, nanny: bool = False) -> subprocess.Popen[bytes]:
        """Starts a worker with the code of a *checkout*; with a *nanny* it comes back when it is killed."""
        way = ["--nworkers", "1"] if nanny else ["--no-nanny"]
        started = self._start(checkout, "worker", self.address, "--nthreads", "1", *way)
        if checkout == ROOT:
            self._good.append(started)
        return started

    def workers(self, *checkouts: Path) -> list[subprocess.Popen[bytes]]:
        """Starts several workers, and waits until the scheduler knows them."""
        started = [self.worker(checkout) for checkout in checkouts]
        self.wait_for(len(started))
        return started

    def good_workers(self, count: int) -> list[subprocess.Popen[bytes]]:
        """Makes sure that there are so many workers of this checkout, and gets them."""
        self._good = [worker for worker in self._good if worker.poll() is None]
        for _ in range(count - len(self._good)):
            self.worker()
        self.wait_for(count)
        return self._good[:count]

    def wait_for(self, count: int) -> None:
        """Waits until there are so many workers."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=_PATIENCE)

    def _start(self, folder: Path, *words: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "DASK_TEMPORARY_DIRECTORY": str(self._folder),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(self._failures),
            "DDZ_KERNEL": kernel_path() or "",
        }
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard", *self._options]
        process = subprocess.Popen(command, cwd=folder, env=environment, **_QUIET)
        self._ends.callback(_end, process)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills a process with its children: dask would take long to shut down."""
    if process.poll() is None:
        family = [*psutil.Process(process.pid).children(recursive=True), process]
        for member in family:
            member.send_signal(signal.SIGKILL)
    process.wait(_PATIENCE)


def until(so: Any, process: subprocess.Popen[bytes] | None = None) -> None:
    """Waits until *so* is true, as long as *process* lives."""
    deadline = time.monotonic() + _PATIENCE
    while not so():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.02)
