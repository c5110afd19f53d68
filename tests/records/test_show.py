"""python -m tools show: what it draws without a terminal, and what it hides."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.records.some_records import DATA, EXAMPLE
from tools.records.faults import said_in_tag
from tools.records.files import records_in
from tools.records.record import Note
from tools.records.record import Result as GameResult
from tools.records.screen import draw_record, remark_of, result_text
from tools.shared.json_text import points_text
from tools.shared.language import translate
from tools.shared.terminal import Console
from tools.study.show import main

THESIS = DATA / "records" / "thesis_games.jsonl.gz"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.ddzn"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def show(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_an_open_game_is_drawn_with_names_bids_hands_moves_and_result(example: Path) -> None:
    lines = show(example).output.splitlines()
    assert lines[:4] == ["Event: example", "player 0 does not bid", "player 1 bids 1", "player 2 bids 3"]
    assert lines[4:6] == ["rules botzone2, bid 3", "  landlord       player 2: cat"]
    assert "      landlord       34556778TJJQKAAA222L  20" in lines
    assert "  2 landlord_down plays 56789T (solo_chain)" in lines
    assert "    > landlord_down  33448QQKKK2           11" in lines
    assert " 19 landlord plays AA222 (trio_pair)  [0.25 s, value 0.90, nothing can beat it]" in lines
    assert lines[-1] == "landlord out: the landlord wins, scores 6, -3, -3 (by seat)"


def test_plain_text_has_no_control_characters_and_keeps_to_80_columns(example: Path) -> None:
    output = show(example, "--thoughts").output
    assert "\x1b" not in output
    assert all(len(line) <= 80 for line in output.splitlines())


def test_one_seat_sees_only_its_own_hand_bids_and_notes(example: Path) -> None:
    output = show(example, "--seat", "landlord_down", "--thoughts").output
    assert "3344567889TQQKKK2" in output
    assert "34556778TJJQKAAA222L" not in output
    assert "      landlord       ?                     20" in output.splitlines()
    assert "player 0 does not bid" in output
    assert "player 1 bids" not in output
    assert "nothing can beat it" not in output


def test_the_own_notes_and_debug_are_shown_to_their_seat(example: Path) -> None:
    output = show(example, "--seat", "landlord", "--thoughts").output
    assert "nothing can beat it" in output
    assert '      {"player":"rule"}' in output.splitlines()
    assert '{"player"' not in show(example, "--seat", "landlord").output


def test_unknown_hands_are_numbers_of_cards_and_an_unknown_bottom_is_called_so() -> None:
    output = show(THESIS, "--number", 29).output
    assert "      landlord_up    ?                     17" in output.splitlines()
    assert "landlord out: the landlord wins" in output
    result = show(THESIS, "--number", 29, "--seat", "landlord_up")
    assert result.exit_code == 2
    assert result.output == "Error: the hand of landlord_up is unknown\n"
    assert "the bottom is unknown" in show(THESIS, "--number", 2).output


def test_an_illegal_move_is_marked_with_its_reason() -> None:
    output = show(THESIS, "--number", 35).output
    assert "  ! illegal move: 33445566: the answer to 8899TT must have 6 cards" in output.splitlines()
    output = show(THESIS, "--number", 35, "--seat", "landlord").output
    assert "  ! illegal move" in output.splitlines()
    assert "must have 6 cards" not in output


def test_step_waits_after_each_move(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[str] = []
    monkeypatch.setattr("tools.study.show.click.pause", lambda info: pauses.append(info))
    assert show(example, "--step").output == show(example).output
    assert len(pauses) == 25


def test_an_auction_alone_is_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / "auction.ddzn"
    lines = EXAMPLE.splitlines()
    seats = "seats   player@0               player@1               player@2"
    hands = "hands   3344567889TQQKKK2      3456678999TTJJQAB      3455678TJJQKAAA2L"
    text = "\n".join([lines[1], '[Termination "unfinished"]', "bids    0 1", lines[9], seats, hands]) + "\n"
    path.write_text(text, encoding="utf-8")
    assert show(path).output.rstrip("\n") + "\n" == text
    assert show(path, "--seat", "landlord").output == "Error: the auction is not over: there are no seats yet\n"


def test_a_game_that_is_not_there_ends_with_2(example: Path) -> None:
    result = show(example, "--number", 2)
    assert (result.exit_code, result.output) == (2, "Error: there is no game 2: the file has 1\n")


def test_remarks_and_results_say_what_is_known() -> None:
    assert remark_of(Note(0.138, -0.3, None, "too early")) == "0.14 s, value -0.30, too early"
    assert remark_of(Note()) == ""
    assert result_text(GameResult("peasants", None, "landlord_up out")) == "landlord_up out: the peasants win"
    assert result_text(GameResult()) == "unfinished"


def test_faults_are_said_in_the_language_of_the_locale(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = "RE by position 0: it died; FALLBACK by position 2: rule did"
    ended = GameResult("peasants", None, "fault: RE by position 0")
    (record,) = records_in(example)
    for language, tag, end in (
        ("en_US.UTF-8", f"Faults: {faults}", "fault: RE by position 0: the peasants win"),
        ("zh_CN.UTF-8", "违例：RE（0 号位）：it died；FALLBACK（2 号位）：rule did", "违例 RE（0 号位）：农民胜"),
    ):
        monkeypatch.setenv("LC_ALL", language)
        screen = io.StringIO()
        draw_record(Console(file=screen, width=120), replace(record, tags={"Faults": faults}, result=ended))
        first, *_, last = screen.getvalue().splitlines()
        assert (first, last) == (tag, end)
        assert translate(said_in_tag("player 1 said nothing (TLE)")) == "Faults: player 1 said nothing (TLE)"


def test_points_are_written_as_they_are_paid() -> None:
    result = GameResult("landlord", (2.1950000000000003, 0.14500000000000002, -0.0), "landlord out")
    assert result_text(result) == "landlord out: the landlord wins, scores 2.195, 0.145, 0 (by seat)"
    signed = [points_text(points, sign=True) for points in (2.1950000000000003, -0.14500000000000002, 6.0, -0.0)]
    assert signed == ["+2.195", "-0.145", "+6", "+0"]
