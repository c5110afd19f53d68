"""The command ``python -m tools.seats``: three contestants, each in a seat of its own."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.arena.some_files import WHO
from tools import seats
from tools.arena.match_file import MixedError
from tools.arena.seats_file import SeatsFile, read_seats
from tools.shared.work.pool import WorkersLostError

TABLE = ["rule", "random", "rhcp", "--rules", "mini", "--jobs", "1"]


def winners(file: Path) -> dict[int, int]:
    """Reads who went out in each deal."""
    return read_seats(file).winners


def test_the_result_depends_on_nothing_but_the_table(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file, jobs in zip(files, "12", strict=True):
        done = CliRunner().invoke(seats.main, [*TABLE[:-1], jobs, "--games", "12", "--json", str(file)])
        assert done.exit_code == 0, done.output
    assert winners(files[0]) == winners(files[1])
    assert len(set(winners(files[0]).values())) > 1


def test_the_same_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    part, whole = tmp_path / "part.json", tmp_path / "whole.json"
    CliRunner().invoke(seats.main, [*TABLE, "--games", "5", "--json", str(part)])
    assert len(winners(part)) == 5
    for file in (part, whole):
        CliRunner().invoke(seats.main, [*TABLE, "--games", "9", "--json", str(file)])
    assert winners(part) == winners(whole) and len(winners(part)) == 9
    assert [one.played for one in read_seats(part).parts] == [5, 4]


def test_a_deal_that_ends_every_worker_is_named_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_jobs: int, _function: object, deals: Iterator[int], done: Callable[[int, int], None], *_: object) -> None:
        done(next(deals), 1)
        raise WorkersLostError(f"deal {next(deals)} ends every worker")

    monkeypatch.setattr(seats, "run_in_pool", run)
    file = tmp_path / "s.json"
    done = CliRunner().invoke(seats.main, [*TABLE, "--games", "5", "--json", str(file)])
    assert (done.exit_code, winners(file)) == (1, {0: 1})
    assert "Stopped: deal 1 ends every worker. The same command goes on.\n" in done.output


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


TABLE_OF = {"rules": "mini", "contestants": ["a", "b", "c"], "seed": 1, "namespace": "report", "limit": ""}


def played(file: Path, games: list[list[object]]) -> None:
    kept = SeatsFile(file, TABLE_OF)
    kept.begin(WHO, len(games), mix=False)
    kept.append([(index, seat) for index, seat in games])  # type: ignore[misc]
    kept.close()


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([[0, 1], [0, 2]], "deal 0 stands there twice"),
        ([[0, 3]], "line 3: a seat is 3, which is not a whole number from 0 to 2"),
        ([[0, True]], "line 3: a seat is True"),
        ([[-1, 1]], "line 3: a deal is -1"),
        ([["0", 1]], "line 3: a deal is '0'"),
    ],
)
def test_games_that_cannot_be_are_refused_in_one_sentence(games: list[list[object]], told: str, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    played(file, games)
    with pytest.raises(ValueError, match=told) as refused:
        read_seats(file)
    assert str(refused.value).startswith(f"results file {file}: ") and "\n" not in str(refused.value)


ODD: list[dict[str, object]] = [
    {"winners": {"0": 3}},
    {"winners": {"x": 1}},
    {"winners": []},
    {"seed": "1"},
    {"more": 1},
]


@pytest.mark.parametrize("change", ODD)
def test_the_older_format_is_read_strictly(change: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps({**TABLE_OF, "winners": {"0": 1, "1": 2}}))
    assert winners(file) == {0: 1, 1: 2}
    file.write_text(json.dumps({**TABLE_OF, "winners": {"0": 1}, **change}))
    with pytest.raises(ValueError, match=r"table\.json: this is not a results file of tools\.seats"):
        read_seats(file)


def test_a_damaged_file_is_read_as_it_was_or_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    played(file, [[0, 1], [1, 2]])
    content, chance, refused = file.read_bytes(), random.Random("damage/seats"), 0
    for _ in range(200):
        at = chance.randrange(len(content))
        flipped = content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]
        file.write_bytes(flipped if chance.random() < 0.7 else content[:at])
        try:
            found = read_seats(file)
        except ValueError as error:
            assert str(error).startswith(f"results file {file}: ") and "\n" not in str(error)
            refused += 1
        else:
            assert found.winners in ({0: 1, 1: 2}, {}) and found.torn
    assert refused > 100


def test_another_program_goes_on_only_where_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps({**TABLE_OF, "winners": {"0": 1}}))
    kept = SeatsFile(file, TABLE_OF)
    with pytest.raises(MixedError, match="it does not say which program has played so far"):
        kept.begin(WHO, 2, mix=False)
    with pytest.raises(ValueError, match="another match is writing it"):
        SeatsFile(file, TABLE_OF)
    kept.begin(WHO, 2, mix=True)
    kept.append([(1, 2)])
    kept.close()
    assert winners(file) == {0: 1, 1: 2}
    assert [part.provenance for part in read_seats(file).parts] == [None, WHO]
