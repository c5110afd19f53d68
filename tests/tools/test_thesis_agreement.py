"""The command ``python -m tools.thesis.agreement``, on ten logged decisions; see tests/data/records/README.md."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import hand_text
from ddzbot.kernel.binding import Kernel
from ddzbot.players.mctshs import SETTINGS
from tests.support import ROOT
from tools.thesis import agreement as thesis_agreement
from tools.thesis.agreement import compare, correlation, main, position_of, read_positions
from tools.thesis.logged import RowError

FILE = ROOT / "tests" / "data" / "records" / "thesis_decisions.jsonl.gz"
with gzip.open(FILE, "rt", encoding="utf-8") as lines:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in lines]


@pytest.fixture(autouse=True)
def engine(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches with the kernel under test, and few playouts."""
    monkeypatch.setattr(thesis_agreement, "native", lambda: kernel)
    few = {name: setting._replace(playouts=lambda candidates: 3000) for name, setting in SETTINGS.items()}
    monkeypatch.setattr(thesis_agreement, "SETTINGS", few)


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "120"})


def test_a_row_becomes_the_view_of_the_seat_that_decided() -> None:
    position = position_of(ROWS[0])
    assert position is not None
    assert (position.view.seat, len(position.view.plays)) == (0, ROWS[0]["ply"])
    assert hand_text(position.view.hand) == ROWS[0]["hand"]


def test_a_mean_is_the_sum_by_visits_of_a_move_in_our_order_of_cards() -> None:
    position = position_of(
        {**ROWS[0], "candidates": {move: {"visits": 4, "sum": 3} for move in ("3", "K", "2222", "43", "")}}
    )
    assert position is not None
    assert position.means == dict.fromkeys(["3", "K", "2222", "34", "pass"], 0.75)


def test_rows_with_few_candidates_are_left_out_and_counted() -> None:
    positions, without = read_positions(FILE)
    assert (len(positions), without) == (9, 1)


@pytest.mark.parametrize("change", [{"hand": "3"}, {"history": ["?"]}, {"history": []}])
def test_a_row_that_contradicts_itself_has_no_position(change: dict[str, Any]) -> None:
    assert position_of({**ROWS[0], **change}) is None


@pytest.mark.parametrize("row", [{}, [], {**ROWS[0], "candidates": {"3": {"visits": 0, "sum": 0}}}])
def test_what_is_no_decision_is_refused(row: Any) -> None:
    with pytest.raises(RowError, match="this is not a decision"):
        position_of(row)


def test_equal_means_correlate_fully_and_turned_ones_the_other_way() -> None:
    means = {move: float(number) for number, move in enumerate("34567")}
    turned = {move: -value for move, value in means.items()}
    assert correlation(means, means) == pytest.approx(1)
    assert correlation(means, turned) == pytest.approx(-1)


def test_too_few_moves_in_common_and_equal_means_have_no_correlation() -> None:
    means = {move: float(number) for number, move in enumerate("34567")}
    assert correlation(means, {"3": 1.0, "4": 2.0}) is None
    assert correlation(means, dict.fromkeys(means, 0.5)) is None


def test_many_worlds_agree_better_with_themselves_than_one(kernel: Kernel) -> None:
    positions, _ = read_positions(FILE)
    many = SETTINGS["thesis"]
    one = many._replace(options=many.options._replace(worlds=1))
    own = [compare(kernel, positions, setting)[1].correlations for setting in (one, many)]
    assert sum(own[0]) / len(own[0]) < sum(own[1]) / len(own[1])


def test_the_command_prints_both_rows_and_names_the_changes() -> None:
    result = ask(str(FILE), "--positions", "4", "--change", "worlds=0", "--change", "ripe=100")
    assert result.exit_code == 0, result.output
    assert "setting thesis, worlds=0, ripe=100:" in result.output
    assert "the log" in result.output
    assert "another seed" in result.output
    assert "4 of 9 positions; 1 rows have no position to compare" in result.output


def test_the_same_seed_prints_the_same_table() -> None:
    first, again, other = (ask(str(FILE), "--positions", "5", "--seed", seed).output for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize("change", ["worlds", "worlds=-1", "nonsense=1"])
def test_a_change_of_no_option_is_refused(change: str) -> None:
    result = ask(str(FILE), "--change", change)
    assert result.exit_code == 2
    assert f"{change} is not NAME=NUMBER" in result.output


def test_an_option_out_of_range_is_refused_in_one_sentence() -> None:
    result = ask(str(FILE), "--change", "ripe=0")
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "Error: ddz_search_init: bad index")


@pytest.mark.parametrize("text", ["{}", "3", "no json"])
def test_a_line_that_is_no_decision_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROWS[0]) + "\n" + text)
    result = ask(str(file))
    assert result.exit_code == 1
    assert f"{file}, line 2: " in result.output.replace("\n", "")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(b"no gzip")
    assert "it cannot be read" in ask(str(file)).output


def test_without_a_kernel_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thesis_agreement, "native", lambda: None)
    result = ask(str(FILE))
    assert result.exit_code == 1
    assert "there is no kernel to search with" in result.output
