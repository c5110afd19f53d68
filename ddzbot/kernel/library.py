"""
Finds a shared library, loads it with ctypes, and declares its entry points.

The C side is documented in src/ddz_kernel.h. Every prototype is declared once, in :data:`_PROTOTYPES`.
"""

import ctypes
import os
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from ddzbot.files import ROOT
from ddzbot.kernel.records import SIZES

VERSION = 5
"""The DDZ_VERSION of the header that this package was written for."""

FILE_NAME = "ddz_kernel.dll" if os.name == "nt" else "ddz_kernel.so"

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
"""What a status of the kernel means; a status is an index into this tuple."""

BAD_CARDS = STATUS_NAMES.index("bad cards")
SHORT_BUFFER = STATUS_NAMES.index("short buffer")

_POINTER = ctypes.c_void_p
_CARDS = ctypes.c_uint64
_NUMBER = ctypes.c_uint32
_SITUATION: List[Any] = [_POINTER, _CARDS, _CARDS, ctypes.c_int32]  # rules, hand, table_cards, table_kind
_PROTOTYPES: Dict[str, List[Any]] = {
    "ddz_layout": [_POINTER, _NUMBER],
    "ddz_rules_init": [_POINTER, _POINTER, _NUMBER, _POINTER, _NUMBER, _POINTER],
    "ddz_classify": [_POINTER, _CARDS, _NUMBER, _POINTER, _NUMBER, _POINTER],
    "ddz_moves": [*_SITUATION, _POINTER, _NUMBER, _POINTER, _POINTER],
    "ddz_leads_batch": [_POINTER, _POINTER, _NUMBER, _POINTER, _NUMBER, _POINTER],
    "ddz_count_moves": [*_SITUATION, _POINTER],
    "ddz_nth_move": [*_SITUATION, _NUMBER, _POINTER],
    "ddz_random_seed": [_POINTER, ctypes.c_uint64],
    "ddz_random_below": [_POINTER, _NUMBER, _POINTER],
    "ddz_random_move": [*_SITUATION, _POINTER, _POINTER],
    "ddz_game_lay": [_POINTER, _POINTER, _CARDS],
    "ddz_game_random": [_POINTER, _POINTER, _POINTER],
    "ddz_game_scores": [_POINTER, _POINTER, _POINTER],
    "ddz_playouts": [_POINTER, _POINTER, _NUMBER, _POINTER, _POINTER],
    "ddz_splits_init": [_POINTER, _POINTER],
    "ddz_fewest_moves": [_POINTER, _CARDS, _POINTER],
    "ddz_fewest_moves_batch": [_POINTER, _POINTER, _NUMBER, _POINTER],
}
"""The parameters of every entry point that returns a status."""

_LONG_CALLS = ("ddz_playouts", "ddz_game_random", "ddz_splits_init", "ddz_leads_batch", "ddz_fewest_moves_batch")
"""These let other Python threads run. The others are over before a switch of threads would be."""


class KernelError(ValueError):
    """Raised when a library is no kernel of this version or refuses its input; the message is one sentence."""


class Memory:
    """Zeroed memory for the kernel to read and write, aligned to 8 bytes; ``address`` is where it lies."""

    def __init__(self, size: int) -> None:
        self._array = (ctypes.c_uint64 * ((size + 7) // 8))()
        self.address = ctypes.addressof(self._array)
        self.bytes = memoryview(self._array).cast("B")

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

    :raises KernelError: if the file does not load, is no kernel, or has another version.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            # PyDLL keeps the interpreter's lock: to give it back would cost more than a short call does.
            short, long = ctypes.PyDLL(path), ctypes.CDLL(path)
            version = short.ddz_version()
            if version != VERSION:
                raise KernelError(f"{path}: this kernel has version {version}, not {VERSION}")
            self.functions = {
                name: _declared(getattr(long if name in _LONG_CALLS else short, name), parameters)
                for name, parameters in _PROTOTYPES.items()
            }
            short.ddz_build.restype = ctypes.c_char_p
            self.build: str = short.ddz_build().decode("ascii")
        except (OSError, AttributeError) as error:
            raise KernelError(f"{path}: this is no kernel: {error}") from None
        self.sizes = self._layout()

    def _layout(self) -> List[int]:
        memory = Memory(4 * len(SIZES))
        self.call("ddz_layout", memory.address, len(SIZES))
        sizes = memory.counts().tolist()
        if any(wanted not in (None, size) for wanted, size in zip(SIZES, sizes)):
            raise KernelError(f"{self.path}: the records of this kernel have other sizes: {sizes}")
        return sizes

    def call(self, name: str, *arguments: Any) -> None:
        """
        Calls an entry point.

        :raises KernelError: for every status but ok.
        """
        status = self.functions[name](*arguments)
        if status:
            raise KernelError(f"{name}: {STATUS_NAMES[status]}")


class Part:
    """
    The entry points that one part of a kernel has beside those of :class:`Library`; *name* says what it does.

    *holds_lock* keeps Python's lock during a call, which only short calls may.

    :raises KernelError: if the library at *path* has no such part.
    """

    def __init__(self, path: str, name: str, prototypes: Mapping[str, List[Any]], holds_lock: bool = False) -> None:
        self.path = path
        try:
            library = ctypes.PyDLL(path) if holds_lock else ctypes.CDLL(path)
            self._functions = {
                entry: _declared(getattr(library, entry), parameters) for entry, parameters in prototypes.items()
            }
        except (OSError, AttributeError):
            raise KernelError(f"{path}: this kernel has no {name}") from None

    def status(self, entry: str, *arguments: Any) -> int:
        """Calls an entry point, and gets its status."""
        return int(self._functions[entry](*arguments))

    def call(self, entry: str, *arguments: Any) -> None:
        """
        Calls an entry point.

        :raises KernelError: for every status but ok.
        """
        status = self.status(entry, *arguments)
        if status:
            raise KernelError(f"{entry}: {STATUS_NAMES[status]}")


def _declared(function: Any, parameters: Sequence[Any]) -> Any:
    function.argtypes = parameters
    function.restype = ctypes.c_int32
    return function


def places(environment: Mapping[str, str]) -> Iterator[str]:
    """Yields where a kernel may lie, best first: ``DDZ_KERNEL``, beside this module, the build folder."""
    if environment.get("DDZ_KERNEL"):
        yield environment["DDZ_KERNEL"]
    yield os.path.join(ROOT, "ddzbot", "kernel", FILE_NAME)
    yield os.path.join(ROOT, "build", FILE_NAME)
