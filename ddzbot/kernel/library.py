"""Finds a shared library, loads it with ctypes, and calls the entry points that :mod:`ddzbot.kernel.headers` lists."""

import ctypes
import os
import sys
from functools import partial
from typing import Any, Callable, Dict, Iterator, Mapping

from ddzbot.files import ROOT, shown
from ddzbot.kernel.headers import HEADERS, HOLDS_LOCK, parameters_of

VERSION = 20
"""The DDZ_VERSION of the header that this package was written for."""

FILE_NAME = "ddz_kernel" + {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")

STATUS_NAMES = (
    "ok",
    "bad pointer",
    "bad rules",
    "bad cards",
    "bad move",
    "bad index",
    "bad game",
    "bad random generator",
    "short buffer",
)
"""The names of the kernel's statuses; a status is an index into this tuple."""

SHORT_BUFFER = STATUS_NAMES.index("short buffer")


class KernelError(ValueError):
    """Raised when a library is not a kernel of this version or refuses its input; the message is one sentence."""


class Memory:
    """Zeroed memory for the kernel to read and write, aligned to 8 bytes; ``address`` is where it lies."""

    def __init__(self, size: int) -> None:
        words = max(1, (size + 7) // 8)
        self._array = (ctypes.c_uint64 * words)()
        if ctypes.addressof(self._array) % 8:  # 32-bit x86 aligns a number of 64 bits to 4 bytes
            self._array = (ctypes.c_uint64 * (words + 1))()
        start = -ctypes.addressof(self._array) % 8
        self.address = ctypes.addressof(self._array) + start
        whole = memoryview(self._array).cast("B")
        # PyPy's struct writes to all of it, but to no part.
        self.bytes = whole if len(whole) == 8 * words else whole[start : start + 8 * words]

    @classmethod
    def of(cls, content: bytes) -> "Memory":
        """Gets memory that holds *content*."""
        memory = cls(max(1, len(content)))
        memory.bytes[: len(content)] = content
        return memory

    def reference(self) -> Any:
        """Gets a pointer to it for ctypes."""
        return ctypes.byref(self._array, self.address - ctypes.addressof(self._array))

    def words(self) -> "memoryview[int]":
        """Gets the same memory as items of 64 bits, for cards."""
        return self.bytes.cast("Q")

    def counts(self) -> "memoryview[int]":
        """Gets the same memory as items of 32 bits, for counts."""
        return self.bytes.cast("I")


class Library:
    """
    The entry points of one shared library, checked to be of this version.

    For example ``Library(path).call("ddz_random_seed", memory.address, 7)``.

    :raises KernelError: if the file does not load, is not a kernel, or has another version or other records.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._functions: Dict[str, Any] = {}
        try:
            # PyDLL keeps the interpreter's lock: to give it back would cost more than a short call does. PyPy has none.
            self._short, self._long = getattr(ctypes, "PyDLL", ctypes.CDLL)(path), ctypes.CDLL(path)
            version = self._short.ddz_version()
            if version != VERSION:
                raise KernelError(f"{shown(path)}: this kernel has version {version}, not {VERSION}")
            self._short.ddz_build.restype = ctypes.c_char_p
            self.build: str = self._short.ddz_build().decode("ascii")
            self.sizes = self._layout()
            """The bytes of each record, by its name in C."""
        except (OSError, AttributeError) as error:
            reason = str(error).replace(f"{path}: ", "", 1)  # the loader of libraries names the file once more
            raise KernelError(f"{shown(path)}: this is not a kernel: {reason}") from None

    def _layout(self) -> Dict[str, int]:
        sizes: Dict[str, int] = {}
        for header in HEADERS:
            memory = Memory(4 * len(header.records))
            self.call(header.layout, memory.address, len(header.records))
            for (record, expected), size in zip(header.records, memory.counts()):
                if expected not in (None, size):
                    raise KernelError(f"{shown(self.path)}: a {record} of this kernel has {size} bytes, not {expected}")
                sizes[record] = size
        return sizes

    def function(self, name: str) -> Any:
        """
        Gets an entry point to call directly, which saves a little time; it returns a status.

        :raises KernelError: if the library has no such entry point.
        """
        entry = self._functions.get(name)
        if entry is None:
            try:
                entry = getattr(self._short if name in HOLDS_LOCK else self._long, name)
            except AttributeError:
                raise KernelError(f"{shown(self.path)}: this kernel has no {name}") from None
            entry.argtypes, entry.restype = parameters_of(name), ctypes.c_int32
            self._functions[name] = entry
        return entry

    def prepared(self, name: str, record: Memory) -> Callable[[], int]:
        """
        Gets an entry point with its one argument, a *record*, so that nothing is left to convert at a call.

        :raises KernelError: if the library has no such entry point.
        """
        self.function(name)
        bare = (self._short if name in HOLDS_LOCK else self._long)[name]  # without the types of its parameters
        bare.restype = ctypes.c_int32
        return partial(bare, record.reference())

    def address(self, name: str) -> int:
        """
        Gets where an entry point lies.

        :raises KernelError: if the library has none of that name.
        """
        return int(ctypes.cast(self.function(name), ctypes.c_void_p).value or 0)

    def status(self, name: str, *arguments: Any) -> int:
        """Calls an entry point, and gets its status."""
        return int(self.function(name)(*arguments))

    def call(self, name: str, *arguments: Any) -> None:
        """
        Calls an entry point.

        :raises KernelError: for every status but ok.
        """
        status = self.function(name)(*arguments)
        if status:
            raise KernelError(f"{name}: {STATUS_NAMES[status]}")


def places(environment: Mapping[str, str]) -> Iterator[str]:
    """Yields where a kernel may lie, best first: ``DDZ_KERNEL``, beside this module, the build folder."""
    if environment.get("DDZ_KERNEL"):
        yield environment["DDZ_KERNEL"]
    yield os.path.join(ROOT, "ddzbot", "kernel", FILE_NAME)
    yield os.path.join(ROOT, "build", FILE_NAME)
