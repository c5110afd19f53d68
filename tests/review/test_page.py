"""The data of the page of reviewed games: what stands at which move, and the sums."""

from pathlib import Path
from statistics import stdev

import pytest

from tests.review.some_reviews import LIMIT, MISTAKES, demo, reviews, shown, written
from tests.view.pages import data_of
from tools.study.review.model import MARKS
from tools.study.review.page import review_page, reviewed_game


def test_each_mistake_stands_at_its_move() -> None:
    game = reviewed_game(demo(), 1, shown(reviews(demo())))
    assert game["moments"] == [15, 20, 4]
    for number, move in enumerate(game["moves"]):
        mark, loss, proved, why = MISTAKES.get(number, ("", 0.0, False, ""))
        told = move["review"]
        assert (told["mark"], told["loss"], told["proved"], told["why"]) == (mark, loss, proved, why)
        assert told["best"] == ("" if mark else move["cards"].replace(" ", ""))
        assert move["thoughts"][0]["source"] == "analysis"
        assert ("answers" in move) == bool(mark) and move.get("puzzle", False) == (number == 15)


def test_a_game_without_a_decision_has_a_page() -> None:
    game = reviewed_game(demo(), 1, [])
    assert (game["moments"], game["players"]) == ([], [])
    assert "review" not in game["moves"][0]
    assert data_of(review_page([game], LIMIT))["games"][0]["moments"] == []


def test_the_page_states_the_thresholds_and_what_a_decision_got(tmp_path: Path) -> None:
    told = data_of(written(tmp_path).read_text("utf-8"))["review"]
    assert told == {"limit": {"seconds": None, "playouts": 700}, "marks": dict(MARKS), "sure": 2, "players": []}


def test_several_games_are_added_up_by_player(tmp_path: Path) -> None:
    data = data_of(written(tmp_path, games=2).read_text("utf-8"))
    (one,), (both,) = data["games"][0]["players"], data["review"]["players"]
    moves = len(demo().moves)
    assert one == {
        "player": "rule",
        "points": False,
        "split": False,
        "decisions": moves,
        "loss": round(0.88 / moves, 4),
        "error": one["error"],
        "marks": {"blunder": 2, "mistake": 1, "inaccuracy": 1},
        "proved": 1,
    }
    losses = [loss for _, loss, _, _ in MISTAKES.values()] + [0.0] * (moves - len(MISTAKES))
    assert one["error"] == pytest.approx(stdev(losses) / moves**0.5, abs=1e-4)
    assert both["error"] < one["error"]
    assert both["decisions"] == 2 * moves and both["marks"]["blunder"] == 4 and both["loss"] == one["loss"]


def test_the_page_names_the_fallback_of_the_champion() -> None:
    found = [one._replace(fallback="mctshs") for one in shown(reviews(demo()))]
    assert reviewed_game(demo(), 1, found)["fallbacks"] == ["mctshs"]
    assert reviewed_game(demo(), 1, shown(reviews(demo())))["fallbacks"] == []
