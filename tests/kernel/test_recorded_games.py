"""
On every position of recorded games the kernel and its reference implementation list the same legal moves.

``DDZ_THESIS_GAMES=games.jsonl.gz`` in the environment asks for the games of that file, besides the small ones here.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ddzbot import rules_reference as specification
from ddzbot.game import Game
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet, rule_set
from tests.support import ROOT
from tools.records.check import under_rules
from tools.records.files import read_records
from tools.records.record import GameRecord

SMALL = ROOT / "tests" / "data" / "records" / "thesis_games.jsonl.gz"
FILES = [SMALL, *map(Path, filter(None, [os.environ.get("DDZ_THESIS_GAMES")]))]


class Comparison(NamedTuple):
    games: int
    positions: int
    differences: list[str]


def read_under(path: Path, rules: RuleSet) -> list[GameRecord]:
    return [under_rules(record, rules) for record in read_records(path)]


def with_known_hands(records: list[GameRecord], only_legal: bool) -> list[GameRecord]:
    """Keeps the games whose hands are known, and if asked only those in which every move is legal."""
    known = [record for record in records if not record.unknown_seats and record.landlord_position is not None]
    return [record for record in known if not (only_legal and record.illegal_moves())]


def positions(record: GameRecord) -> Iterator[Game]:
    yield from (ply.before for ply in record.plies() if not ply.before.finished)


def compared(kernel: Kernel, rules: RuleSet, records: list[GameRecord]) -> Comparison:
    differences, number = [], 0
    for record in records:
        for game in positions(record):
            number += 1
            hand, to_beat = game.hands[game.seat], game.to_beat
            if kernel.legal_moves(rules, hand, to_beat) != specification.legal_moves(rules, hand, to_beat):
                differences.append(f"{record.tags.get('Source')}, move {len(game.plays) + 1}")
    return Comparison(len(records), number, differences)


@pytest.mark.parametrize("name", ["standard", "botzone"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_kernel_and_reference_list_the_same_moves_in_recorded_games(kernel: Kernel, path: Path, name: str) -> None:
    rules = rule_set(name)
    # The games follow rules like standard's; where botzone forbids a move, the rest is not a game of botzone.
    records = with_known_hands(read_under(path, rules), only_legal=name != "standard")
    found = compared(kernel, rules, records)
    print(path.name, name, "games", found.games, "positions", found.positions, "differences", len(found.differences))
    assert found.positions >= found.games > 0
    assert found.differences == []
