"""How much of a turn's time is used."""

from typing import Any

import pytest

from ddzbot.protocol.budget import Budget

NONSENSE = [None, True, -1, 0, "soon", "nan", "inf", float("inf"), [6], {}, "", 10**400]


def test_the_first_turn_has_more_time_than_later_ones() -> None:
    budget = Budget()
    assert (budget.planned({}, True), budget.planned({}, False)) == (4.5, 3.0)


@pytest.mark.parametrize(
    ("limit", "obeyed", "trusted"),
    [
        (1, 0.75, 0.75),
        (0.4, 0.3, 0.3),
        ("2", 1.5, 1.5),
        # From 100 on it is in milliseconds.
        (100, 0.075, 0.075),
        ("100", 0.075, 0.075),
        (2000, 1.5, 1.5),
        ("4000", 3.0, 3.0),
        (6000, 4.5, 4.5),
        # A longer time is taken only where the judge is trusted, and no longer than the clock can wait.
        (12, 4.5, 9.0),
        (99.9, 4.5, 74.925),
        (1e300, 4.5, 3600.0),
        *((nonsense, 4.5, 4.5) for nonsense in NONSENSE),
    ],
)
def test_an_announced_time_limit_is_obeyed(limit: Any, obeyed: float, trusted: float) -> None:
    for budget, seconds in ((Budget(), obeyed), (Budget(trusts_time_limit=True), trusted)):
        assert budget.planned({"time_limit": limit}, True) == pytest.approx(seconds)


def test_the_player_gets_less_than_what_is_left_and_never_less_than_nothing() -> None:
    lefts = (4.0, 2.0, 1.0, 0.2, 0.1, -1.0)
    assert [Budget().for_player(left) for left in lefts] == pytest.approx([3.8, 1.9, 0.9, 0.1, 0.05, 0.0])
    parts = [Budget().for_player(left / 100) for left in range(500)]
    assert parts == sorted(parts)


def test_a_process_with_a_small_share_of_a_processor_has_a_longer_way_out() -> None:
    lefts = [Budget().for_player(2.0, share) for share in (1.0, 0.2, 0.1, 0.05, 0.0)]
    assert lefts == pytest.approx([1.9, 1.9, 1.8, 1.6, 1.0])


@pytest.mark.parametrize("message", [None, [], "time_limit", 3])
def test_a_message_that_is_no_envelope_announces_nothing(message: Any) -> None:
    assert Budget().planned(message, True) == 4.5
