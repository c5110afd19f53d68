"""The binding of the kernel's convolutional network (src/include/ddz_cnn.h), which values the moves of a decision."""

from array import array
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple

from ddzbot.kernel.codec import CNN_RECORD
from ddzbot.kernel.library import Library, Memory
from ddzbot.rules import KIND_NAMES, Move


class KernelNetwork:
    """
    A network in the kernel. *weights* are all its floats, *kind_rows* the rows of each kind of move.

    *avx2* says whether to use that; None uses it where the processor has it. The values are the same. One thread at a
    time may use a network.

    :raises KernelError: if the kernel refuses the weights.
    """

    name = "kernel"

    def __init__(
        self,
        library: Library,
        weights: "array[float]",
        kind_rows: Mapping[int, Iterable[int]],
        avx2: Optional[bool] = None,
    ) -> None:
        self.library = library
        self.avx2 = has_avx2(library) if avx2 is None else avx2
        rows = Memory(4 * len(KIND_NAMES))
        for kind, places in kind_rows.items():
            rows.counts()[kind] = sum(1 << row for row in places)
        address, count = weights.buffer_info()
        names = ("ddz_cnn", "ddz_cnn_work", "ddz_cnn_record")
        self._network, self._work, self._record = (Memory(library.sizes[record]) for record in names)
        self.library.call("ddz_cnn_init", self._network.address, address, count, rows.address, self.avx2)

    def values(self, record: Tuple[Sequence[int], Sequence[int], Sequence[int]], moves: Sequence[Move]) -> List[float]:
        """
        Gets the network's value of each of *moves*, in order: the mover's expected payoff, about -1 to 1.

        *record* is the decision: the cards, kinds and landlord flags of its 29 layers.

        :raises KernelError: for cards or kinds that cannot be.
        """
        words, kinds, landlord = record
        CNN_RECORD.pack_into(self._record.bytes, 0, *words, *kinds, *landlord)
        count = len(moves)
        cards, played, values = Memory(8 * count + 8), Memory(count + 8), Memory(4 * count + 8)
        cards.words()[:count] = array("Q", [move.cards for move in moves])
        played.bytes[:count] = bytes(move.kind for move in moves)
        memories = (self._network, self._work, self._record, cards, played)
        self.library.call("ddz_cnn_values", *(memory.address for memory in memories), count, values.address)
        payoffs: List[Any] = values.bytes.cast("f").tolist()
        return payoffs[:count]


def has_avx2(library: Library) -> bool:
    """Whether the CPU has AVX2."""
    answer = Memory(4)
    library.call("ddz_cpu_avx2", answer.address)
    return bool(answer.counts()[0])
