"""python -m tools view: every format, several games, analyses, and one sentence for bad input."""

import shutil
from pathlib import Path

import pytest

from ddzbot.evaluation import Criterion, Method, Source
from ddzbot.rules import PASS
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.records.some_records import EXAMPLE
from tests.records.test_from_icga import OPENING
from tests.view.pages import THESIS, cards, data_in, data_of, log_file, view
from tools.records.files import read_records
from tools.shared.paths import call_of
from tools.study.analyse.model import Analysis, MoveAnalysis, Notes

LARGEST_PAGE = 500_000


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.ddzn"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def test_the_page_stands_beside_the_record(example: Path) -> None:
    result = view(example)
    page = example.with_suffix(".html")
    kilobytes = -(-page.stat().st_size // 1000)
    assert (result.exit_code, result.output) == (0, f"{page}: one game, 25 moves, {kilobytes} KB\n")
    (game,) = data_in(page)["games"]
    assert (game["names"], game["moves"][0]["cards"]) == (["cat", "ann", "bob"], "3 4 5 6 7 8")
    assert game["moves"][18]["thoughts"][0]["win"] == 0.9
    assert game["calls"]["analyse_move"] == call_of("analyse", str(example), "--move")


def test_without_a_record_it_is_the_newest_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert view().output == "Error: records: there is no game here yet; play one, or name a file\n"
    Path("records").mkdir()
    Path("records/play.ddzn").write_text(f"{EXAMPLE}\n{EXAMPLE}", encoding="utf-8")
    assert view().output.startswith("records/play.html: game 2 of 2, 25 moves, ")
    assert view("--number", 1).output.startswith("records/play.html: game 1 of 2, ")


def test_a_log_of_the_platform_makes_a_page_with_suits(tmp_path: Path) -> None:
    record = log_file(tmp_path, "ftl2_game1_randombids")
    assert view(record, "--out", tmp_path / "page.html").exit_code == 0
    (game,) = data_in(tmp_path / "page.html")["games"]
    assert all(len(card) == 2 for hand in game["hands"] for card in cards(hand) if card not in "LB")


def test_the_protocol_of_the_championship_makes_a_page_with_hidden_hands(tmp_path: Path) -> None:
    record = tmp_path / "game.icga"
    record.write_text(OPENING, encoding="utf-8")
    assert view(record).exit_code == 0
    (game,) = data_in(tmp_path / "game.html")["games"]
    assert [hand is None for hand in game["hands"]] == [False, True, True]
    assert (game["sizes"], game["bids"]) == ([20, 17, 17], [3, None, 0])


def test_several_games_make_one_page_and_each_is_there_once(tmp_path: Path) -> None:
    page = tmp_path / "sub" / "page.html"
    result = view(THESIS, "--number", 35, "--number", 2, "--number", 35, "--out", page)
    assert result.output.startswith(f"{page}: game 35, 2 of 40, ")
    games = data_in(page)["games"]
    assert [game["number"] for game in games] == [35, 2]


def test_the_form_can_be_said(tmp_path: Path, example: Path) -> None:
    other = tmp_path / "record.txt"
    shutil.copy(example, other)
    assert view(other).exit_code == 0


def test_a_page_of_one_seat(example: Path) -> None:
    assert view(example, "--seat", "landlord_up").exit_code == 0
    html = example.with_suffix(".html").read_text(encoding="utf-8")
    assert [hand is None for hand in data_of(html)["games"][0]["hands"]] == [True, True, False]
    assert "nothing can beat it" not in html


def test_open_shows_the_page_in_the_browser(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)  # it gets nothing, as where no browser opens
    done = view(example, "--open")
    assert shown == [example.with_suffix(".html").as_uri()]
    assert done.output.splitlines()[-1] == f"No browser opens here; the page is at {shown[0]}"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.ddzn"], "nothing.ddzn: it cannot be read: No such file or directory"),
        (["good.ddzn", "--number", "2"], "there is no game 2: the file has 1"),
        (["good.ddzn", "--limit", "soon"], "limit 'soon' must be like 0.2s, 5000p or 0.2s,5000p"),
        (["good.ddzn", "--out", "good.ddzn"], "good.ddzn: the page would take the place of the record"),
        (["good.ddzn", "--out", "bad.txt/page.html"], "bad.txt/page.html: it cannot be written: "),
        (["hidden.icga", "--seat", "landlord_up"], "the hand of landlord_up is unknown"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"good.ddzn": EXAMPLE, "bad.txt": "", "hidden.icga": OPENING}.items():
        Path(name).write_text(text, encoding="utf-8")
    result = view(*arguments)
    assert result.exit_code == 2
    assert result.output.startswith(f"Error: {sentence}")
    assert len(result.output.splitlines()) == 1


# Analyses.


def test_a_page_that_cannot_be_written_is_found_before_the_analysis(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.study.view.__main__._analyses", lambda *_: pytest.fail("analysed in vain"))
    page = tmp_path / ("x" * 300)
    result = view(example, "--out", page)
    assert (result.exit_code, result.output) == (2, f"Error: {page}: it cannot be written: File name too long\n")


def first_legal(view: View, limit: Limit, *, seed: int, top: int) -> Analysis:
    """Replaces an analysis: the first legal move, with a chance that shows the turn."""
    move = view.legal_moves()[0]
    told = MoveAnalysis(move, len(view.plays) / 100, None, limit.playouts or 0, None, 1, (move, PASS))
    return Analysis((told,), told.win, None, told.visits, 0.0, {}, Notes(Source(Method.CHAMPION, Criterion.WIN), {}))


def test_an_analysis_goes_before_the_notes(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.study.analyse.analyse.analyse", first_legal)
    assert view(example, "--limit", "123p").exit_code == 0
    (game,) = data_in(example.with_suffix(".html"))["games"]
    assert [move["thoughts"][0]["win"] for move in game["moves"]] == [ply / 100 for ply in range(25)]
    assert {move["thoughts"][0]["playouts"] for move in game["moves"]} == {123}
    assert [thought["source"] for thought in game["moves"][18]["thoughts"]] == ["analysis", "notes"]


def test_an_interrupted_analysis_keeps_what_is_done(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(view: View, limit: Limit, *, seed: int, top: int) -> Analysis:
        if len(view.plays) == 7:
            raise KeyboardInterrupt
        return first_legal(view, limit, seed=seed, top=top)

    monkeypatch.setattr("tools.study.analyse.analyse.analyse", interrupted)
    result = view(example, "--limit", "2000p")
    assert result.exit_code == 0
    assert "stopped: 7 of 25 moves are analysed" in result.output
    (game,) = data_in(example.with_suffix(".html"))["games"]
    assert [bool(move["thoughts"]) for move in game["moves"][:18]] == [True] * 7 + [False] * 11


@pytest.mark.parametrize("number", [29, 39])
def test_a_real_analysis_covers_the_known_hands_up_to_the_first_contradiction(tmp_path: Path, number: int) -> None:
    page = tmp_path / "page.html"
    result = view(THESIS, "--number", number, "--limit", "60p", "--out", page)
    assert result.exit_code == 0
    assert page.stat().st_size < LARGEST_PAGE
    record = read_records(THESIS)[number - 1]
    (game,) = data_in(page)["games"]
    analysed = [any(thought["source"] == "analysis" for thought in move["thoughts"]) for move in game["moves"]]
    problems = [play.number for play in record.plies() if play.problem]
    known = [ply % 3 not in record.unknown_seats for ply in range(len(record.moves))]
    sound = min(problems, default=len(known))
    assert analysed[:sound] == known[:sound]
    assert not any(done for done, shown in zip(analysed, known, strict=True) if not shown)
    assert any(analysed)
