"""The command ``python -m tools.seats``: three contestants, each in a seat of its own."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import seats

TABLE = ["rule", "random", "rhcp", "--rules", "mini", "--jobs", "1"]


def winners(file: Path) -> dict[str, int]:
    """Reads who went out in each deal."""
    found: dict[str, int] = json.loads(file.read_text())["winners"]
    return found


def test_the_result_depends_on_nothing_but_the_table(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file, jobs in zip(files, "12", strict=True):
        done = CliRunner().invoke(seats.main, [*TABLE[:-1], jobs, "--games", "12", "--json", str(file)])
        assert done.exit_code == 0, done.output
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(set(winners(files[0]).values())) > 1


def test_the_same_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    part, whole = tmp_path / "part.json", tmp_path / "whole.json"
    CliRunner().invoke(seats.main, [*TABLE, "--games", "5", "--json", str(part)])
    assert len(winners(part)) == 5
    for file in (part, whole):
        CliRunner().invoke(seats.main, [*TABLE, "--games", "9", "--json", str(file)])
    assert part.read_bytes() == whole.read_bytes()


def test_a_seat_holds_who_was_named_for_it() -> None:
    strong = CliRunner().invoke(seats.main, ["rule", "random", "random", "--games", "40", "--jobs", "1"])
    weak = CliRunner().invoke(seats.main, ["random", "rule", "rule", "--games", "40", "--jobs", "1"])
    assert [_landlord_share(done.output) > 70 for done in (strong, weak)] == [True, False]


def _landlord_share(output: str) -> float:
    row = next(line for line in output.splitlines() if "landlord " in line)
    return float(row.split("│")[4])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody", "rule", "rule"], "player 'nobody' is unknown"),
        (["rule", "rule", "rule", "--limit", "soon"], "soon"),
        (["rule", "rule", "rule", "--rules", "botzone2"], "with bidding nobody has a fixed seat"),
        (["rule", "python bot.py", "rule"], "only players of this process"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(seats.main, arguments)
    assert done.exit_code == 2
    assert sentence in done.output


def test_the_file_of_another_table_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    CliRunner().invoke(seats.main, [*TABLE, "--games", "2", "--json", str(file)])
    before = file.read_bytes()
    done = CliRunner().invoke(seats.main, ["random", *TABLE[1:], "--games", "2", "--json", str(file)])
    assert done.exit_code == 2
    assert "another table" in done.output
    assert file.read_bytes() == before
