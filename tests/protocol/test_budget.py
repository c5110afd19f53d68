"""How much of a turn's time is used."""

from typing import Any

import pytest

from ddzbot.protocol.budget import Budget


def test_the_plan_is_4_5_seconds_first_and_3_seconds_later() -> None:
    budget = Budget()
    assert (budget.seconds({}, True), budget.seconds({}, False)) == (4.5, 3.0)


@pytest.mark.parametrize(("limit", "seconds"), [(1, 0.75), ("2", 1.5), (2000, 1.5), ("4000", 3.0), (0.4, 0.3)])
def test_a_shorter_time_limit_is_obeyed_in_seconds_and_in_milliseconds(limit: Any, seconds: float) -> None:
    assert Budget().seconds({"time_limit": limit}, True) == pytest.approx(seconds)


@pytest.mark.parametrize("nonsense", [None, True, -1, 0, "soon", "nan", "inf", [6], {}, "", 10**400])
def test_a_time_limit_that_is_nonsense_is_ignored(nonsense: Any) -> None:
    assert Budget().seconds({"time_limit": nonsense}, True) == 4.5


def test_a_longer_time_limit_raises_the_plan_only_when_trusted() -> None:
    assert Budget().seconds({"time_limit": 12}, True) == 4.5
    assert Budget(trusts_time_limit=True).seconds({"time_limit": 12}, True) == 9.0


def test_the_player_gets_less_than_what_is_left_and_never_less_than_nothing() -> None:
    assert 0 < Budget().for_player(1.0) < 1.0
    assert Budget().for_player(-1.0) == 0.0


def test_a_twentieth_covers_the_way_out_and_a_tenth_of_a_second_at_least() -> None:
    lefts = (4.0, 2.0, 1.0, 0.2, 0.1)
    assert [Budget().for_player(left) for left in lefts] == pytest.approx([3.8, 1.9, 0.9, 0.1, 0.05])
    assert all(Budget().for_player(left) <= Budget().for_player(left + 0.01) for left in (n / 100 for n in range(500)))


def test_no_announced_limit_is_longer_than_the_clock_can_wait() -> None:
    assert Budget(trusts_time_limit=True).seconds({"time_limit": 1e300}, True) == 3600.0


@pytest.mark.parametrize(
    ("limit", "seconds"), [(99, 74.25), (99.9, 74.925), (100, 0.075), ("100", 0.075), (500, 0.375), (6000, 4.5)]
)
def test_an_announced_limit_of_100_or_more_is_in_milliseconds(limit: Any, seconds: float) -> None:
    assert Budget(trusts_time_limit=True).seconds({"time_limit": limit}, True) == pytest.approx(seconds)


@pytest.mark.parametrize("limit", ["inf", float("inf"), "nan", 0, -1, True, "soon"])
def test_nonsense_does_not_raise_the_plan_where_the_judge_is_trusted(limit: Any) -> None:
    assert Budget(trusts_time_limit=True).seconds({"time_limit": limit}, True) == 4.5


@pytest.mark.parametrize("message", [None, [], "time_limit", 3])
def test_a_message_that_is_no_envelope_announces_nothing(message: Any) -> None:
    assert Budget().seconds(message, True) == 4.5
