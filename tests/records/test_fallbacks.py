"""The fallbacks that chose moves, read from the players' debug output."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.records.some_records import EXAMPLE
from tools.records.fallbacks import failures_of, fallback_in, fallback_lines, fallbacks_of
from tools.records.files import write_records
from tools.records.record import GameRecord, Note
from tools.records.text_reader import parse_record
from tools.study.show import main


@pytest.mark.parametrize(
    ("debug", "failures", "fallback"),
    [
        ({"player": "champion", "playouts": 3}, [], ""),
        ({}, [], ""),
        ({"player": "rule", "failed_champion": "no network", "rule": "lead"}, [("champion", "no network")], "rule"),
        (
            {"player": "rule", "failed_mcm": "no kernel", "failed_mctshs": "no kernel"},
            [("mcm", "no kernel"), ("mctshs", "no kernel")],
            "rule",
        ),
        ({"error": "the player did not answer in time"}, [("", "the player did not answer in time")], "none"),
        ({"player": "rule", "failed_x": 3}, [("x", "3")], "rule"),
        ({"player": "x" * 10**6, "failed_x": 3}, [("x", "3")], "x" * 60),
    ],
)
def test_what_debug_says(debug: dict[str, Any], failures: list[tuple[str, str]], fallback: str) -> None:
    assert (failures_of(debug), fallback_in(debug)) == (failures, fallback)


def example(*debugs: dict[str, Any]) -> GameRecord:
    """Gets the example with these words beside its first moves."""
    record = parse_record(EXAMPLE)
    moves = list(record.moves)
    for ply, debug in enumerate(debugs):
        moves[ply] = moves[ply]._replace(note=Note(debug=debug))
    return replace(record, moves=tuple(moves))


def test_they_are_counted_by_position_and_name() -> None:
    rule, late = {"player": "rule", "failed_cat": "tired"}, {"error": "late"}
    record = example(rule, {"player": "ann"}, late, rule, late)
    assert fallbacks_of(record) == {2: {"rule": 2}, 1: {"none": 1}, 0: {"none": 1}}
    assert fallback_lines(record) == [
        "ann (position 0) did not choose itself: none chose 1 of its moves",
        "bob (position 1) did not choose itself: none chose 1 of its moves",
        "cat (position 2) did not choose itself: rule chose 2 of its moves",
    ]
    assert fallback_lines(parse_record(EXAMPLE)) == []


def test_a_game_that_is_shown_says_so_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.ddzn"
    write_records(path, [example({"player": "rule", "failed_cat": "tired"})])
    shown = CliRunner().invoke(main, [str(path)]).output.splitlines()
    assert shown[-1] == "cat (position 2) did not choose itself: rule chose 1 of its moves"
    seen = CliRunner().invoke(main, [str(path), "--seat", "landlord_down"]).output
    assert "rule" not in seen.splitlines()[-1]
