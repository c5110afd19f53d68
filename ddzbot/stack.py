"""
A stack that is large enough for every caller.

A proof (search/certain.py) takes up to 1 MB of it. A thread may have less: 128 KB is usual under musl, 512 KB on a Mac,
and a program that starts threads may choose. A stack that is too small ends the process.
"""

import _thread
import sys
import threading
from typing import Any, Callable, List, Tuple, TypeVar

_Result = TypeVar("_Result")

STACK_BYTES = 4 << 20
"""The usual size is the system's limit of a stack: a judge may set less, or more than the memory that it gives."""


class _Here(threading.local):
    """The known bounds of this thread's stack."""

    is_large = False


_here = _Here()


def start_thread(work: Callable[[], None]) -> None:
    """
    Starts a thread with a stack of :data:`STACK_BYTES`, whatever the system's limit of a stack is.

    :raises RuntimeError: if there is no thread to be had; for want of memory it may be a MemoryError.
    """

    def with_stack() -> None:
        _here.is_large = True
        work()

    usual = threading.stack_size(STACK_BYTES)
    try:
        # Not threading.Thread, which would wait for ever for a thread that failed as it began.
        _thread.start_new_thread(with_stack, ())
    finally:
        threading.stack_size(usual)


def with_large_stack(call: Callable[[], _Result]) -> _Result:
    """
    Gets what *call* gives, or raises what it raises; where the stack of this thread may be small, in one of its own.

    If no thread is to be had, the call is made here all the same.
    """
    if _here.is_large or _is_large():
        return call()
    answers: List[Tuple[Any, Any]] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append((call(), None))
        except BaseException as error:  # raised again below, in the thread that asked
            answers.append((None, error))
        finally:
            done.set()

    try:
        start_thread(work)
    except (RuntimeError, MemoryError):
        return call()
    done.wait()
    ((result, error),) = answers
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _is_large() -> bool:
    """Checks if this is a main thread with a large stack; of other threads nothing tells."""
    if threading.current_thread() is not threading.main_thread():
        return False
    _here.is_large = _main_stack() >= STACK_BYTES
    return _here.is_large


def _main_stack() -> int:
    if sys.platform == "win32":  # there the main thread of Python has less
        return 0
    else:
        try:
            import resource
        except ImportError:
            return 0
        soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
        return sys.maxsize if soft == resource.RLIM_INFINITY else soft
