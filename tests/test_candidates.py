"""The ways to choose candidates, by name."""

import pytest

from ddzbot.candidates import CANDIDATE_STRATEGIES, candidates_by
from ddzbot.cards import parse_hand
from ddzbot.less_split import candidates
from ddzbot.mini_split import mini_candidates
from ddzbot.rules import STANDARD, parse_move

HAND = parse_hand("99TJQKA")


def test_the_names_and_the_numbers_of_the_kernel() -> None:
    assert CANDIDATE_STRATEGIES == {"less_split": 0, "mini": 1}


@pytest.mark.parametrize("table", [None, "4", "33"])
@pytest.mark.parametrize("margin", [0, 1, 4])
def test_each_name_finds_its_candidates(table: str | None, margin: int) -> None:
    to_beat = parse_move(STANDARD, table) if table else None
    found = {
        name: candidates_by(number, STANDARD, HAND, to_beat, margin) for name, number in CANDIDATE_STRATEGIES.items()
    }
    assert found["less_split"] == candidates(STANDARD, HAND, to_beat, margin)
    assert found["mini"] == mini_candidates(STANDARD, HAND, to_beat)


def test_both_differ() -> None:
    less, mini = (set(candidates_by(number, STANDARD, HAND, None, 4)) for number in (0, 1))
    assert mini < less
