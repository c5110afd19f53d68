"""Three contestants, each in a seat of its own: ``python -m tools seats A B C``."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import rows_in, timeless
from tools.arena.report import main as report
from tools.arena.seats import main

TABLE = ["rule", "random", "rhcp", "--rules", "mini"]


def ask(file: Path, games: int, *more: str, table: list[str] = TABLE) -> Result:
    words = [*table, "--sets", str(games), "--jobs", "1", "--quiet", "--results", str(file), *more]
    return CliRunner().invoke(main, words)


@pytest.mark.whole
def test_the_result_depends_on_nothing_but_the_table(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file, jobs in zip(files, "12", strict=True):
        done = ask(file, 12, "--jobs", jobs)
        assert done.exit_code == 0, done.output
    assert timeless(rows_in(files[0])) == timeless(rows_in(files[1]))
    assert len({row.games[0].out for row in rows_in(files[0])[0]}) > 1
    # The report makes the same table of it, and there is no course to draw.
    said = CliRunner().invoke(report, [str(files[0]), "--plot", str(tmp_path / "no.png")])
    assert said.stdout.startswith(done.stdout) and "there is nothing to draw" in said.output


def test_a_table_for_a_spreadsheet_has_no_number_of_more_than_three_decimals(tmp_path: Path) -> None:
    file, table = tmp_path / "s.json", tmp_path / "s.csv"
    assert ask(file, 20).exit_code == 0
    assert CliRunner().invoke(report, [str(file), "--csv", str(table)]).exit_code == 0
    cells = [cell for line in table.read_text("utf-8-sig").splitlines()[1:] for cell in line.split(",")]
    assert len(cells) > 20
    assert all(len(cell.partition(".")[2]) <= 3 for cell in cells)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("strong", "table"), [(True, ["rule", "random", "random"]), (False, ["random", "rule", "rule"])]
)
def test_a_seat_holds_the_player_that_was_named_for_it(strong: bool, table: list[str], tmp_path: Path) -> None:
    output = ask(tmp_path / "s.json", 25, table=table).output
    landlord = next(line for line in output.splitlines() if "landlord " in line).split("│")
    assert (float(landlord[4].split()[0]) > 70) == strong


def test_the_file_of_another_table_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    ask(file, 2)
    before = file.read_bytes()
    done = ask(file, 2, table=["random", *TABLE[1:]])
    assert done.exit_code == 2 and "holds another match: contestants is ['rule', " in " ".join(done.output.split())
    assert file.read_bytes() == before
