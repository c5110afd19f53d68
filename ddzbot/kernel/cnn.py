"""The binding of the kernel's convolutional network (src/ddz_cnn.h), which values the moves of a decision."""

import ctypes
from array import array
from struct import Struct
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ddzbot.kernel.library import KernelError, Library, Memory, Part
from ddzbot.rules import KIND_NAMES, Move

LAYERS = 29
RECORD = Struct(f"={LAYERS}Q{LAYERS}B{LAYERS}B6x")

_POINTER = ctypes.c_void_p
_NUMBER = ctypes.c_uint32
_PROTOTYPES: Dict[str, List[Any]] = {
    "ddz_cpu_avx2": [_POINTER],
    "ddz_cnn_layout": [_POINTER],
    "ddz_cnn_init": [_POINTER, _POINTER, _NUMBER, _POINTER, _NUMBER],
    "ddz_cnn_values": [_POINTER, _POINTER, _POINTER, _POINTER, _POINTER, _NUMBER, _POINTER],
}


class KernelNetwork:
    """
    A network in the kernel. *weights* are all its floats, *kind_rows* the rows of each kind of move.

    *avx2* says whether to use that; None uses it where the processor has it. The values are the same. One thread at a
    time may use a network.

    :raises KernelError: if the library has no networks, or refuses the weights.
    """

    name = "kernel"

    def __init__(
        self,
        library: Library,
        weights: "array[float]",
        kind_rows: Mapping[int, Iterable[int]],
        avx2: Optional[bool] = None,
    ) -> None:
        self.functions = Part(library.path, "networks", _PROTOTYPES)
        sizes = Memory(12)
        self.functions.call("ddz_cnn_layout", sizes.address)
        network, work, record = sizes.counts().tolist()[:3]
        if record != RECORD.size:
            raise KernelError(f"{library.path}: the records of this network have another size: {record}")
        self.avx2 = has_avx2(library) if avx2 is None else avx2
        rows = Memory(4 * len(KIND_NAMES))
        for kind, places in kind_rows.items():
            rows.counts()[kind] = sum(1 << row for row in places)
        address, count = weights.buffer_info()
        self._network, self._work, self._record = Memory(network), Memory(work), Memory(record)
        self.functions.call("ddz_cnn_init", self._network.address, address, count, rows.address, self.avx2)

    def values(self, record: Tuple[Sequence[int], Sequence[int], Sequence[int]], moves: Sequence[Move]) -> List[float]:
        """
        Values *moves*; *record* is the decision as cards, kinds and landlord flags of its 29 layers.

        :raises KernelError: for cards or kinds that cannot be.
        """
        words, kinds, landlord = record
        RECORD.pack_into(self._record.bytes, 0, *words, *kinds, *landlord)
        count = len(moves)
        cards, laid, values = Memory(8 * count + 8), Memory(count + 8), Memory(4 * count + 8)
        cards.words()[:count] = array("Q", [move.cards for move in moves])
        laid.bytes[:count] = bytes(move.kind for move in moves)
        memories = (self._network, self._work, self._record, cards, laid)
        self.functions.call("ddz_cnn_values", *(memory.address for memory in memories), count, values.address)
        found: List[Any] = values.bytes.cast("f").tolist()
        return found[:count]


def has_avx2(library: Library) -> bool:
    """
    Asks the processor for AVX2.

    :raises KernelError: if the library cannot ask.
    """
    answer = Memory(4)
    Part(library.path, "networks", {"ddz_cpu_avx2": [_POINTER]}, holds_lock=True).call("ddz_cpu_avx2", answer.address)
    return bool(answer.counts()[0])
