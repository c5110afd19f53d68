"""What a match is before it is played."""

import pytest

from ddzbot.search.limit import Limit, parse_limit
from tools.arena.played.plan import Plan
from tools.shared.limits import limit_text

TWO = Plan.of("botzone", ("rule", "random"), 1, 1)
THREE = Plan.of("botzone", ("rule", "random", "rhcp"), 1, 1)


@pytest.mark.parametrize(
    ("text", "limit"),
    [("", Limit()), ("0.2s", Limit(0.2)), ("5000p", Limit(None, 5000)), ("20s,50p", Limit(20, 50))],
)
def test_limits_are_seconds_playouts_or_both(text: str, limit: Limit) -> None:
    assert parse_limit(text) == limit and limit_text(limit) == text


@pytest.mark.parametrize("text", ["5", "0s", "0.5p", "1s,2s", "-1s", "1 s", "fast"])
def test_any_other_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        parse_limit(text)


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (Plan.of("nowhere", ("rule", "random"), 1, 1), "nowhere"),
        (Plan.of("botzone", ("rule",), 1, 1), "two contestants"),
        (TWO._replace(kind="everybody"), "everybody against everybody needs 3 contestants, not 2"),
        (TWO._replace(kind="seats"), "a table with fixed seats needs 3 contestants, not 2"),
        (THREE._replace(kind="seats", rules="botzone2"), "with bidding nobody has a fixed seat"),
        (TWO._replace(neighbours=2), "neighbours are of three or more"),
        (THREE._replace(sets=7, neighbours=6), "neighbours 6 must be at least the 7 sets of every pair"),
        (Plan.of("botzone", ("rule", "random"), 0, 1), "sets 0"),
        (Plan.of("botzone", ("rule", "random"), 1, 1, "Report"), "Report"),
        (TWO._replace(sprt=(3, 0, 0.05, 0.05)), "upper bound"),
        (THREE._replace(sprt=(0, 3, 0.05, 0.05)), "exactly two"),
        (Plan.of("standard", ("rule", "python3 bot.py"), 1, 1), "standard"),
        (Plan.of("botzone", ("rule", "random", "rule"), 1, 1), "once"),
        (Plan.of("botzone", ("rule", "./no_such_bot"), 1, 1), "no program"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_with_a_sentence(plan: Plan, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        plan.check()


def test_all_meet_all_or_the_first_meets_each() -> None:
    assert THREE.tables == [(0, 1), (0, 2), (1, 2)] and THREE.names == ("random", "rhcp", "rule")
    assert THREE._replace(kind="gauntlet").tables == [(0, 1), (0, 2)]
    seats = THREE._replace(kind="seats")
    assert (seats.tables, seats.seatings(), seats.letters) == ([(0, 1, 2)], ("ABC",), "ABC")


def test_a_set_is_both_sides_without_bidding_and_six_seatings_with_it() -> None:
    assert TWO.seatings() == ("ABB", "BAA")
    assert len({*Plan.of("botzone2", ("rule", "random"), 1, 1).seatings()}) == 6
