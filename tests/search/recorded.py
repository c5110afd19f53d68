"""The endgames in tests/data/endgames, whose winning moves are known."""

import functools
import gzip
import json
from typing import Any, NamedTuple

from ddzbot.cards import hand_text, parse_hand
from ddzbot.rules import STANDARD, parse_move
from ddzbot.search.endgame_position import LANDLORD, PEASANTS, Endgame
from tests.support import ROOT

FILES = ("puzzles", "two_player", "three_player")
FOLDER = ROOT / "tests" / "data" / "endgames"


class Recorded(NamedTuple):
    name: str
    endgame: Endgame
    winner: int
    winning: set[str]
    legal: int | None
    """How many legal moves there are, where the file says so."""
    reference_nodes: int
    """How many nodes the program that found this out took."""


@functools.cache
def recorded(*files: str) -> tuple[Recorded, ...]:
    """All endgames of these files, of all files if none is named."""
    endgames = []
    for file in files or FILES:
        with gzip.open(FOLDER / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            endgames += [_of_hands(row) if "hands" in row else _of_sides(row) for row in map(json.loads, lines)]
    return tuple(endgames)


def _of_sides(row: dict[str, Any]) -> Recorded:
    endgame = Endgame(STANDARD, (parse_hand(row["landlord"]), parse_hand(row["peasant"])))
    winner = LANDLORD if row["verified_winner"] == "landlord" else PEASANTS
    winning = set(map(_in_order, row["winning_first_moves"]))
    return Recorded(row["id"], endgame, winner, winning, row.get("n_root_moves"), row["ref_nodes"])


def _of_hands(row: dict[str, Any]) -> Recorded:
    hands = tuple(map(parse_hand, row["hands"]))
    to_beat = parse_move(STANDARD, row["last_move"]) if row["last_move"] else None
    endgame = Endgame(STANDARD, hands, row["to_move"], to_beat, row["last_player"] if to_beat else None)
    winner = LANDLORD if row["winner"] == "landlord" else PEASANTS
    winning = set(map(_in_order, row["winning_moves"]))
    return Recorded(row["id"], endgame, winner, winning, row["n_legal"], row["ref_nodes"])


def _in_order(move: str) -> str:
    return move if move == "pass" else hand_text(parse_hand(move))
