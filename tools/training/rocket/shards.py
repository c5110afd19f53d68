"""
Shards of records for the networks of DeepRocket: what the teacher chose, and between what.

A shard has three tables, one row a decision, one a question for a kicker and one a game, as the columns of a file of
:mod:`..shards`. Columns of the decisions are those of :class:`ddzbot.net.rocket_features.StateArrays`, the three
masks packed to bits, and of the questions those of ``KickerColumns`` with ``kicker_`` before them. Beside these:

================ ======= ============================================================
decision
label            uint16  the output of the main move that was chosen
game             uint32  the index of the deal
ply              uint16  moves that were made before
question
kicker_label     uint8   the output of the kicker that was chosen
kicker_game      uint32  the index of the deal
game
played           uint32  the index of the deal
settled          uint16  decisions that no network is asked for
forced           uint16  kickers that no network is asked for
landlord_won     uint8
================ ======= ============================================================
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ddzbot.net.rocket_features import StateArrays, state_arrays
from ddzbot.net.rocket_kickers import KICKER_TYPES, KickerColumns

from ..making import Columns as Shard
from ..shards import Array
from .games import TaughtGame, taught_game
from .plan import TeacherSelfPlay

MASKS = ("can", "legal", "nearer")
KICKER = "kicker_"
DECISION_COLUMNS = (*(f"state_{name}" for name in StateArrays._fields), "label", "game", "ply")
QUESTION_COLUMNS = (*(KICKER + name for name in KickerColumns._fields), "kicker_label", "kicker_game")
GAME_COLUMNS = ("played", "settled", "forced", "landlord_won")


def shard_of(games: Sequence[TaughtGame]) -> dict[str, Array]:
    """Makes the columns of some games."""
    decisions = [(game.deal, decision) for game in games for decision in game.decisions]
    states = state_arrays([decision.state for _, decision in decisions])._asdict()
    for mask in MASKS:
        states[mask] = np.packbits(states[mask], axis=1)
    questions = [(index, question) for index, decision in decisions for question in decision.questions]
    rows = zip(*(question.row for _, question in questions), strict=True) if questions else [()] * len(KICKER_TYPES)
    kicker: dict[str, Any] = {
        KICKER + field: np.array(column, kind)
        for field, column, kind in zip(KickerColumns._fields, rows, KICKER_TYPES, strict=True)
    }
    return {
        **{f"state_{field}": column for field, column in states.items()},
        "label": np.array([decision.label for _, decision in decisions], "u2"),
        "game": np.array([index for index, _ in decisions], "u4"),
        "ply": np.array([decision.ply for _, decision in decisions], "u2"),
        **kicker,
        "kicker_label": np.array([question.label for _, question in questions], "u1"),
        "kicker_game": np.array([index for index, _ in questions], "u4"),
        "played": np.array([game.deal for game in games], "u4"),
        "settled": np.array([game.settled for game in games], "u2"),
        "forced": np.array([game.forced for game in games], "u2"),
        "landlord_won": np.array([game.landlord_won for game in games], "u1"),
    }


def play_shard(plan: TeacherSelfPlay, first: int, stopped: Callable[[], bool]) -> tuple[dict[str, int], Shard]:
    """
    Plays the games of the shard that begins with game *first*; gets how much it has, and its columns.

    :raises Stopped: once *stopped* says so.
    """
    player = plan.player()
    columns = shard_of([taught_game(plan, player, index, stopped) for index in range(first, first + plan.games)])
    return {"decisions": len(columns["label"]), "questions": len(columns["kicker_label"])}, columns
