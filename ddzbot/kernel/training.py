"""
Kernel calls for training: games against itself, deals with every landlord, many hands at once, a sparse layer.

The arrays are the caller's, and nothing is copied: an *address* says where one lies, as ``array.ctypes.data`` does in
numpy and ``tensor.data_ptr()`` in torch. The caller keeps the array until the call returns: contiguous, and of the size
that is stated here.
"""

from typing import NamedTuple, Optional, Sequence, Tuple

from ddzbot.game import SEATS, shuffled, start
from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import DEALS_OPTIONS, RIVAL, SAMPLES, SELFPLAY_OPTIONS, SELFPLAY_TOTALS
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.library import SHORT_BUFFER, STATUS_NAMES, KernelError, Library, Memory
from ddzbot.kernel.searching import MOST_MOVES, NativeSearch, SearchOptions
from ddzbot.rules import RuleSet
from ddzbot.view import View


class SelfPlay(NamedTuple):
    """The settings of self-play games, in the kernel's units; src/include/ddz_selfplay.h describes them."""

    seed: int
    games: int
    random_moves: int
    """Of 65,536 decisions, in so many any legal move is made."""
    near: int
    """Thousandths of a logit, or of a point, by which a move may be worse than the best and still be made."""
    kept: int
    """Of 256 decisions, so many become samples."""
    by_score: bool
    trace: int
    """Thousandths of lambda."""
    random_bids: int
    """Of 65,536 bids, so many are any legal one."""

    def packed(self, rules: RuleSet, rival: "Optional[Rival]" = None) -> Tuple[int, ...]:
        """Gets the fields of a ddz_selfplay_options."""
        return (
            *(self.seed, rules.deck, self.games, self.random_moves, self.near, self.kept, int(self.by_score)),
            *(self.trace, *(rules.seat_cards(seat) for seat in range(SEATS))),
            *(rules.bottom_size, int(rules.bidding), sum(1 << seat for seat in rival.seats) if rival else 0),
            *(self.random_bids, rival.near if rival else 0),
        )


class Rival(NamedTuple):
    """The player of some seats in place of the network that learns; its moves are no training samples."""

    seats: Tuple[int, ...]
    net: Optional[FastNet] = None
    """None: the kernel's quick players (``src/tree/search_quick.c``), which play by rules of thumb as ``rule`` does."""
    near: int = 0
    """Of a network: thousandths of a logit, or of a point, by which a move may be worse than the best."""


class SampleBuffer(NamedTuple):
    """The buffers for the samples of a seat."""

    features: int
    """Address of 16-bit numbers: the features of all samples, one after the other."""
    ends: int
    """Address of 32-bit numbers: where the features of each sample end."""
    results: int
    """Address of pairs of floats: of winning, and of the score."""
    most_features: int
    most_samples: int


class SelfPlayCounts(NamedTuple):
    """The counts of what :func:`self_play` wrote."""

    counts: Tuple[Tuple[int, ...], ...]
    """By seat, how many features and samples."""
    totals: Tuple[int, ...]
    """Games, wins of the landlord, plies, decisions, values, bombs, and samples for which there was no room."""


def self_play(
    net: FastNet,
    rules: RuleSet,
    play: SelfPlay,
    rooms: Sequence[SampleBuffer],
    bids: Optional[KernelBidNet] = None,
    rival: Optional[Rival] = None,
) -> SelfPlayCounts:
    """
    Plays games of a network against itself or a *rival*, with *bids* after an auction; *rooms* are by seat.

    :raises KernelError: if the kernel refuses an option.
    """
    kernel = net.kernel
    options, samples = Memory(SELFPLAY_OPTIONS.size), Memory(SEATS * SAMPLES.size)
    totals, memory = Memory(SELFPLAY_TOTALS.size), _memory(kernel, "ddz_selfplay_memory")
    SELFPLAY_OPTIONS.pack_into(options.bytes, 0, *play.packed(rules, rival))
    for seat, room in enumerate(rooms):
        SAMPLES.pack_into(samples.bytes, seat * SAMPLES.size, *room, 0, 0)
    quick = _quick_players(kernel, rules, play.seed) if rival and not rival.net else None
    player = (
        Memory.of(RIVAL.pack(rival.net.address if rival.net else 0, quick.address if quick else 0)) if rival else None
    )
    kernel.library.call(
        "ddz_selfplay",
        *(memory.address, net.address, player.address if player else None),
        *(kernel.compiled(rules).address, kernel.splits(rules)),
        *(bids.address if bids else None, options.address, samples.address, totals.address),
    )
    counts = tuple(SAMPLES.unpack_from(samples.bytes, seat * SAMPLES.size)[5:7] for seat in range(SEATS))
    return SelfPlayCounts(counts, SELFPLAY_TOTALS.unpack(totals.bytes)[:7])


def _quick_players(kernel: Kernel, rules: RuleSet, seed: int) -> NativeSearch:
    """Sets up a search for its quick players alone, with the noise of ``mctshs``; what it searches does not matter."""
    options = SearchOptions(worlds=0, root_margin=0, tree_margin=0, expand_at=1, exploration=0, quick=True, noise=2000)
    view = View.of(start(shuffled(rules, "quick players")), 0)
    return NativeSearch(kernel, view, options, seed, nodes=MOST_MOVES)


class SampleChoice(NamedTuple):
    """Some of the samples that :func:`self_play` wrote."""

    features: int
    ends: int
    which: int
    """Address of 32-bit numbers: those of the samples."""
    number: int


def rows_sum(library: Library, samples: SampleChoice, rows: int, bias: int, out: int, units: int, code: int) -> None:
    """
    Sums bias and rows of a first layer of so many *units*, the rows that samples name by their features.

    *rows* and *bias* are addresses of floats, *out* that of a row of floats for each sample. *code* says which code of
    the kernel computes.
    """
    library.call("ddz_rows_sum", *samples, rows, bias, out, units, code)


def rows_spread(
    library: Library, samples: SampleChoice, slopes: int, out: int, units: int, strip: Tuple[int, int], code: int
) -> None:
    """
    Adds the slopes of such sums to the rows, the other way round; only the *strip* of the units from one to another.

    *slopes* is the address of a row of floats for each sample, *out* that of all rows of the layer.
    """
    library.call("ddz_rows_spread", *samples, slopes, out, units, *strip, code)


def play_deals(net: FastNet, rules: RuleSet, seed: int, out: int, deals: int) -> None:
    """
    Deals so often, and plays each deal with the landlord at each position; *out* is the address of as many ddz_dealt.

    :raises KernelError: if the kernel refuses the rules.
    """
    kernel, given = net.kernel, Memory(DEALS_OPTIONS.size)
    options = (seed, rules.deck, int(rules.scoring.bombs_double), int(rules.bidding), rules.dealt, rules.bottom_size)
    DEALS_OPTIONS.pack_into(given.bytes, 0, *options)
    memory = _memory(kernel, "ddz_deals_memory")
    where = (net.address, kernel.compiled(rules).address, kernel.splits(rules))
    kernel.library.call("ddz_deals_play", memory.address, *where, given.address, out, deals)


def fewest_moves(kernel: Kernel, rules: RuleSet, hands: int, count: int, out: int) -> None:
    """
    Counts the fewest moves that empty each of *count* hands: *hands* is the address of words, *out* of bytes.

    :raises KernelError: if the kernel refuses the cards.
    """
    kernel.library.call("ddz_fewest_moves_batch", kernel.splits(rules), hands, count, out)


def leads(kernel: Kernel, rules: RuleSet, hands: Tuple[int, int], out: Tuple[int, int], ends: int) -> None:
    """
    Lists the leads of many hands, one list after the other.

    *hands* are the address of words and how many there are, *out* that of ddz_moves and for how many there is room,
    *ends* is the address of 32-bit numbers: where each list ends.

    :raises KernelError: if the kernel refuses the cards, or the room is too small.
    """
    kernel.library.call("ddz_leads_batch", kernel.compiled(rules).address, *hands, *out, ends)


class MoveLister:
    """Lists legal moves into the caller's array. For example ``MoveLister(kernel, rules)(hand, 0, -1, out, 99)``."""

    def __init__(self, kernel: Kernel, rules: RuleSet) -> None:
        self._list = kernel.library.function("ddz_moves")
        self._rules = kernel.compiled(rules)
        self._facts = Memory(8)
        self._counts = self._facts.counts()

    def __call__(self, hand: int, cards: int, kind: int, out: int, room: int) -> Optional[int]:
        """
        Lists the moves of *hand* over *cards* that were played as *kind*, -1 to lead, as ddz_moves at the address
        *out*.

        Gets how many there are, or None if there is no *room* for so many.

        :raises KernelError: if the kernel refuses the cards.
        """
        facts = self._facts.address
        status = self._list(self._rules.address, hand, cards, kind, out, room, facts, facts + 4)
        if status == SHORT_BUFFER:
            return None
        if status:
            raise KernelError(f"hand {hand}: {STATUS_NAMES[status]}")
        return self._counts[0]


def _memory(kernel: Kernel, record: str) -> Memory:
    return Memory(kernel.library.sizes[record])
