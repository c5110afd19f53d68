"""How noisy logged payoffs are and how far a network is from them: on small rows whose numbers are known."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT
from tools.thesis.value_error import (
    correlation_with_the_round_before,
    main,
    read_payoffs,
    without_line,
    without_mean,
)

FILE = ROOT / "tests" / "data" / "records" / "thesis_decisions.jsonl.gz"


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "100"})


def written(folder: Path, *rows: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def corrected(value: float, mean: float, simulations: int = 4000) -> dict[str, float]:
    """A move as the log has it: 1,000 visits at the value to begin with, and 2 added to everything."""
    return {
        "value": value,
        "visits": 1000 + simulations,
        "sum": 1000 * (value + 2) + simulations * (mean + 2),
    }


def row(*moves: dict[str, Any], seat: str = "peasant_prev", **more: object) -> dict[str, object]:
    return {"seat": seat, "candidates": {str(number): move for number, move in enumerate(moves)}, **more}


def test_head_start_and_shift_are_taken_off(tmp_path: Path) -> None:
    found = read_payoffs([written(tmp_path, row(corrected(-0.5, 0.25), {"value": 0.1}, corrected(0.5, 0.5, 1000)))])
    assert found.mean.tolist() == pytest.approx([0.25, math.nan, 0.5], nan_ok=True)
    assert found.visits.tolist() == [4000, 0, 1000]
    assert found.value.tolist() == [-0.5, 0.1, 0.5]


def test_noise_is_the_mean_distance_of_so_many_games(tmp_path: Path) -> None:
    rows = row({"visits": 900, "sum": 0}, seat="landlord"), row({"visits": 400, "sum": 400}, {"visits": 25, "sum": 15})
    noise = read_payoffs([written(tmp_path, *rows)]).noise
    # Games of +-2 have a standard deviation of 2, and of +-1 with mean 0.6 one of 0.8; the mean of a
    # normal distribution's absolute value is sqrt(2 / pi) of it.
    assert noise.tolist() == pytest.approx([math.sqrt(2 / math.pi) * each for each in (2 / 30, 0, 0.8 / 5)])
    draws = np.random.default_rng(1).binomial(900, 0.5, 20000)
    assert np.abs(2 * (2 * draws / 900 - 1)).mean() == pytest.approx(noise[0], rel=0.02)


def test_the_errors_are_those_of_the_definition(tmp_path: Path) -> None:
    errors = np.array([1.0, 3.0, 5.0, 2.0, 7.0, 9.0])
    decision = np.array([1.0, 1.0, 1.0, 2.0, 3.0, 3.0])
    assert without_mean(errors, decision).tolist() == [-2, 0, 2, -1, 1]
    assert np.abs(without_line(2 * errors + 1, errors)).max() < 1e-9
    rows = [row(corrected(0.0, 0.2), corrected(0.1, 0.1)), row(corrected(0.5, 0.4), corrected(0.6, 0.5))]
    done = ask(written(tmp_path, *rows))
    assert done.exit_code == 0, done.output
    table = {
        cells[0].strip(): cells[1:3]
        for cells in (line.strip("│").split("│") for line in done.output.splitlines() if line.startswith("│"))
    }
    assert [cell.strip() for cell in table["of the value"]] == ["4", "0.1000"]
    assert "correlate" not in done.output
    # Errors -0.2, 0 and 0.1, 0.1: less their means -0.1 and 0.1 they are 0.1 twice and 0 twice.
    assert [cell.strip() for cell in table["after the mean error of each decision"]] == ["4", "0.0500"]


def test_decisions_of_a_seat_one_round_apart_follow_each_other(tmp_path: Path) -> None:
    biases = (0.3, 0.3, -0.2, -0.2, 0.1, 0.1)
    rows = [
        row(corrected(0.0, -bias), corrected(0.2, 0.2 - bias), source="a", segment=number // 2, ply=2 + number % 2 * 3)
        for number, bias in enumerate(biases)
    ]
    found = read_payoffs([written(tmp_path, *rows)])
    assert found.before.tolist() == [0, 0, 1, 1, 0, 0, 3, 3, 0, 0, 5, 5]
    assert correlation_with_the_round_before(found.value - found.mean, found) == pytest.approx(1.0)
    alone = read_payoffs([written(tmp_path, *rows[::2])])
    assert correlation_with_the_round_before(alone.value - alone.mean, alone) is None


def test_logged_searches_without_a_network_make_the_first_table() -> None:
    done = ask(FILE)
    assert done.exit_code == 0, done.output
    lines = [line.strip("│").split("│") for line in done.output.splitlines() if line.startswith("│")]
    assert [cells[0].strip() for cells in lines] == ["all", "landlord", "peasants"]
    everybody, landlord, peasants = (int(cells[1]) for cells in lines)
    assert everybody == landlord + peasants == len(read_payoffs([FILE]).mean)
    assert float(lines[0][3]) == pytest.approx(read_payoffs([FILE]).noise.mean(), abs=1e-4)
    assert "network's" not in done.output and "Values" not in done.output


def test_the_range_of_the_values_is_told_by_side(tmp_path: Path) -> None:
    rows = row({"value": -1.5}, {"value": 2.125}, {"value": -1.0}, seat="landlord"), row({"value": 0.5})
    done = ask(written(tmp_path, *rows))
    table = [
        [cell.strip() for cell in line.strip("│").split("│")] for line in done.output.splitlines() if line[0] == "│"
    ]
    assert table == [
        ["all", "4", "-1.500", "-0.250", "2.125"],
        ["landlord", "3", "-1.500", "-1.000", "2.125"],
        ["peasants", "1", "0.500", "0.500", "0.500"],
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "it cannot be read"),
        ("{", "line 1"),
        ("[]", "line 1: this is not a decision"),
        ("", "there are no candidates"),
        (json.dumps(row({"visits": 0, "sum": 0})), "line 1: this is not a decision"),
        (json.dumps(row({"visits": 900, "sum": 0, "value": 0.5})), "beside a head start of 1000"),
        (json.dumps(row({"visits": 9, "sum": 0}, seat="nobody")), "line 1: this is not a decision"),
    ],
)
def test_bad_input_gets_one_sentence_that_names_the_file(tmp_path: Path, content: str | None, sentence: str) -> None:
    path = tmp_path / "rows.jsonl"
    if content is not None:
        path.write_text(content)
    done = ask(path)
    said = " ".join(done.output.split())
    assert done.exit_code == 2 and sentence in said and "rows.jsonl" in said
