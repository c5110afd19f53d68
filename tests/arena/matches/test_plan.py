"""What a match is before it is played."""

import pytest

from ddzbot.search.limit import Limit, parse_limit
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.plan import Gauntlet, Match, Seats, Series
from tools.shared.limits import limit_text

TWO = Match.of("botzone", ("rule", "random"), 1, 1)
THREE = Everybody.of("botzone", ("rule", "random", "rhcp"), 1, 1)


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


def test_all_meet_all_or_the_first_meets_each() -> None:
    assert THREE.tables == [(0, 1), (0, 2), (1, 2)] and THREE.names == ("random", "rhcp", "rule")
    gauntlet = Gauntlet.of("botzone", ("rule", "random", "rhcp"), 1, 1)
    assert gauntlet.tables == [(0, 1), (0, 2)] and gauntlet.names == ("rule", "random", "rhcp")
    seats = Seats.of("botzone", ("rule", "random", "rhcp"), 1, 1)
    assert (seats.tables, seats.seatings(), seats.letters) == ([(0, 1, 2)], ("ABC",), "ABC")


def test_an_open_match_has_the_same_pairs_in_whatever_order_its_players_are_named() -> None:
    assert Everybody.of("botzone", ("rule", "rhcp", "random"), 1, 1) == THREE


def test_the_first_bid_of_a_series_goes_round() -> None:
    series = Series.of("icga", ("rule", "random", "rhcp"), 1, 1)
    assert [*map(series.seatings, range(4))] == [("ABC",), ("BCA",), ("CAB",), ("ABC",)]


def test_a_set_is_both_sides_without_bidding_and_six_seatings_with_it() -> None:
    assert TWO.seatings() == ("ABB", "BAA")
    assert len({*Match.of("botzone2", ("rule", "random"), 1, 1).seatings()}) == 6
