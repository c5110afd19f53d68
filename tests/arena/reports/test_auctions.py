"""What a match shows of its auctions."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.arena.match import main
from tools.arena.report import main as report
from tools.arena.reports.auctions import Auctions, Bidder, auctions_of, lines_of_auctions
from tools.arena.stats.row import GameRow, Row


def game(seating: str, bids: list[int], landlord: int, paid: int) -> GameRow:
    return GameRow(seating, landlord, paid > 0, (paid, -paid / 2, -paid / 2), tuple(bids))


ROWS = [
    Row(0, (game("ABB", [3], 0, 12), game("BAB", [0, 3], 1, -6), game("BBA", [0, 0, 0], 0, 2))),
    Row(1, (game("BAA", [1, 2, 0], 1, 4), game("ABA", [0, 1, 0], 1, -2))),
]


def test_landlords_stakes_points_and_bids_are_counted() -> None:
    a = Bidder(landlord=[0, 1, 2], points=[None, 2.0, 1.0], bids=[4, 0, 1, 2])
    b = Bidder(landlord=[2, 0, 0], points=[0.0, None, None], bids=[3, 2, 0, 0])
    assert auctions_of(ROWS) == Auctions(5, 1, {"A": a, "B": b})


def test_games_without_an_auction_tell_nothing() -> None:
    assert auctions_of([Row(0, (game("ABB", [], 0, 2),))]) is None
    assert lines_of_auctions(None, {}) == []


def test_it_is_said_in_lines() -> None:
    assert lines_of_auctions(auctions_of(ROWS), {"A": "one", "B": "two"}) == [
        "one: landlord in 60.0 % of the games, 0.0 % at 1, 20.0 % at 2 (+2.00 points each),"
        " 40.0 % at 3 (+1.00 points each); bids 0: 57.1 %, 1: 0.0 %, 2: 14.3 %, 3: 28.6 %",
        "two: landlord in 40.0 % of the games, 40.0 % at 1 (+0.00 points each), 0.0 % at 2, 0.0 % at 3;"
        " bids 0: 60.0 %, 1: 40.0 %, 2: 0.0 %, 3: 0.0 %",
        "no bids in 20.0 % of 5 games",
    ]


@pytest.mark.parametrize(("rules", "shown"), [("botzone2", True), ("mini", False)])
def test_a_match_with_an_auction_and_its_report_show_the_landlords(rules: str, shown: bool, tmp_path: Path) -> None:
    file = tmp_path / "auctions.json"
    words = ["random", "rule", "--rules", rules, "--sets", "2", "--jobs", "1", "--quiet", "--results", str(file)]
    for done in (CliRunner().invoke(main, words), CliRunner().invoke(report, [str(file)])):
        assert (done.exit_code, "% of 12 games" in done.output) == (0, shown), done.output
