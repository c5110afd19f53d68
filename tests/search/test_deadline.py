"""What is left of a decision, and the one loop that every search runs in."""

import pytest

from ddzbot.rules import PASS, Move
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult, Search, SearchResult


class Ticking(Clock):
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        super().__init__(0.0, lambda: self.time)
        self.time = 0.0


def test_what_is_spent_is_not_left() -> None:
    clock = Ticking()
    deadline = Deadline(Limit(2.0, 100), clock)
    clock.time = 0.5
    deadline.charge(30)
    assert deadline.left() == Limit(1.5, 70)
    assert (deadline.granted(1000), deadline.granted(7), deadline.spent) == (70, 7, 30)
    assert not deadline.is_over() and deadline.is_over(margin=1.5)
    clock.time = 3.0
    deadline.charge(1000)
    assert deadline.left() == Limit(0.0, 0) and deadline.is_over()


@pytest.mark.parametrize("limit", [Limit(seconds=1.0), Limit(playouts=10)])
def test_either_limit_ends_it(limit: Limit) -> None:
    clock = Ticking()
    deadline = Deadline(limit, clock)
    assert not deadline.is_over() and not deadline.is_endless
    clock.time = 1.0
    deadline.charge(10)
    assert deadline.is_over()


def test_without_a_limit_it_never_comes() -> None:
    deadline = Deadline()
    deadline.charge(10**12)
    assert deadline.is_endless and not deadline.is_over()
    assert deadline.left() == Limit() and deadline.granted(5) == 5


def test_a_part_runs_on_the_same_clock_and_is_charged_by_itself() -> None:
    clock = Ticking()
    whole = Deadline(Limit(4.0, 1000), clock)
    part = whole.part(1 / 4, 50)
    part.charge(50)
    assert part.is_over() and whole.left() == Limit(4.0, 1000)
    later = whole.part(1 / 4, None)
    clock.time = 1.0
    assert later.is_over() and not whole.is_over()


def test_other_playouts_have_the_same_seconds() -> None:
    clock = Ticking()
    deadline = Deadline(Limit(4.0, 10), clock)
    deadline.charge(10)
    clock.time = 1.0
    assert deadline.with_playouts(7).left() == Limit(3.0, 7)
    assert deadline.with_playouts(None).left() == Limit(3.0)


def test_a_watch_hears_of_every_charge() -> None:
    heard: list[int] = []
    deadline = Deadline(watch=heard.append)
    for playouts in (1, 2, 3):
        deadline.charge(playouts)
    assert heard == [1, 3, 6]


class Counting(Search):
    """A search whose playouts take a fixed time, and that may be settled or full after some of them."""

    def __init__(self, clock: Ticking, each: float, settled: int = 10**9, full: int = 10**9) -> None:
        self.clock, self.each, self.settled, self.full = clock, each, settled, full
        self.slices: list[int] = []

    @property
    def playouts(self) -> int:
        return sum(self.slices)

    def advance(self, playouts: int) -> None:
        playouts = min(playouts, self.full - self.playouts)
        self.slices.append(playouts)
        self.clock.time += playouts * self.each

    def is_settled(self, left: int | None) -> bool:
        return self.playouts >= self.settled

    def result(self) -> SearchResult:
        return SearchResult(PASS, [MoveResult(PASS, self.playouts, 0)], self.playouts)


def test_slices_take_the_time_that_they_shall() -> None:
    clock = Ticking()
    search = Counting(clock, each=0.001)
    search.run(Deadline(Limit(seconds=1.0), clock))
    assert search.slices[0] == Search.first_slice
    assert set(search.slices[1:]) <= {9, 10}
    assert 1.0 - Search.slice_seconds < clock.time < 1.0 + Search.slice_seconds


def test_a_slice_grows_fourfold_at_most() -> None:
    clock = Ticking()
    search = Counting(clock, each=0.0)
    search.run(Deadline(Limit(playouts=100_000), clock))
    assert search.slices[:4] == [100, 400, 1600, 6400]
    assert search.playouts == 100_000


@pytest.mark.parametrize(("options", "playouts"), [({"settled": 500}, 500), ({"full": 700}, 700)])
def test_a_search_ends_when_it_is_settled_or_full(options: dict[str, int], playouts: int) -> None:
    clock = Ticking()
    search = Counting(clock, 0.0, **options)
    assert search.run(Deadline(Limit(playouts=100_000), clock)).playouts >= playouts
    assert search.playouts < 10_000


def test_the_best_move_is_reported_after_every_slice() -> None:
    clock, reported = Ticking(), list[Move]()
    search = Counting(clock, 0.0)
    search.run(Deadline(Limit(playouts=5000), clock), reported.append)
    assert reported == [PASS] * len(search.slices)


def test_time_that_is_over_ends_a_search_that_has_an_answer() -> None:
    clock = Ticking()
    assert Counting(clock, 0.0).run(Deadline(Limit(seconds=0.0), clock)).playouts == 0


def test_a_search_without_an_answer_makes_at_least_one_playout() -> None:
    clock = Ticking()
    search = Counting(clock, 0.0)
    search.may_stop = lambda: search.playouts > 0  # type: ignore[method-assign]
    assert search.run(Deadline(Limit(playouts=0), clock)).playouts == 1


def test_without_a_limit_a_search_is_refused() -> None:
    with pytest.raises(ValueError, match="a search needs a limit of seconds or playouts"):
        Counting(Ticking(), 0.0).run(Deadline())


def test_the_best_among_some_moves() -> None:
    first, second, third = (Move(cards, 1, 0, 1) for cards in (1, 2, 3))
    found = SearchResult(first, [MoveResult(first, 9, 5), MoveResult(second, 3, 1)], 12)
    assert found.best_among(()) == found.best_among((second, first)) == first
    assert found.best_among((third, second)) == second
    assert found.best_among((third,)) == third


class Interrupted(Counting):
    """A search whose every slice takes a tenth of a second, since others have the processor."""

    def advance(self, playouts: int) -> None:
        super().advance(playouts)
        self.clock.time += 0.1


def test_no_slice_begins_that_would_end_behind_the_limit_if_it_took_as_long_as_the_last_one() -> None:
    search = Interrupted(Ticking(), each=0.0)
    search.run(Deadline(Limit(seconds=0.99), search.clock))
    assert search.clock.time == pytest.approx(0.9)


def test_the_share_of_a_processor_is_that_since_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.search.deadline.time.process_time", lambda: 7.0)
    shares = [Clock(0.0, lambda: 4.0, worked).share() for worked in (6.0, 0.0, 7.0)]
    assert shares == [0.25, 1.0, 0.0]
    assert Clock(4.0, lambda: 4.0).share() == 1.0
    assert Clock.starting_now().share() == 0.0


def test_a_deadline_knows_whether_much_is_left_beside_what_has_gone_by() -> None:
    clock = Ticking()
    clock.time = 1.0
    assert [Deadline(Limit(seconds), clock).leaves(2.0) for seconds in (2.9, 3.1, None)] == [False, True, True]
