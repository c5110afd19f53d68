"""
Ways to divide a hand into moves, and the fewest moves that empty it.

A division is made in two steps. First the *chains*: a depth-first walk takes them in a fixed order, so that
every set of chains is met once (a 20-card hand has about 20 sets, at most some hundred). The other cards are *loose*:
since one rank of one to four cards is always one move by itself, the loose cards are as many moves as they have
ranks, less the ranks that other moves can take along as kickers. That second step looks at the counts of the ranks
alone, so that its answers are few and are kept.
"""

from functools import lru_cache
from typing import Callable, Iterator, List, NamedTuple, Sequence, Set, Tuple

from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, ROCKET_CARDS, UNIT, Hand, contains, counts, size
from ddzbot.rules import ANY, DISTINCT, RuleSet, Shape


class Chain(NamedTuple):
    """A chain without kickers."""

    cards: Hand
    group: int
    """The number of cards of each rank."""
    rank: int
    """The lowest rank."""
    length: int
    """The number of ranks."""


Piles = Tuple[int, ...]
"""
Type alias: loose cards as sorted counts, one for each rank, that forget which rank it was.

A rank inside the body of the plane number *i* that has one more card loose is ``1 + 8 * (i + 1)``, because that
card may go along with every move but that plane.
"""

_CACHE = 1 << 16


@lru_cache(maxsize=None)
def _shortest(rules: RuleSet) -> Tuple[Tuple[int, int], ...]:
    """Lists the legal chains without kickers as (cards of each rank, fewest ranks)."""
    return tuple((shape.group, shape.min_length) for shape in rules.legal if shape.max_length > 1 and not shape.kicker)


def _chains_in(rules: RuleSet, hand: Hand) -> List[Chain]:
    held = counts(hand)
    chains = []
    for group, shortest in _shortest(rules):
        for rank in range(ACE - shortest + 2):
            length = 0
            while rank + length <= ACE and held[rank + length] >= group:
                length += 1
                if length >= shortest:
                    chains.append(Chain(_RUN[length] * group << (4 * rank), group, rank, length))
    return chains


_RUN = tuple(sum(UNIT[:length]) for length in range(ACE + 2))


def chain_sets(rules: RuleSet, hand: Hand) -> Iterator[Tuple[Hand, Tuple[Chain, ...]]]:
    """
    Yields the loose cards and the chains of every set of chains that *hand* holds, each set once.

    For example, ``34567`` has two sets: five loose cards and no chain, and nothing loose and one chain.
    """
    stack: List[Tuple[Hand, List[Chain], Tuple[Chain, ...]]] = [(hand, _chains_in(rules, hand), ())]
    while stack:
        loose, fitting, chains = stack.pop()
        yield loose, chains
        for index, chain in enumerate(fitting):
            # Never a chain that stands before the last one, so that no set comes twice.
            left = loose - chain.cards
            stack.append((left, [later for later in fitting[index:] if contains(left, later.cards)], (*chains, chain)))


@lru_cache(maxsize=_CACHE)
def fewest_moves(rules: RuleSet, hand: Hand) -> int:
    """
    Counts the fewest legal moves of *rules* that together play the whole *hand*, as leads; exact.

    For example, ``3334`` needs 1, ``33345`` needs 2 and ``34567LB`` needs 2. The empty hand needs 0.
    """
    best = size(hand)
    for loose, chains in chain_sets(rules, hand):
        bodies = tuple((chain.group, chain.length) for chain in chains if chain.group >= 3)
        if contains(loose, ROCKET_CARDS):
            piles = _piles(loose - ROCKET_CARDS, chains)
            best = _better(rules, best, piles, bodies, 1 + len(chains))
        best = _better(rules, best, _piles(loose, chains), bodies, len(chains))
    return best


def _better(rules: RuleSet, best: int, piles: Piles, bodies: Tuple[Tuple[int, int], ...], chains: int) -> int:
    """Gets the smaller of *best* and the moves of this division."""
    # No kicker saves more than one move, so that most divisions need no second look.
    kickers = sum((pile & 7) - 2 for pile in piles if pile & 7 > 2)
    kickers += sum(length * (group - 2) for group, length in bodies)
    if chains + len(piles) - kickers >= best:
        return best
    return min(best, chains - len(bodies) + _fewest_of_piles(rules, piles, bodies))


def _piles(loose: Hand, chains: Sequence[Chain]) -> Piles:
    piles = counts(loose)
    index = 0
    for chain in chains:
        if chain.group >= 3:
            index += 1
            for inside in range(chain.rank, chain.rank + chain.length):
                if piles[inside]:
                    piles[inside] += 8 * index
    return tuple(sorted(filter(None, piles)))


@lru_cache(maxsize=_CACHE)
def _fewest_of_piles(rules: RuleSet, piles: Piles, bodies: Tuple[Tuple[int, int], ...]) -> int:
    """
    Counts the moves of loose *piles* and *bodies* (cards of each rank, number of ranks) with the best kickers.

    Every body in turn stays without kickers or takes them from the piles; then the piles of three and four do so.
    """
    if bodies:
        group, length = bodies[0]
        choices = {piles} | _after_kickers(rules, piles, group, length)
        # The next body becomes number 0, and what belonged to this one is free again.
        left = {tuple(sorted(pile - 8 if pile > 8 else pile for pile in choice)) for choice in choices}
        return 1 + min(_fewest_of_piles(rules, choice, bodies[1:]) for choice in left)
    best = len(piles)
    for pile in {pile for pile in piles if pile >= 3}:
        index = piles.index(pile)
        others = piles[:index] + piles[index + 1 :]
        for group in range(3, pile + 1):
            left_over = (pile - group,) if pile > group else ()
            for choice in _after_kickers(rules, others, group, 1):
                best = min(best, 1 + _fewest_of_piles(rules, tuple(sorted(choice + left_over)), ()))
    return best


@lru_cache(maxsize=None)
def _kicker_shapes(rules: RuleSet, group: int, length: int) -> Tuple[Shape, ...]:
    """Lists the legal shapes with kickers whose body has *length* ranks of *group* cards each."""
    return tuple(
        shape
        for shape in rules.legal
        if shape.kicker and shape.group == group and shape.min_length <= length <= shape.max_length
    )


def _after_kickers(rules: RuleSet, piles: Piles, group: int, length: int) -> Set[Piles]:
    """Collects what can be left of *piles* once the first body took kickers."""
    remainders: Set[Piles] = set()
    for shape in _kicker_shapes(rules, group, length):
        remainders |= _after_shape(piles, shape, shape.per_group * length)
    return remainders


def _after_shape(piles: Piles, shape: Shape, number: int) -> Set[Piles]:
    partial: Set[Tuple[Piles, int]] = {((), number)}
    for pile in piles:
        own = pile >> 3 == 1 and shape.kicker_rule != ANY
        copies = 0 if own else (pile & 7) // shape.kicker
        if shape.kicker_rule == DISTINCT:
            copies = min(copies, 1)
        partial = {
            (left + _rest(pile, shape.kicker * taken), missing - taken)
            for left, missing in partial
            for taken in range(min(copies, missing) + 1)
        }
    return {tuple(sorted(left)) for left, missing in partial if not missing}


def _rest(pile: int, cards: int) -> Piles:
    return (pile - cards,) if pile & 7 > cards else ()


# The split that costs least when every group of cards has a price.


class Prices(NamedTuple):
    """The cost of each group of cards to its holder. Lower ranks never cost less; a kicker is free."""

    solo: Sequence[float]
    pair: Sequence[float]
    trio: Sequence[float]
    """With or without a kicker."""
    bomb: Sequence[float]
    four_two: Sequence[float]
    """A rank of four that takes two kickers along."""
    rocket: float
    chain: Callable[[Chain], float]
    """With or without kickers."""


class SplitMove(NamedTuple):
    """One move of a division."""

    cards: Hand
    """Kickers included."""
    price: float


class Split(NamedTuple):
    """A hand divided into moves."""

    price: float
    moves: Tuple[SplitMove, ...]


def cheapest_split(rules: RuleSet, hand: Hand, prices: Prices) -> Split:
    """
    Finds the cheapest division of *hand*: every set of chains, and for each the kickers that save most.

    Kickers are given out greedily, the longest plane first, so that a cheaper division can be missed where
    several moves compete for them; the chains are all tried.
    """
    best = Split(float("inf"), ())
    for loose, chains in chain_sets(rules, hand):
        parts = _divide(rules, loose, chains, prices)
        price = sum([part[1] for part in parts])
        if price < best.price:
            best = Split(price, tuple(SplitMove(*part) for part in parts))
    return best


def _divide(rules: RuleSet, loose: Hand, chains: Tuple[Chain, ...], prices: Prices) -> List[Tuple[Hand, float]]:
    piles: Tuple[List[int], ...] = ([], [], [], [], [])
    for rank, held in enumerate(counts(loose)):
        piles[held].append(rank)
    _, solos, pairs, trios, quads = piles
    parts: List[Tuple[Hand, float]] = []
    if solos[-2:] == _JOKERS and prices.rocket < prices.solo[LITTLE_JOKER] + prices.solo[BIG_JOKER]:
        del solos[-2:]
        parts.append((ROCKET_CARDS, prices.rocket))
    for chain in chains:
        kickers = _plane_kickers(rules, chain, solos, pairs, prices) if chain.group == 3 else 0
        parts.append((chain.cards + kickers, prices.chain(chain)))
    sizes = _kicker_sizes(rules, 4, 1) if quads else ()
    for rank in quads:
        kickers = _kickers(2, sizes, solos, pairs, prices, prices.four_two[rank] - prices.bomb[rank])
        parts.append((4 * UNIT[rank] + kickers, (prices.four_two if kickers else prices.bomb)[rank]))
    sizes = _kicker_sizes(rules, 3, 1) if trios else ()
    for rank in trios:
        parts.append((3 * UNIT[rank] + _kickers(1, sizes, solos, pairs, prices, 0.0), prices.trio[rank]))
    parts += [(UNIT[rank], prices.solo[rank]) for rank in solos]
    parts += [(2 * UNIT[rank], prices.pair[rank]) for rank in pairs]
    return parts


_JOKERS = [LITTLE_JOKER, BIG_JOKER]


@lru_cache(maxsize=None)
def _kicker_sizes(rules: RuleSet, group: int, length: int) -> Tuple[int, ...]:
    """Lists which kickers a body may take: 1 for solos, 2 for pairs."""
    return tuple(shape.kicker for shape in _kicker_shapes(rules, group, length))


def _plane_kickers(rules: RuleSet, plane: Chain, solos: List[int], pairs: List[int], prices: Prices) -> Hand:
    # A card that the body left over may not be its kicker: it stands aside.
    own = [rank for rank in solos if plane.rank <= rank < plane.rank + plane.length]
    for rank in own:
        solos.remove(rank)
    kickers = _kickers(plane.length, _kicker_sizes(rules, 3, plane.length), solos, pairs, prices, 0.0)
    if own:
        solos[:] = sorted(solos + own)
    return kickers


def _kickers(
    number: int, sizes: Sequence[int], solos: List[int], pairs: List[int], prices: Prices, least: float
) -> Hand:
    """
    Takes *number* solos or pairs off the lists, as *sizes* allow them; or none.

    They are those that cost most if that saves more than *least*.
    """
    with_solos, with_pairs = 1 in sizes and len(solos) >= number, 2 in sizes and len(pairs) >= number
    solo_saving = sum([prices.solo[rank] for rank in solos[:number]]) if with_solos else least
    pair_saving = sum([prices.pair[rank] for rank in pairs[:number]]) if with_pairs else least
    if max(solo_saving, pair_saving) <= least:
        return 0
    kind, size_each = (solos, 1) if solo_saving >= pair_saving else (pairs, 2)
    taken = kind[:number]
    del kind[:number]
    return size_each * sum([UNIT[rank] for rank in taken])
