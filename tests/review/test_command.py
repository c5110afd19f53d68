"""python -m tools review: files and folders, the page, JSON, and one sentence for bad input."""

import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.review.some_reviews import DEMO, demo, reviews
from tests.support import kernel_path, require
from tests.view.pages import data_in
from tools.records.files import read_records, write_records
from tools.shared.paths import move_calls
from tools.shared.terminal import Console
from tools.study.review import __main__ as command
from tools.study.review.__main__ import main
from tools.study.review.decisions import decisions, review_of
from tools.study.review.model import Review
from tools.study.review.screen import APART, show


@pytest.fixture(autouse=True)
def kernel() -> None:
    require(kernel_path(), "a C compiler")


def review(*arguments: object, limit: str = "10p") -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--limit", limit, "--quiet"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of two games and of one, and something else."""
    (record,) = read_records(DEMO)
    write_records(tmp_path / "two.jsonl.gz", [record, record])
    shutil.copy(DEMO, tmp_path / "one.ddzn")
    (tmp_path / "notes.txt").write_text("no record")
    return tmp_path


def test_json_has_a_line_for_each_decision() -> None:
    (record,) = read_records(DEMO)
    rows = [json.loads(line) for line in review(DEMO, "--json").output.splitlines()]
    assert [row["ply"] for row in rows] == decisions(record)
    assert list(rows[0]) == ["file", *Review._fields]
    assert rows[0]["seat"] == "landlord"
    proved = next(row for row in rows if row["proved"])
    assert (proved["ply"], proved["made"], proved["why"]) == (15, "55", "another kind of move was better")


def test_the_network_alone_reviews_and_the_page_says_so(tmp_path: Path) -> None:
    (record,) = read_records(DEMO)
    page = tmp_path / "page.html"
    rows = [json.loads(line) for line in review(DEMO, "--json", "--page", page, limit="network").output.splitlines()]
    alone = [review_of(record, 1, ply, None) for ply in decisions(record)]
    assert [row["loss"] for row in rows] == [round(one.review.loss, 4) for one in alone if one is not None]
    assert data_in(page)["review"]["limit"] == {"seconds": None, "playouts": None}


def test_a_decisive_moment_has_the_command_that_analyses_it(folder: Path) -> None:
    shown = review(folder).output
    two = str(folder / "two.jsonl.gz")
    for calls in (move_calls(str(folder / "one.ddzn"), 1), move_calls(two, 2)):
        assert all(f"    {call} 16\n" in shown for call in calls.values())
    assert " --number 2 --move 16" in shown


@pytest.mark.whole
def test_a_folder_is_all_its_records_added_up_by_player(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.study.review.screen.MANY_GAMES", 2)
    (record,) = read_records(DEMO)
    done = review(folder, "--json", limit="1p")
    rows = [json.loads(line) for line in done.output.splitlines()]
    assert [row["game"] for row in rows] == [game for game in (1, 2, 3) for _ in decisions(record)]
    assert {(row["game"], Path(row["file"]).name) for row in rows} == {
        (1, "one.ddzn"),
        (2, "two.jsonl.gz"),
        (3, "two.jsonl.gz"),
    }
    assert review(folder, "--json", "--jobs", 2, limit="1p").output == done.output
    shown = review(folder, limit="1p").output
    (line,) = (line for line in shown.splitlines() if line.split()[:1] == ["rule"])
    assert line.split()[1] == str(3 * len(decisions(record)))
    assert "was better" not in shown, "of many games only the sums are listed"
    assert "was better" in review(folder, "--number", 1).output


@pytest.mark.parametrize(("asked", "games"), [("2", {2}), ("2-3", {2, 3}), ("1-1", {1})])
def test_some_games_of_many_are_chosen_as_a_range(folder: Path, asked: str, games: set[int]) -> None:
    rows = [json.loads(line) for line in review(folder, "--json", "--number", asked, limit="1p").output.splitlines()]
    assert {row["game"] for row in rows} == games


@pytest.mark.parametrize("asked", ["0", "3-2", "x", "-", "2-", "9-99999999999999999999"])
def test_what_is_no_range_of_games_is_refused_in_a_sentence(folder: Path, asked: str) -> None:
    done = review(folder, f"--number={asked}")
    assert done.exit_code == 2 and "must be a game from 1" in done.output


def test_a_loss_has_its_unit_and_without_a_mistake_there_is_no_table() -> None:
    found = reviews(demo())
    found[15] = found[15]._replace(points=True, loss=3.0)
    screens = []
    for one in (found, [one for one in found if not one.mark]):
        printed = io.StringIO()
        show(Console(width=200, file=printed), one, False, {1: ("game.ddzn", 1)})
        screens.append(printed.getvalue())
    names = [line.strip().split("  ")[0] for line in screens[0].split("by player")[-1].splitlines()]
    assert [name for name in names if name.startswith("rule")] == ["rule", "rule, by points"]
    assert "3.00 points" in screens[0] and screens[0].count(APART) == 1 and "better" in screens[0]
    assert screens[1].startswith("no mistakes\n") and "better" not in screens[1] and APART not in screens[1]


def test_without_a_file_it_is_the_newest_game_with_a_page_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda page: opened.append(page) or True)
    monkeypatch.chdir(tmp_path)
    (record,) = read_records(DEMO)
    Path("records").mkdir()
    write_records(Path("records/play.ddzn"), [record, record])
    done = review("--open", limit="1p")
    page = tmp_path / "records" / "play.review.html"
    assert (done.exit_code, opened) == (0, [page.as_uri()])
    assert [game["number"] for game in data_in(page)["games"]] == [2]
    assert "records/play.ddzn --number 2" in done.output
    assert {json.loads(line)["game"] for line in review("--number", 1, "--json", limit="1p").output.splitlines()} == {1}


def test_the_page_shows_what_was_found_and_opens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda page: opened.append(page) or True)
    page = folder / "page.html"
    done = review(folder / "two.jsonl.gz", "--number", 2, "--page", page, "--open")
    assert (done.exit_code, opened) == (0, [page.as_uri()])
    assert done.output.splitlines()[-1].startswith(f"{page}: one game, ")
    (game,) = data_in(page)["games"]
    assert game["moves"][15]["review"]["proved"]
    (thought,) = game["moves"][15]["thoughts"]
    assert thought["hidden"] and len(thought["moves"][0]["line"]) > 1
    assert "game 2, move 16: " in done.output  # the number that was asked for


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["empty"], "empty: there is no game in this folder"),
        ([DEMO, "--number", "3"], "there is no game 3: the files have 1"),
        ([], "records: there is no game here yet; play one, or name a file"),
        ([DEMO, "--page", "gone/page.html"], "there is no folder"),
        ([DEMO, "--page", DEMO], "the page would take the place of the record"),
    ],
    ids=lambda one: str(one)[-30:],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    done = CliRunner().invoke(main, [*map(str, arguments), "--quiet"])
    assert done.exit_code == 2
    assert sentence in done.output.splitlines()[-1]


def test_a_page_that_cannot_be_written_is_found_before_the_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "review_all", lambda *_: pytest.fail("reviewed in vain"))
    page = tmp_path / ("x" * 300)
    done = review(DEMO, "--page", page)
    assert done.exit_code == 2
    assert done.output == f"Error: {page}: it cannot be written: File name too long\n"


def test_a_page_has_a_bound(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(command, "MOST_ON_A_PAGE", 2)
    done = review(folder, "--page", folder / "page.html")
    assert done.exit_code == 2
    assert "3 games are too many for a page: choose 2, as with --number 1-2" in done.output
