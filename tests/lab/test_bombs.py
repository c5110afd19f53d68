"""How often bombs are kept, counted on positions written by hand and on recorded games."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.table import Table

from ddzbot.belief.certain import what_is_certain
from ddzbot.belief.clues import read_clues
from ddzbot.belief.fitted import NUMBERS
from ddzbot.cards import RANKS, parse_hand
from tests.belief.examples import view_of
from tests.support import ROOT
from tools.lab import bombs
from tools.lab.fit_belief.examples import Example
from tools.records.files import write_records

FILE = ROOT / "tests" / "data" / "records" / "thesis_games.jsonl.gz"
HAND = "333444555666777QK"
"""Of landlord_down: others may hold bombs of 8, 9, T, J, A and 2."""


def example(held: str, *plays: str, bottom: str = "") -> Example:
    """What landlord_down knows, and what landlord_up holds."""
    view = view_of(1, HAND, plays, bottom)
    clues = read_clues(view.plays)
    return Example(0, view, what_is_certain(view), parse_hand(held), (clues[2], clues[0]), True)


def found(*examples: Example) -> list[tuple[str, int, int]]:
    return [(RANKS[case.rank], case.out, case.held) for case in bombs.cases_of(examples)]


def test_a_case_is_a_rank_that_one_seat_began_and_the_other_did_not() -> None:
    assert found(example("888", "8")) == [("8", 3, 3)]
    assert found(example("A", "AA")) == [("A", 2, 1)]
    assert found(example("", "", "", "2", "")) == [("2", 3, 3)]
    assert found(example("89", "8", "", "", "9", "")) == [("8", 3, 1), ("9", 3, 1)]


def test_what_is_certain_is_no_case() -> None:
    assert found(example("8", "888")) == []
    assert found(example("", "8", bottom="888")) == []
    assert found(example("Q", "Q")) == []


def test_the_tables_say_what_was_held_and_what_beliefs_expect() -> None:
    cases = list(bombs.cases_of([example("888", "8"), example("8", "8"), example("AAA", "A"), example("AA", "A")]))
    columns = cells(bombs.table_of_ranks(cases))
    assert columns[:3] == [["8", "A", "all"], ["2", "2", "4"], ["50.0", "100.0", "75.0"]]
    assert columns[4] == ["50.0", "50.0", "50.0"]
    names, many, whole, losses = cells(bombs.table_of_beliefs(cases))
    assert names == ["uniform", "mini", "fitted", "report"]
    assert many[1] == f"{NUMBERS.mini_percent:.1f}"
    assert (columns[3][2], columns[5][2]) == (many[0], whole[0])
    for belief, loss in zip(names, losses, strict=True):
        shares = [case.expected[belief][case.held] for case in cases]
        assert float(loss) == pytest.approx(-math.log(math.prod(shares)) / 4, abs=0.001)


def cells(table: Table) -> list[list[str]]:
    """Gets the text of a table by column."""
    return [[str(cell) for cell in column.cells] for column in table.columns]


def test_the_command_prints_both_tables(tmp_path: Path) -> None:
    done = CliRunner().invoke(bombs.main, [str(FILE)])
    assert done.exit_code == 0, done.output
    assert "more than one %" in done.output and "log loss" in done.output
    path = tmp_path / "none.jsonl"
    write_records(path, [])
    assert CliRunner().invoke(bombs.main, [str(path)]).exit_code == 1
