"""The order of fallbacks: which players are asked, on one clock, and their report in the decision."""

import time
from collections.abc import Iterator
from typing import NoReturn

import pytest

from ddzbot import engine as engine_module
from ddzbot.engine import LATE, UNLOADED, Bid, Engine
from ddzbot.game import shuffled, start
from ddzbot.players.base import OUT_OF_TIME, CannotPlay, Decision, Player
from ddzbot.players.registry import loading_of, make_player, parse_player
from ddzbot.rules import BOTZONE, BOTZONE2, PASS, Move
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

VIEW = View.of(start(shuffled(BOTZONE, "engine")), 0)
BIDDER = BidView(BOTZONE2, start(shuffled(BOTZONE2, "engine")).hands[0], ())
LITTLE = Limit(playouts=20)


class Lacking(Player):
    """Cannot play, and takes its time to find out; without its search it can."""

    name = "lacking"
    seconds = 0.0

    def choose(self, view: View, limit: Limit) -> Decision:
        time.sleep(self.seconds)
        raise CannotPlay("no such thing")

    def bid(self, view: BidView) -> int:
        raise CannotPlay("no such thing")


class Passing(Player):
    """Passes, on a lead too."""

    name = "passing"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(PASS, {})


class Layered(Lacking):
    """The same, but alone it can play."""

    def without_search(self) -> Player | None:
        alone = make_player("random", self.seed)
        alone.label = "layered:search=none"
        return alone


class Watcher(Player):
    """Notes the limits that it was given."""

    name = "rule"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.limits: list[Limit] = []

    def choose(self, view: View, limit: Limit) -> Decision:
        self.limits.append(limit)
        return Decision(view.legal_moves()[0], {})


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes every fallback fail."""
    monkeypatch.setattr(engine_module, "FALLBACKS", ("missing", "no_such_module:Player"))
    yield


@pytest.mark.usefixtures("with_kernel")
def test_the_next_one_is_mctshs_and_its_decision_says_why() -> None:
    decision = Engine(Lacking()).choose(VIEW, LITTLE)
    assert decision.player == "mctshs"
    assert decision.failures == (("lacking", "no such thing"),)
    assert list(decision.debug.items())[:2] == [("player", "mctshs"), ("failed_lacking", "no such thing")]
    assert decision.move == Engine("mctshs").choose(VIEW, LITTLE).move


@pytest.mark.parametrize("kind", [CannotPlay, RuntimeError])
def test_a_reason_is_kept_whole(kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    reason = f"/{'a folder/' * 100}net.ddzw: there is no numpy"
    monkeypatch.setattr(Lacking, "choose", lambda self, view, limit: _raise(kind(reason)))
    (failure,) = Engine(Lacking()).choose(VIEW, LITTLE).failures[:1]
    assert failure.reason == ("" if kind is CannotPlay else "RuntimeError: ") + reason


def _raise(error: Exception) -> NoReturn:
    raise error


@pytest.mark.usefixtures("without_kernel")
def test_then_comes_rule() -> None:
    decision = Engine(Lacking()).choose(VIEW, LITTLE)
    assert (decision.player, [failure.player for failure in decision.failures]) == ("rule", ["lacking", "mctshs"])
    assert decision.failures[1].reason == "no kernel: DDZ_NO_KERNEL is set"


def test_a_move_that_is_not_legal_is_not_handed_on() -> None:
    decision = Engine(Passing()).choose(VIEW, LITTLE)
    assert decision.failures[0].player == "passing" and "a lead cannot be a pass" in decision.failures[0].reason
    assert decision.move in VIEW.legal_moves()


def test_the_player_without_its_search_comes_before_others() -> None:
    decision = Engine(Layered()).choose(VIEW, LITTLE)
    assert (decision.player, decision.failures) == ("layered:search=none", (("lacking", "no such thing"),))


@pytest.mark.usefixtures("broken")
def test_in_the_end_comes_the_smallest_card_or_a_pass() -> None:
    decision = Engine(Lacking()).choose(VIEW, LITTLE)
    assert (decision.player, decision.debug["player"]) == ("none", "none")
    assert [failure.player for failure in decision.failures] == ["lacking", "missing", "no_such_module:Player"]
    assert decision.move.size == 1 and VIEW.hand & -VIEW.hand >= decision.move.cards
    bid = Engine(Lacking()).bid(BIDDER)
    assert (bid.bid, bid.player, bid.failures) == (0, "none", decision.failures)


def test_a_bid_names_its_player_too() -> None:
    bid = Engine(Layered()).bid(BIDDER)
    assert (bid.player, bid.failures) == ("layered:search=none", (("lacking", "no such thing"),))
    assert bid.debug == {"player": "layered:search=none", "failed_lacking": "no such thing"}


def test_the_clock_keeps_running_for_a_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    watcher, lacking = Watcher(), Lacking()
    lacking.seconds = 0.2
    monkeypatch.setattr(lacking, "without_search", lambda: watcher)
    assert Engine(lacking).choose(VIEW, Limit(0.5)).player == "rule"
    assert watcher.limits[0].seconds is not None and 0 < watcher.limits[0].seconds <= 0.3


def test_no_time_left_is_no_time_and_playouts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    watcher, lacking = Watcher(), Lacking()
    lacking.seconds = 0.05
    monkeypatch.setattr(lacking, "without_search", lambda: watcher)
    Engine(lacking).choose(VIEW, Limit(0.01, 70))
    Engine(lacking).choose(VIEW, Limit(playouts=70))
    assert watcher.limits == [Limit(0.0, 70), Limit(None, 70)]


def test_a_player_that_plays_has_no_failures() -> None:
    decision = Engine("rule").choose(VIEW, LITTLE)
    assert (decision.player, decision.failures) == ("rule", ())


def test_no_player_is_asked_where_there_is_no_choice() -> None:
    games = (start(shuffled(BOTZONE, f"forced/{number}")) for number in range(1000))
    after = (game.played(game.legal_moves()[-1]) for game in games)
    view = next(view for view in (View.of(game, game.seat) for game in after) if len(view.legal_moves()) == 1)
    decision = Engine(Lacking()).choose(view, LITTLE)
    assert (decision.player, decision.failures, decision.debug) == ("forced", (), {"player": "forced"})


@pytest.mark.parametrize("text", ["missing", "mcm:setting=x", "no_such_module:Player"])
def test_a_text_that_names_no_player_is_a_failure_and_no_error(text: str) -> None:
    decision = Engine(text).choose(VIEW, LITTLE)
    assert decision.failures[0].player == text
    assert decision.failures[0].reason.startswith("PlayerError: ")


def test_a_new_seed_reaches_players_that_were_made_and_those_to_come() -> None:
    fresh, used = Engine("random", 5), Engine("random", 1)
    used.choose(VIEW, LITTLE)
    used.reseed(5)
    assert used.choose(VIEW, LITTLE) == fresh.choose(VIEW, LITTLE)
    later = Engine(Layered(1))
    later.reseed(5)
    assert later.choose(VIEW, LITTLE).move == fresh.choose(VIEW, LITTLE).move


def test_what_an_engine_of_another_process_said_is_handed_on() -> None:
    class Remote(Player):
        name = "champion"

        def choose(self, view: View, limit: Limit) -> Decision:
            return Engine(Layered()).choose(view, limit)

    decision = Engine(Remote()).choose(VIEW, LITTLE)
    assert (decision.player, decision.failures) == ("layered:search=none", (("lacking", "no such thing"),))
    assert decision.debug["player"] == "layered:search=none"


# The ladder.


class Reporting(Player):
    """Leaves a move behind, and shows what stands while it thinks."""

    name = "reporting"
    left: object = None

    def choose(self, view: View, limit: Limit) -> Decision:
        self.best_so_far = self.left  # type: ignore[assignment]
        self.seen = self.engine.standing(view)
        return Decision(view.legal_moves()[-1], {})

    def bid(self, view: BidView) -> int:
        self.seen = self.engine.standing(view)
        return 3


def seen_by(player: Player, view: View | BidView, prepares: bool = True) -> Decision | Bid | None:
    """Gets what stood in an engine while *player* thought about *view*."""
    reporting = next(one for one in (player, player.without_search()) if isinstance(one, Reporting))
    player.without_search = lambda: reporting  # type: ignore[method-assign]
    reporting.engine = engine = Engine(player)
    if prepares:
        engine.prepare(view)
    if isinstance(view, BidView):
        engine.bid(view)
    else:
        engine.choose(view, LITTLE)
    return reporting.seen


def test_what_was_prepared_stands_until_the_player_has_a_move() -> None:
    prepared = seen_by(Reporting(), VIEW)
    by_rule = Engine("rule").choose(VIEW, LITTLE)
    assert isinstance(prepared, Decision)
    assert (prepared.move, prepared.player, prepared.failures) == (by_rule.move, "rule", (("reporting", LATE),))
    assert prepared.debug == {**by_rule.debug, "failed_reporting": LATE}
    assert seen_by(Reporting(), VIEW, prepares=False) is None


def test_the_best_move_so_far_stands_above_it() -> None:
    reporting = Reporting()
    reporting.left = VIEW.legal_moves()[3]
    best = seen_by(reporting, VIEW)
    said = {"player": "reporting", "search": OUT_OF_TIME}
    assert best == Decision(VIEW.legal_moves()[3], said, "reporting")


@pytest.mark.parametrize("left", ["34567", 3, Move(5 << 56, 1, 1, 1), PASS])
def test_what_is_no_legal_move_does_not_stand(left: object) -> None:
    reporting = Reporting()
    reporting.left = left
    assert seen_by(reporting, VIEW) == seen_by(Reporting(), VIEW)


def test_a_bid_stands_too_with_all_that_failed_before() -> None:
    class Twofold(Lacking):
        def without_search(self) -> Player | None:
            return alone

    alone = Reporting()
    bid = seen_by(Twofold(), BIDDER)
    assert isinstance(bid, Bid)
    assert (bid.bid, bid.player) == (Engine("rule").bid(BIDDER).bid, "rule")
    assert bid.failures == (("lacking", "no such thing"), ("reporting", LATE))


def test_what_was_prepared_for_one_view_does_not_stand_for_another() -> None:
    engine = Engine(Reporting())
    engine.prepare(VIEW)
    assert engine.standing(VIEW) is not None
    assert engine.standing(View.of(start(shuffled(BOTZONE, "another")), 0)) is None


@pytest.mark.usefixtures("broken")
def test_a_quickest_player_that_fails_leaves_nothing() -> None:
    engine = Engine(Lacking())
    engine.prepare(VIEW)
    assert engine.standing(VIEW) is None


@pytest.mark.parametrize(
    ("player", "seconds", "loads"),
    [
        ("champion", 0.11, True),
        ("champion", 0.09, False),
        ("mcm", 0.09, False),
        ("deeprocket", 0.39, False),
        ("cql", 0.41, True),
        ("rhcp", 0.0, True),
        ("test:Own", 0.0, True),
    ],
)
def test_a_player_that_takes_longer_to_load_than_is_left_is_not_loaded(
    player: str, seconds: float, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ddzbot.engine.Deadline", lambda limit: Deadline(limit, Clock(0.0, lambda: 0.0)))
    asked: list[str] = []
    monkeypatch.setattr("ddzbot.engine.parse_player", lambda text: asked.append(text) or parse_player("rule"))
    for bids in (False, True):
        engine = Engine(player)
        engine.loading_seconds = 0.1
        asked.clear()
        chosen = engine.bid(BIDDER, Limit(seconds)) if bids else engine.choose(VIEW, Limit(seconds))
        assert (player in asked) is loads
        assert ((player, UNLOADED) in chosen.failures) is not loads


def test_the_network_of_mcm_alone_may_need_numpy_and_that_of_the_champion_does_not() -> None:
    assert [loading_of(name, alone=True) for name in ("mcm:k=3", "champion", "cql")] == [4, 0, 0]
