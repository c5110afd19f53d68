"""Sums by player: seats where there are no names, points apart from chances."""

from tests.review.some_reviews import demo, reviews
from tools.study.review.summary import summary


def test_without_names_it_adds_up_by_seat() -> None:
    found = [one._replace(name="") for one in reviews(demo())]
    assert [line.player for line in summary(found)] == ["landlord", "landlord_down", "landlord_up"]
    assert sum(line.decisions for line in summary(found)) == len(found)


def test_points_are_not_added_to_chances() -> None:
    found = reviews(demo())
    found[15] = found[15]._replace(points=True, loss=3.0)
    chances, points = summary(found)
    assert (chances.points, chances.decisions, points.points, points.decisions) == (False, len(found) - 1, True, 1)
    assert points.loss == 3.0 and points.proved == 1
    assert (points.player, chances.split, points.split) == (chances.player, False, True)
    assert not any(line.split for line in summary([one._replace(points=True) for one in found]))


def test_no_decision_has_no_line() -> None:
    assert summary([]) == []
