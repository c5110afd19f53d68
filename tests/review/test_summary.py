"""Sums by player: names, seats where there are none, points apart from chances."""

from tests.review.some_reviews import demo, reviews
from tools.look.review.summary import summary
from tools.shared.names import short_names


def test_names_of_programs_are_short_unless_two_become_one() -> None:
    one, other = "python3 /a/bot.py --limit 1s", "python3 /a/bot.py --limit 2s"
    assert short_names([one, "champion"]) == {one: "bot.py", "champion": "champion"}
    assert short_names([one, other]) == {one: one, other: other}


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


def test_no_decision_has_no_line() -> None:
    assert summary([]) == []
