"""Mistakes: what a move lost, what is proved, and how it is told."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.rules import PASS, Move
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.search.positions import endgame, lay
from tests.support import ROOT, kernel_path, require
from tools import review
from tools.records.files import read_records
from tools.review import MARKS, Review, main, reviews_of, short_name

DEMO = ROOT / "tests" / "data" / "rule-demo-1.ddzn"


def reviewed(playouts: int = 400) -> list[Review]:
    require(kernel_path(), "a C compiler")
    (record,) = read_records(DEMO)
    return list(reviews_of(record, 1, Limit(playouts=playouts)))


def test_a_blunder_that_a_proof_finds_is_told_apart() -> None:
    (proved,) = (one for one in reviewed() if one.proved)
    assert (proved.ply, proved.seat, str(proved.made), proved.mark, proved.error) == (15, 0, "55", "blunder", 0.0)
    assert str(proved.best) in ("T", "JJQQKKAA")


def test_losses_are_none_for_the_best_move_and_marks_follow_them() -> None:
    for one in reviewed():
        assert one.loss >= 0.0 and not one.points
        assert one.made != one.best or (one.loss, one.mark) == (0.0, "")
        if one.mark and not one.proved:
            assert one.loss > review.SURE * one.error
            assert one.loss >= dict(MARKS)[one.mark]
        assert bool(one.why) == bool(one.mark)


def test_only_decisions_are_reviewed() -> None:
    (record,) = read_records(DEMO)
    plies = {ply.number: ply for ply in record.plies()}
    assert all(len(plies[one.ply].before.legal_moves()) > 1 for one in reviewed())


@pytest.mark.parametrize(
    ("loss", "error", "proved", "mark"),
    [
        (0.3, 0.0, False, "blunder"),
        (0.15, 0.05, False, "mistake"),
        (0.15, 0.08, False, ""),
        (0.06, 0.01, False, "inaccuracy"),
        (0.04, 0.0, False, ""),
        (0.01, 0.0, True, "blunder"),
    ],
)
def test_marks(loss: float, error: float, proved: bool, mark: str) -> None:
    assert review._mark(loss, error, proved) == mark


def led(*plays: str, hands: tuple[str, str, str]) -> View:
    """The landlord led from these hands, and the next seats answered."""
    return endgame(hands, 0, tuple(map(move, plays)))


def move(text: str) -> Move:
    return PASS if text == "pass" else lay(text)


@pytest.mark.parametrize(
    ("view", "made", "best", "why"),
    [
        (led(hands=("33334", "5", "6")), "3333", "4", "a bomb was given away"),
        (led(hands=("33334", "56", "67")), "4", "3333", "the bomb was held back"),
        (led("3", "7", hands=("34567", "79", "KK2")), "K", "pass", "the partner's lead was overtaken"),
        (led("3", hands=("34", "9K", "5")), "pass", "K", "an enemy with few cards was let through"),
        (led("3", hands=("34567", "9K", "5")), "pass", "K", "the trick was let go"),
        (led("3", hands=("34567", "9K", "5")), "K", "pass", "cards were spent where a pass was enough"),
        (led(hands=("4567", "9K2", "5")), "4", "7", "a low card let an enemy with few cards through"),
        (led(hands=("4567", "9K2", "567")), "4", "7", "another rank was better"),
        (led(hands=("4455", "9K2", "567")), "4", "44", "the hand was divided badly"),
    ],
)
def test_words(view: View, made: str, best: str, why: str) -> None:
    assert review._why(view, move(made), move(best)) == why


def test_the_command_lists_mistakes_moments_and_players() -> None:
    require(kernel_path(), "a C compiler")
    done = CliRunner().invoke(main, [str(DEMO), "--limit", "200p", "--quiet"])
    assert done.exit_code == 0
    assert "blunder, proved" in done.output
    assert "was better for certain" in done.output
    assert "mean loss" in done.output and "rule" in done.output


def test_json_has_a_line_for_each_decision() -> None:
    done = CliRunner().invoke(main, [str(DEMO), "--limit", "50p", "--quiet", "--json"])
    rows = [json.loads(line) for line in done.output.splitlines()]
    assert len(rows) == len(reviewed(50))
    assert list(rows[0]) == list(Review._fields)
    assert rows[0]["seat"] == "landlord"


def test_a_file_that_is_no_record_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "no.ddzn"
    file.write_text("nonsense\n")
    done = CliRunner().invoke(main, [str(file)])
    assert done.exit_code == 2
    assert done.output.startswith("Error: ") and done.output.count("\n") == 1


def test_names_of_programs_are_short() -> None:
    assert short_name("/usr/bin/python3 /home/me/bot.py --player rule") == "bot.py --player rule"
    assert short_name("champion") == "champion"
    assert short_name("") == ""
