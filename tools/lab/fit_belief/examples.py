"""Positions of recorded games with all hands known: what a seat saw, and what the others held."""

import hashlib
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.belief.certain import Certain, what_is_certain
from ddzbot.belief.clues import Clues, read_clues
from ddzbot.belief.models import uniform
from ddzbot.cards import Hand, counts, hand_text
from ddzbot.view import View

from ...records.record import GameRecord, RecordedMove

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FITTED_PERCENT = 70
"""The share of the deals on which numbers are fitted; the others are for the scores."""


class Example(NamedTuple):
    """One position."""

    deal: int
    """The index of its deal."""
    view: View
    certain: Certain
    held: Hand
    """The true hand of the first hidden seat."""
    clues: tuple[Clues, Clues]
    """Of the two hidden seats."""
    bottom_known: bool


def with_all_hands(records: Iterable[GameRecord]) -> list[GameRecord]:
    """Keeps the games in which every hand is known, without notes; a deal that occurs twice only once."""
    records_by_hands: dict[Hashable, GameRecord] = {}
    for record in records:
        if not record.unknown_seats and record.landlord_position is not None:
            bare = tuple(RecordedMove(move.cards) for move in record.moves)
            records_by_hands.setdefault(record.seat_hands, replace(record, moves=bare))
    return list(records_by_hands.values())


def _hash_of(record: GameRecord) -> int:
    deal = " ".join(hand_text(hand or 0) for hand in record.seat_hands)
    return int.from_bytes(hashlib.sha256(deal.encode()).digest()[:8], "big")


def is_for_fitting(record: GameRecord) -> bool:
    """Splits the deals 70 to 30 by a hash of the three hands, the same in every run."""
    return _hash_of(record) % 100 < FITTED_PERCENT


def examples_of(records: Iterable[GameRecord], every: int) -> Iterator[Example]:
    """
    Yields one position in *every* of each game, seen by the seat to move.

    Where the first one lies differs from game to game, so that all stages of a game come up; so do all seats, if
    *every* is no multiple of 3.
    """
    for deal, record in enumerate(records):
        offset = _hash_of(record) // 100 % every
        for ply in record.plies():
            if ply.number % every == offset:
                view = View.of(ply.before, ply.seat)
                certain = what_is_certain(view)
                clues = read_clues(view.plays)
                of_hidden = clues[certain.seats[0]], clues[certain.seats[1]]
                held = ply.before.hands[certain.seats[0]]
                yield Example(deal, view, certain, held, of_hidden, record.bottom is not None)


class ExampleArrays(NamedTuple):
    """Examples as arrays; the last axis counts the examples."""

    unseen: Ints
    """By rank."""
    held: Ints
    """By rank: the cards of the first hidden seat."""
    first_cards: Ints
    uniform: Floats
    """By rank and count: the weights of the uniform model."""
    ways: Ints
    """By hidden seat and rank, as in :class:`ddzbot.belief.clues.Clues`."""
    solos: Ints
    pairs: Ints


def example_arrays(examples: list[Example]) -> ExampleArrays:
    """Plays out *examples* for numpy."""

    def seats(name: str) -> Ints:
        return _last([[getattr(clues, name) for clues in example.clues] for example in examples])

    return ExampleArrays(
        unseen=_last([counts(example.certain.unseen) for example in examples]),
        held=_last([counts(example.held) for example in examples]),
        first_cards=np.array([example.certain.sizes[0] for example in examples]),
        uniform=_last([uniform(example.view, example.certain) for example in examples]).astype(np.float64),
        ways=seats("ways"),
        solos=seats("solos"),
        pairs=seats("pairs"),
    )


def _last(rows: list[list[int]] | list[list[list[int]]]) -> Ints:
    return np.ascontiguousarray(np.moveaxis(np.array(rows, dtype=np.int64), 0, -1))
