"""What the terminal says of a bot's thoughts."""

from typing import Any

import pytest

from ddzbot.cards import parse_hand
from tools.records.terminal_thoughts import LEGEND, WIDTH, fallback_lines, has_no_choice, thought_lines

SEARCHED = {
    "v": "1.0.0",
    "player": "champion",
    "weights": "fast-f671615068cc.ddzw",
    "playouts": 4847,
    "moves": {"22": [0.735, 4222, 0.742], "pass": [0.68, 768, 0.663], "66": [0.614, 16, 0.75]},
    "ms": 955,
}


def lines(debug: Any, cards: str = "22", seconds: float = 0.96) -> list[str]:
    return [line.plain for line in thought_lines(debug, parse_hand(cards), seconds)]


def line(debug: dict[str, Any], cards: str = "22") -> tuple[str, str]:
    """Gets what is said of the moves, and of the thinking."""
    (one,) = lines(debug, cards)
    assert one.startswith("      ") and len(one) == WIDTH
    left, _, right = one[6:].partition("    ")
    return left, right.strip()


def test_a_move_that_was_given_up_early_is_left_out_unless_it_was_played() -> None:
    assert "  66 75 %" not in line(SEARCHED)[0]
    assert line(SEARCHED, "66")[0] == "22 74 %  pass 66 %  66 75 %"


def test_only_as_many_moves_as_fit_are_named_but_one_always() -> None:
    chains = {"3456789TJ": [0.5, 100, 0.61], "456789TJQ": [0.5, 100, 0.6], "56789TJQK": [0.5, 100, 0.6]}
    assert line({**SEARCHED, "moves": chains}, "3456789TJ")[0] == "3456789TJ 61 %  456789TJQ 60 %"
    (one,) = lines({"player": "x" * 60, "moves": {"3456789TJ": [0.5], "4": [0.5]}}, "3456789TJ")
    assert one == "      3456789TJ +0.50  " + "x" * 60 + "  network alone  1.0 s"


@pytest.mark.parametrize(
    ("debug", "left", "right"),
    [
        (SEARCHED, "22 74 %  pass 66 %", "4,847 playouts"),
        ({"player": "champion", "moves": {"22": [0.43], "pass": [0.4]}}, "22 43 %  pass 40 %", "network alone"),
        ({"player": "champion", "playouts": 0, "moves": {"22": [0.54, 0, 0.0]}}, "22 54 %", "network alone"),
        ({"player": "mctshs", "playouts": 90, "moves": {"22": [60, 0.7]}}, "22 70 %", "90 playouts"),
        ({"player": "mcm", "moves": {"22": [0.4], "33": [-0.2]}}, "22 +0.40  33 -0.20", "network alone"),
        ({"player": "champion", "search": "certain win"}, "wins for certain, whatever the others hold", ""),
        ({"player": "mcm", "search": "one candidate"}, "no other move is worth a thought", ""),
        ({"player": "rule", "rule": "feed"}, "by the rule 'feed'", ""),
    ],
    ids=str,
)
def test_each_player_has_its_own_words(debug: dict[str, Any], left: str, right: str) -> None:
    how = f"  {right}  1.0 s" if right else "  1.0 s"
    assert line(debug) == (left, debug["player"] + how)


def test_a_forced_move_needs_no_line() -> None:
    assert lines({"player": "forced", "ms": 140}, "") == []
    assert has_no_choice({"player": "forced"})


@pytest.mark.parametrize("debug", [None, "thinking", 7, ["champion"], {}, {"moves": {"22": [0.4]}}], ids=str)
def test_what_another_program_says_is_left_alone(debug: Any) -> None:
    assert lines(debug) == []
    assert not has_no_choice(debug)


def test_a_fallback_is_named_with_its_reason() -> None:
    said = [line.plain for line in fallback_lines({"player": "rule", "failed_champion": "OSError: no"})]
    assert len(said) == 2 and "champion" in said[0] and "OSError: no" in said[0] and "rule" in said[1]
    assert fallback_lines({"player": "champion", "weights": "fast-f671615068cc.ddzw"}) == fallback_lines(None) == []


def test_the_legend_fits() -> None:
    assert max(map(len, LEGEND)) <= WIDTH
