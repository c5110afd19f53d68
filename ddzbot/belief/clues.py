"""
Clues: the information in a seat's moves about the cards that it kept.

Three clues for each rank. A seat that broke no group up holds none of a rank that it played as a solo, and a seat that
could choose a low solo and chose a higher one holds few solos in between. The clues are facts; how much they say is
measured, in :mod:`ddzbot.belief.fitted`.
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

from ddzbot.cards import RANK_COUNT, count
from ddzbot.game import SEATS, to_beat
from ddzbot.rules import PAIR, PAIR_CHAIN, SOLO, SOLO_CHAIN, Move

WAYS = ("not played", "solo", "kicker", "pair", "trio or more", "solo chain", "pair chain")
"""The ways to play a rank; a way is an index into this tuple."""
NOT_PLAYED, AS_SOLO, AS_KICKER, AS_PAIR, AS_MORE, IN_SOLO_CHAIN, IN_PAIR_CHAIN = range(len(WAYS))

SKIPS = ("not skipped", "led above", "answered above")
"""Whether a seat, the last time it played a solo (or pair), went past a rank; a skip is an index into this tuple."""
NOT_SKIPPED, LED_ABOVE, ANSWERED_ABOVE = range(len(SKIPS))


class Clues(NamedTuple):
    """The clues of one seat, each a list of 15 by rank."""

    played: List[int]
    """The number of cards of each rank that the seat has played."""
    ways: List[int]
    """The way in which it last played each rank, an index into :data:`WAYS`."""
    solos: List[int]
    """An index into :data:`SKIPS`: it led a higher solo, or answered a lower solo with a higher one."""
    pairs: List[int]
    """The same for pairs."""


def read_clues(plays: Sequence[Move]) -> Tuple[Clues, Clues, Clues]:
    """
    Reads the clues of all three seats from *plays*.

    For example, after the lead ``5`` and the answer ``9`` landlord_down has played the 9 as a solo, and has answered
    above 6, 7 and 8; the landlord has led above 3 and 4.
    """
    landlord, down, up = (Clues(*([0] * RANK_COUNT for _ in Clues._fields)) for _ in range(SEATS))
    for ply, move in enumerate(plays):
        if not move.is_pass:
            clues = (landlord, down, up)[ply % SEATS]
            _note_cards(clues, move)
            if move.kind in (SOLO, PAIR):
                table = to_beat(plays[max(0, ply - 2) : ply])
                _note_skipped(clues.solos if move.kind == SOLO else clues.pairs, move, table)
    return landlord, down, up


def _note_cards(clues: Clues, move: Move) -> None:
    for rank in range(RANK_COUNT):
        cards = count(move.cards, rank)
        if cards:
            clues.played[rank] += cards
            clues.ways[rank] = _way(move, rank, cards)


def _way(move: Move, rank: int, cards: int) -> int:
    if move.kind == SOLO_CHAIN:
        return IN_SOLO_CHAIN
    if move.kind == PAIR_CHAIN:
        return IN_PAIR_CHAIN
    if cards == 1:
        return AS_SOLO if move.rank <= rank < move.rank + move.length else AS_KICKER
    return AS_PAIR if cards == 2 else AS_MORE


def _note_skipped(skips: List[int], move: Move, table: Optional[Move]) -> None:
    if table is None:
        skips[: move.rank] = [LED_ABOVE] * move.rank
    elif table.kind == move.kind and table.rank < move.rank:
        skips[table.rank + 1 : move.rank] = [ANSWERED_ABOVE] * (move.rank - table.rank - 1)
