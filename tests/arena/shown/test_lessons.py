"""Of the lost games of a class those are shown from which there is something new to learn."""

from dataclasses import replace

from ddzbot.cards import parse_hand
from tests.review.some_reviews import demo, reviews, shown
from tools.arena.shown.lessons import Lesson, Place, each_once
from tools.records.record import GameRecord, RecordedMove


def lesson(place: Place, ply: int | None) -> Lesson:
    """A lost game with one mistake, or none."""
    found = [one for one in reviews(demo()) if one.ply == ply]
    return Lesson("rule", place, shown([one._replace(mark="mistake", loss=0.2) for one in found]))


def changed(record: GameRecord, ply: int) -> GameRecord:
    """The same deal, but with another move."""
    moves = [*record.moves]
    moves[ply] = RecordedMove(parse_hand("3"))
    return replace(record, moves=tuple(moves))


def test_the_same_mistake_is_told_once() -> None:
    one, other, third, free = (0, 1, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0)
    same = {place: demo() for place in (one, other, third, free)}
    lessons = [lesson(one, 4), lesson(other, 4), lesson(third, 11), lesson(free, None)]
    assert [kept.place for kept in each_once(lessons, same)] == [one, third, free]
    assert [kept.place for kept in each_once(lessons, same | {other: changed(demo(), 3)})] == [one, other, third, free]
    assert [kept.place for kept in each_once(lessons, same | {other: changed(demo(), 7)})] == [one, third, free]
