"""The network that values bids (src/include/ddz_auction.h) for Python callers, as in :mod:`ddzbot.net.bid_net`."""

import ctypes
from typing import List, Sequence

from ddzbot.cards import Hand
from ddzbot.kernel.bid_records import HEADS, BidParameters, BidWorth, node_of
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import BID_NET
from ddzbot.kernel.library import Memory
from ddzbot.rules import RuleSet


class KernelBidNet:
    """A network of the kernel. For example ``KernelBidNet(kernel, parameters).worth(rules, hand, (0, 1)).bids``."""

    def __init__(self, kernel: Kernel, parameters: BidParameters) -> None:
        self.kernel = kernel
        self._buffers = [
            ctypes.create_string_buffer(numbers.tobytes(), len(numbers.tobytes())) for numbers in parameters
        ]
        self._net = Memory.of(BID_NET.pack(*(ctypes.addressof(field) for field in self._buffers)))
        self.address = self._net.address
        """The address of the ddz_bid_net."""

    def worth(self, rules: RuleSet, hand: Hand, bids: Sequence[int]) -> BidWorth:
        """
        Values the bids of a *hand* after the earlier *bids*, as :meth:`worths` does.

        :raises KernelError: if the kernel refuses the cards.
        """
        return self.worths(rules, [hand], bids)[0]

    def worths(self, rules: RuleSet, hands: Sequence[Hand], bids: Sequence[int]) -> List[BidWorth]:
        """
        Values the bids of all *hands* after the earlier *bids*; returns a :class:`BidWorth` for each hand, in order.

        :raises KernelError: if the kernel refuses the cards.
        """
        given, nodes, out = Memory(8 * len(hands) + 8), Memory(len(hands) + 1), Memory(4 * HEADS * len(hands) + 4)
        given.words()[: len(hands)] = memoryview((ctypes.c_uint64 * len(hands))(*hands)).cast("B").cast("Q")
        nodes.bytes[: len(hands)] = bytes([node_of(bids)]) * len(hands)
        where = (given.address, nodes.address, len(hands), out.address)
        self.kernel.library.call("ddz_bid_values", self.address, self.kernel.splits(rules), *where)
        heads = out.bytes.cast("i").tolist()
        return [BidWorth(tuple(heads[HEADS * index : HEADS * index + HEADS])) for index in range(len(hands))]
