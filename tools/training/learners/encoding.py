"""The features of ``cql-1`` for many situations and moves at once; ddzbot/net/cql_features.py describes them."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.cql_features import (
    CARDS,
    LEFT_AT,
    MOST_LEFT,
    MOVE_FEATURES,
    OWNER_AT,
    SEAT_AT,
    SETS,
    STATE_FEATURES,
    Facts,
)
from ddzbot.rules import Move

FACTS = np.dtype([("cards", "u8", SETS), ("numbers", "u1", 5)])
"""The facts of a situation, as a replay keeps them."""
_SHIFTS = 4 * np.arange(15, dtype=np.uint64)
_COPIES = np.arange(4, dtype=np.uint8)

Numbers = NDArray[np.float32]


def facts_array(facts: Sequence[Facts]) -> NDArray[np.void]:
    """Gets facts as an array of :data:`FACTS`."""
    return np.array([tuple(fact) for fact in facts], FACTS)


def states(facts: NDArray[np.void]) -> Numbers:
    """Gets the features of situations, (n, 366)."""
    features = np.zeros((len(facts), STATE_FEATURES), np.float32)
    features[:, : SETS * CARDS] = _cards(facts["cards"]).reshape(len(facts), -1)
    kind, owner, left_next, left_previous, seat = facts["numbers"].astype(np.int64).T
    rows = np.arange(len(facts))
    features[rows, SETS * CARDS + kind] = 1
    features[rows[owner > 0], OWNER_AT + owner[owner > 0] - 1] = 1
    features[rows, LEFT_AT + left_next] = 1
    features[rows, LEFT_AT + MOST_LEFT + 1 + left_previous] = 1
    features[rows, SEAT_AT + seat] = 1
    return features


def moves(words: NDArray[np.uint64], kinds: NDArray[np.uint8]) -> Numbers:
    """Gets the features of moves, (n, 79), from their cards and kinds."""
    features = np.zeros((len(words), MOVE_FEATURES), np.float32)
    features[:, :CARDS] = _cards(words)
    features[np.arange(len(words)), CARDS + kinds.astype(np.int64)] = 1
    return features


def move_words(moves_of: Sequence[Move]) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Gets the cards and the kinds of moves, as :func:`moves` takes them."""
    return np.array([move.cards for move in moves_of], np.uint64), np.array([move.kind for move in moves_of], np.uint8)


def _cards(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Gets for each word its 60 features of cards."""
    held = ((words[..., None] >> _SHIFTS) & np.uint64(15)).astype(np.uint8)
    return cast(NDArray[np.bool_], (held[..., None] > _COPIES).reshape(*words.shape, CARDS))
