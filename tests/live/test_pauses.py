"""Pauses grow, differ, are bounded and begin anew; sums of matches say what they should."""

import pytest

from tools.tables.live.pauses import Pauses
from tools.tables.live.tally import Tally

pytestmark = pytest.mark.whole


def test_pauses_grow_to_their_bound_follow_from_the_seed_and_begin_anew() -> None:
    pauses = Pauses(1.0, 60.0, seed=7)
    found = [pauses.next() for _ in range(3000)]
    for number, pause in enumerate(found[:40]):
        whole = min(2.0**number, 60.0)
        assert whole / 2 <= pause <= whole
    # A thousand failures are no number too large.
    assert max(found) <= 60.0 and pauses.failures == 3000
    pauses.reset()
    assert pauses.next() <= 1.0
    assert Pauses(1.0, 60.0, seed=7).next() == found[0] != Pauses(1.0, 60.0, seed=8).next()


@pytest.mark.parametrize(
    ("position", "scores", "won"),
    [
        (0, (2.2, 0.1, 0.1), True),
        (0, (0.3, 2.1, 2.1), False),
        (0, (-1.0, 2.5, 2.5), False),
        (2, (-3.0, -3.0, 6.0), True),
        (0, (-1.0, -1.0, -1.0), False),
        (0, (), None),
    ],
)
def test_the_winner_by_points(position: int, scores: tuple[float, ...], won: bool | None) -> None:
    tally = Tally()
    assert tally.add("landlord", position, scores) is won
    assert (tally.played, tally.broken_off) == ((0, 1) if won is None else (1, 0))


def test_the_sums_are_by_role_too() -> None:
    tally = Tally()
    assert tally.lines() == []
    for role, position, scores in (("landlord", 0, (2.0, 0.0, 0.0)), ("landlord_up", 2, (2.0, 0.0, 0.0))):
        tally.add(role, position, scores)
    assert [line.split(",")[0] for line in tally.lines()] == [
        "all: 1 of 2 won",
        "landlord: 1 of 1 won",
        "landlord_up: 0 of 1 won",
    ]


def test_the_sums_end_with_what_went_wrong() -> None:
    tally = Tally()
    tally.add("landlord", 0, (2.0, 0.0, 0.0))
    assert len(tally.lines()) == 2
    tally.add("", 0, ())
    tally.fallbacks = 3
    assert tally.lines()[2:] == ["matches broken off 1, answers by a fallback 3"]
