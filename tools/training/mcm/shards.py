"""
Shards: files of records, each with the decisions of a range of games.

A record is one candidate of one decision: what the mover knew, the move, and the payoff that the search found for it.
The candidates of a decision share all of the network's input but the layer of the move, so that a shard has two
tables, one row a decision and one row a candidate, as columns of a compressed .npz file:

========== ============== ==============================================================================
decision
words      uint64, (n,29) the cards of each layer of the input, with a pass as the move that is valued
kinds      uint8, (n,29)  what kind of move they were played as
landlord   uint32         bit i: the landlord made the move of layer i
game       uint32         the index of the deal
ply        uint16         moves that were made before
seat       uint8          the seat to move, 0 to 2
cards_left uint8, (n,3)   by seat
playouts   uint32         simulations
candidates uint16         how many rows it has in the other table
choice     uint16         which of them the search plays
candidate
move       uint64         its cards
kind       uint8          its kind
visits     uint32         simulations that began with it
wins       uint32         those that the mover's side won
========== ============== ==============================================================================

Numbers are whole, so a shard can be made again bit for bit from its head, the column ``about``.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ddzbot.net.mcm_features import layers
from ddzbot.rules import PASS

from ..kernel import needed_kernel
from ..making import Columns
from ..shards import Array
from .plan import SearchSelfPlay
from .selfplay import Searched, searched_game


class Shard(NamedTuple):
    """The columns of a shard, see above."""

    words: Array
    kinds: Array
    landlord: Array
    game: Array
    ply: Array
    seat: Array
    cards_left: Array
    playouts: Array
    candidates: Array
    choice: Array
    move: Array
    kind: Array
    visits: Array
    wins: Array


_TYPES = ("u8", "u1", "u4", "u4", "u2", "u1", "u1", "u4", "u2", "u2", "u8", "u1", "u4", "u4")


def shard_of(decisions: Iterable[Searched]) -> Shard:
    """Makes the columns of some decisions."""
    rows: list[tuple[Any, ...]] = []
    candidates: list[tuple[int, int, int, int]] = []
    for decision in decisions:
        cards, kinds, landlord = layers(decision.view, PASS)
        bits = sum(bit << layer for layer, bit in enumerate(landlord))
        where = (decision.game, len(decision.view.plays), decision.view.seat, decision.cards_left)
        rows.append((cards, kinds, bits, *where, decision.playouts, len(decision.arms), decision.choice))
        candidates += [(arm.move.cards, arm.move.kind, arm.visits, arm.wins) for arm in decision.arms]
    columns = [*_transposed(rows, len(Shard._fields) - 4), *_transposed(candidates, 4)]
    return Shard(*(np.array(column, dtype=kind) for column, kind in zip(columns, _TYPES, strict=True)))


def _transposed(rows: list[Any], width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]


def play_shard(plan: SearchSelfPlay, first: int, stopped: Callable[[], bool]) -> tuple[dict[str, int], Columns]:
    """
    Plays the games of the shard that begins with game *first*; gets how much it has, and its columns.

    :raises Stopped: once *stopped* says so.
    """
    kernel, games = needed_kernel("self-play"), range(first, first + plan.games)
    decisions = [decision for game in games for decision in searched_game(kernel, plan, game, stopped)]
    shard = shard_of(decisions)
    playouts = sum(decision.playouts for decision in decisions)
    return {"records": len(shard.move), "decisions": len(decisions), "simulations": playouts}, shard._asdict()
