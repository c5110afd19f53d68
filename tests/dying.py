"""The death of a process at any of its writes, in this process: what it had not written by then is never written."""

import gc
import os
from collections.abc import Callable
from types import TracebackType
from typing import Any

import pytest
from filelock import FileLock

CALLS = ("write", "fsync", "ftruncate", "replace", "rename", "unlink")
"""What changes a file or its name, or waits until that is on the disk."""


class DyingError(BaseException):
    """Raised at a write and at all later ones; what handles errors must not take it for one."""


class Dying:
    """For the block, lets so many writes succeed; the next one is done in part, and none after it."""

    def __init__(self, at: int, part: float) -> None:
        """*part* is the share of its bytes that the last write writes; what has no bytes is done from 0.5 on."""
        self._left, self._part = at, part
        self._patch = pytest.MonkeyPatch()

    def __enter__(self) -> "Dying":
        for call in CALLS:
            self._patch.setattr(os, call, self._mortal(call, getattr(os, call)))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._patch.undo()
        for lock in gc.get_objects():  # the system closes the files of a process that died, and so ends its locks
            if type(lock) is FileLock:
                lock.release(force=True)

    def _mortal(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **options: Any) -> Any:
            self._left -= 1
            if self._left >= 0:
                return call(*arguments, **options)
            if self._left == -1 and name == "write":
                handle, data = arguments
                call(handle, data[: int(len(data) * self._part)])
            elif self._left == -1 and self._part >= 0.5:
                call(*arguments, **options)
            raise DyingError(name)

        return called
