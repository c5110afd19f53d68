"""What a match is before it is played."""

import pytest

from ddzbot.search.limit import Limit
from tools.arena.plan import Plan
from tools.shared.limits import parse_limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [("", Limit()), ("0.2s", Limit(0.2)), ("5000p", Limit(None, 5000)), ("0.2s,50p", Limit(0.2, 50))],
)
def test_limits_are_seconds_playouts_or_both(text: str, limit: Limit) -> None:
    assert parse_limit(text) == limit


@pytest.mark.parametrize("text", ["5", "0s", "0.5p", "1s,2s", "-1s", "1 s", "fast"])
def test_any_other_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_limit(text)


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (Plan("nowhere", ("rule", "random"), 1, 1), "nowhere"),
        (Plan("botzone", ("rule",), 1, 1), "two contestants"),
        (Plan("botzone", ("rule", "random"), 0, 1), "sets 0"),
        (Plan("botzone", ("rule", "random"), 1, 1, namespace="Report"), "Report"),
        (Plan("botzone", ("rule", "random"), 1, 1, sprt=(3, 0, 0.05, 0.05)), "upper bound"),
        (Plan("botzone", ("rule", "random", "rhcp"), 1, 1, sprt=(0, 3, 0.05, 0.05)), "exactly two"),
        (Plan("standard", ("rule", "python3 bot.py"), 1, 1), "standard"),
        (Plan("botzone", ("rule", "random", "rule"), 1, 1), "once"),
        (Plan("botzone", ("rule", "./no_such_bot"), 1, 1), "no program"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_with_a_sentence(plan: Plan, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        plan.check()


def test_all_meet_all_or_the_first_meets_each() -> None:
    three = Plan("botzone", ("rule", "random", "rhcp"), 1, 1)
    assert three.pairings == [(0, 1), (0, 2), (1, 2)]
    assert three._replace(gauntlet=True).pairings == [(0, 1), (0, 2)]


def test_a_set_is_both_sides_without_bidding_and_six_seatings_with_it() -> None:
    assert Plan("botzone", ("rule", "random"), 1, 1).seatings == ("ABB", "BAA")
    assert len({*Plan("botzone2", ("rule", "random"), 1, 1).seatings}) == 6
