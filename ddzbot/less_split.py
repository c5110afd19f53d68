"""
Split and LessSplit: all divisions of a small hand into moves, and the moves that a good division can begin with.

A *division* is a multiset of legal leads that together are the hand. ``Split`` lists them all, which is for small hands
only: there are too many of them to read. ``LessSplit`` keeps the short ones, and its moves are the
*candidates* that a search starts from. A move m begins a division of n moves exactly when 1 + fewest(hand - m) <= n,
so that the candidates are found without listing a single division.

Source: the master thesis "Research on Dou Dizhu based on Monte Carlo tree search" (in Chinese, 2022), which
introduces both; it says Lmin + 3 moves, and its program used Lmin + 2.
"""

from typing import Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

from ddzbot.cards import Hand, contains, size
from ddzbot.kernel import native
from ddzbot.rules import Move, RuleSet, legal_moves
from ddzbot.split import fewest_moves

KERNEL_CARDS = 20
"""The largest hand that the kernel divides; larger ones are not a player's."""

Division = Tuple[Hand, ...]
"""Type alias: the cards of each move, in ascending order of the words."""


def divisions(rules: RuleSet, hand: Hand) -> List[Division]:
    """
    Lists ``Split``: every division of *hand*, the shortest first.

    For example, ``34556789LB`` has exactly 16, and the empty hand has one, of no moves. Meant for at most some
    12 cards; the number grows fast.
    """
    leads = tuple(sorted(move.cards for move in legal_moves(rules, hand))) if hand else ()
    unsorted = _divisions(hand, leads, {})
    return sorted(unsorted, key=_length_first)


def _length_first(division: Division) -> Tuple[int, Division]:
    return len(division), division


def _divisions(hand: Hand, leads: Tuple[Hand, ...], known: Dict[Hand, FrozenSet[Division]]) -> FrozenSet[Division]:
    """Divides *hand*: some move has its lowest card, and what is left is divided likewise."""
    if not hand:
        return frozenset([()])
    if hand not in known:
        lowest = hand & -hand
        lowest_rank = (lowest.bit_length() - 1) // 4
        own: Set[Division] = set()
        for cards in leads:
            if cards >> (4 * lowest_rank) & 15 and contains(hand, cards):
                rests = _divisions(hand - cards, leads, known)
                own.update(tuple(sorted((cards, *division))) for division in rests)
        known[hand] = frozenset(own)
    return known[hand]


def candidates(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None, k: int = 2) -> List[Move]:
    """
    Lists ``LessSplit``: the legal moves that a division with at most *k* moves more than the fewest can begin with.

    They come in the order of the legal moves. A pass is always one. For example, leading ``34567`` with *k* = 0 only
    the chain is, and with *k* = 4 the solos too.
    """
    kernel = native()
    if kernel is not None and size(hand) <= KERNEL_CARDS:
        from ddzbot.kernel import searching

        return searching.candidates(kernel, rules, hand, to_beat, k)
    most = fewest_moves(rules, hand) + k
    moves = legal_moves(rules, hand, to_beat)
    return [move for move in moves if move.is_pass or 1 + fewest_moves(rules, hand - move.cards) <= most]


def fewest_after(rules: RuleSet, hand: Hand, played: Sequence[Hand]) -> List[int]:
    """Counts the fewest moves of what is left of *hand* after each of some cards; exact."""
    rests = [hand - cards for cards in played]
    kernel = native()
    if kernel is not None and size(hand) <= KERNEL_CARDS:
        return kernel.fewest_moves_of(rules, rests)
    return [fewest_moves(rules, left) for left in rests]
