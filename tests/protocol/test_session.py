"""A line in, a legal answer out: whatever the line, the player and the clock do."""

import _thread
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ddzbot.engine import LATE, UNLOADED
from ddzbot.kernel import Choice
from ddzbot.kernel.binding import Kernel
from ddzbot.players.base import OUT_OF_TIME
from ddzbot.players.registry import PlayerSpec, parse_player
from ddzbot.players.rule import RulePlayer
from ddzbot.protocol.budget import Budget
from ddzbot.protocol.session import Session, _trimmed
from ddzbot.protocol.watchdog import NOBODY_IN_TIME, Settings
from ddzbot.search.deadline import Clock
from tests.protocol.bad_players import Raising, released

OWN = [*range(3, 20)]
LEAD = {"requests": [{"own": [*range(20)], "history": [[], []], "publiccard": [0, 1, 2]}], "responses": []}
FOLLOW = {"requests": [{"own": [*range(4, 21)], "history": [[], [0]], "publiccard": [0, 1, 2]}], "responses": []}
STRONG = {"requests": [{"own": [*range(35, 50), 52, 53], "bid": []}], "responses": []}
"""A hand that rule bids 3 for."""
BID = {"requests": [{"own": OWN, "bid": [1]}], "responses": []}


@pytest.fixture(autouse=True)
def nobody_hangs_longer_than_the_test() -> Iterator[None]:
    released.clear()
    before = _thread._count()
    yield
    released.set()
    ended = time.monotonic() + 250
    while _thread._count() > before and time.monotonic() < ended:
        time.sleep(0.01)
    assert _thread._count() <= before


def session(player: str, seconds: float = 30.0) -> Session:
    if player[0].isupper():
        player = "tests.protocol.bad_players:" + player
    return Session(Settings(player, 0, None, Budget(seconds, seconds)))


def answer(line: Any, player: str = "random", seconds: float = 30.0) -> dict[str, Any]:
    text = line if isinstance(line, str) else json.dumps(line)
    answered: dict[str, Any] = json.loads(session(player, seconds).answer(text, Clock.starting_now()))
    return answered


def test_a_history_that_makes_no_sense_is_said_as_it_was_first_seen() -> None:
    play = {"history": [[], []], "landlord": 0, "pos": 0, "finalbid": 3, "publiccard": [48, 50, 52]}
    line = {"requests": [{"own": [17], "bid": []}, play], "responses": [3]}
    assert answer(line)["debug"]["error"] == "ProtocolError: own must be a list, not None"


@pytest.mark.parametrize("player", ["Raising", "Recursing", "Illegal", "Exiting"])
def test_a_failing_player_is_replaced_by_one_that_works(player: str) -> None:
    # Playouts end the fallback's search: it would take all of its time.
    settings = Settings("tests.protocol.bad_players:" + player, 0, 200, Budget(30.0, 30.0))
    answered = json.loads(Session(settings).answer(json.dumps(FOLLOW), Clock.starting_now()))
    assert answered["debug"]["player"] in ("mctshs", "rule")
    assert f"failed_tests.protocol.bad_players:{player}" in answered["debug"]


def test_a_failing_bidder_is_replaced_by_one_that_works() -> None:
    assert answer(BID, "Raising")["response"] in (0, 2, 3)
    assert answer(BID, "Illegal")["response"] in (0, 2, 3)


@pytest.mark.whole
@pytest.mark.parametrize("line", [LEAD, FOLLOW, STRONG], ids=["lead", "follow", "bid"])
def test_in_the_place_of_a_player_that_hangs_rule_answers_and_the_debug_says_so(line: dict[str, Any]) -> None:
    answered, by_rule = answer(line, "Hanging", seconds=0.5), answer(line, "rule")
    assert answered["response"] == by_rule["response"] not in ([], 0)
    late = {"player": "rule", "failed_tests.protocol.bad_players:Hanging": LATE}
    assert answered["debug"].items() >= {**by_rule["debug"], **late, "ms": answered["debug"]["ms"]}.items()


@pytest.mark.parametrize("line", [LEAD, FOLLOW, STRONG], ids=["lead", "follow", "bid"])
def test_where_rule_fails_too_the_answer_is_legal(line: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RulePlayer, "choose", Raising.choose)
    monkeypatch.setattr(RulePlayer, "bid", Raising.bid)
    answered = answer(line, "Hanging", seconds=0.3)
    assert answered["response"] == {str(LEAD): [0], str(FOLLOW): [], str(STRONG): 0}[str(line)]
    assert answered["debug"]["error"] == NOBODY_IN_TIME


def test_the_best_move_so_far_is_answered_when_the_time_is_up() -> None:
    answered = answer(FOLLOW, "HangingWithAMove", seconds=0.5)
    assert answered["response"] == [16, 17, 18, 19]
    said = {"player": "tests.protocol.bad_players:HangingWithAMove", "search": OUT_OF_TIME}
    assert answered["debug"].items() >= said.items()
    assert "failed" not in str(answered) and "error" not in answered["debug"]


def test_nonsense_as_the_best_move_so_far_is_not_answered() -> None:
    answered = answer(LEAD, "HangingWithNonsense", seconds=0.3)
    assert answered["response"] == answer(LEAD, "rule")["response"]


class Stopped(Clock):
    """Shows the same time for ever: the process took it to come to its first turn."""

    def __init__(self, seconds: float) -> None:
        super().__init__(-seconds, lambda: 0.0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes which players are made."""
    made: list[str] = []

    def noted(text: str) -> PlayerSpec:
        made.append(text)
        return parse_player(text)

    monkeypatch.setattr("ddzbot.engine.parse_player", noted)
    return made


@pytest.mark.parametrize(
    ("player", "left", "loaded"),
    [("champion", 0.19, False), ("champion", 0.5, True), ("mcm", 0.19, False), ("deeprocket", 0.7, False)],
)
def test_what_the_turn_cannot_use_is_not_loaded(player: str, left: float, loaded: bool, asked: list[str]) -> None:
    one = Session(Settings(player, 0, 20, Budget(1.0 + left, 1.0)))
    debug = json.loads(one.answer(json.dumps(FOLLOW), Stopped(1.0)))["debug"]
    assert (player in asked) is loaded
    if not loaded:
        assert debug["player"] in ("rule", "mctshs") and debug[f"failed_{player}"] == UNLOADED


@pytest.mark.parametrize(("start", "first"), [(0.2, ["random"]), (0.3, ["rule", "random"])])
def test_rule_is_asked_first_where_time_is_short_and_else_not_at_all(
    start: float, first: list[str], asked: list[str]
) -> None:
    one = Session(Settings("random", 0, None, Budget(1.2, 1.0)))
    assert json.loads(one.answer(json.dumps(FOLLOW), Stopped(start)))["debug"]["player"] == "random"
    assert asked == first


def test_a_later_turn_knows_how_long_the_first_one_took_to_begin(asked: list[str]) -> None:
    one = Session(Settings("champion", 0, 20, Budget(1.1, 0.1)))
    one.answer(json.dumps(FOLLOW), Stopped(1.0))
    asked.clear()
    again = json.loads(one.answer(json.dumps(FOLLOW), Stopped(0.0), first_turn=False))["debug"]
    assert (again["failed_champion"], "champion" in asked) == (UNLOADED, False)


def test_a_bid_is_a_plain_number_and_names_its_player() -> None:
    answered = answer(BID, "FractionBidder")
    assert (answered["response"], answered["debug"]["player"]) == (3, "tests.protocol.bad_players:FractionBidder")
    assert "failed_tests.protocol.bad_players:Raising" in answer(BID, "Raising")["debug"]


def test_a_damaged_bid_request_is_answered_with_no_bid() -> None:
    assert answer({"requests": [{"own": OWN, "bid": [None]}]})["response"] == 0


def test_a_damaged_response_does_not_hide_the_hand() -> None:
    assert answer({"requests": [*LEAD["requests"], {"history": [[], []]}], "responses": [[[1]]]})["response"] == [0]


def test_the_time_limit_of_the_envelope_holds_for_later_bare_requests() -> None:
    one = session("Hanging", 30.0)
    one.answer(json.dumps({**LEAD, "time_limit": 0.4}), Clock.starting_now())
    started = time.monotonic()
    one.answer('{"history":[[],[]]}', Clock.starting_now(), first_turn=False)
    assert time.monotonic() - started < 25


def test_a_later_envelope_without_a_time_limit_has_the_whole_plan() -> None:
    one = session("Telling", 1000.0)
    first = json.loads(one.answer(json.dumps({**LEAD, "time_limit": 40}), Clock.starting_now()))
    later = json.loads(one.answer(json.dumps(LEAD), Clock.starting_now(), first_turn=False))
    assert 0 < first["debug"]["seconds"] < 30
    assert 900 < later["debug"]["seconds"] < 1000


def test_a_bare_request_that_no_envelope_precedes_has_the_whole_plan() -> None:
    answered = answer(json.dumps(LEAD["requests"][0]), "Telling", 1000.0)
    assert 900 < answered["debug"]["seconds"] < 1000


def test_a_quarter_of_the_processor_time_is_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.protocol.session.processor_seconds", lambda: 400.0)
    assert 250 < answer(LEAD, "Telling", 1000.0)["debug"]["seconds"] <= 300


def test_a_new_engine_plays_on_after_a_hang() -> None:
    one = session("HangingWithAMove", 0.3)
    one.answer(json.dumps(LEAD), Clock.starting_now())
    second = json.loads(one.answer('{"history":[[],[]]}', Clock.starting_now(), first_turn=False))
    assert len(second["response"]) > 1


def test_debug_says_that_another_kernel_plays_than_the_one_that_was_named(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for passed_over in ("", "DDZ_KERNEL=/nowhere.so: there is no such file"):
        choice = Choice(kernel, f"kernel 8 build/ddz_kernel.so ({passed_over})", passed_over)
        monkeypatch.setattr("ddzbot.kernel._choice", choice)
        assert answer(FOLLOW)["debug"].get("kernel") == (choice.description if passed_over else None)


def test_debug_stays_under_1_kb_and_keeps_what_is_small() -> None:
    debug = answer(FOLLOW, "Chatty")["debug"]
    assert len(json.dumps(debug)) < 1024
    assert debug["short"] == 1
    assert debug["long"].startswith("xxx") and debug["long"].endswith("xxx") and "..." in debug["long"]


def test_a_reason_that_is_too_long_for_the_judge_keeps_both_ends() -> None:
    settings = Settings("tests.protocol.bad_players:Lacking", 0, 200, Budget(30.0, 30.0))
    debug = json.loads(Session(settings).answer(json.dumps(LEAD), Clock.starting_now()))["debug"]
    assert len(json.dumps(debug, separators=(",", ":"))) <= 1000
    assert debug["failed_raising"] == "RuntimeError: a bug" and debug["player"] in ("mctshs", "rule")
    (reason,) = (value for key, value in debug.items() if key.startswith("failed_") and key.endswith("Lacking"))
    assert reason.startswith("no network: folder/") and reason.endswith("folder/: there is no file")


def test_values_that_do_not_fit_are_dropped() -> None:
    assert _trimmed({"values": list(range(1000)), "short": 1, "x" * 2000: ""}) == {"short": 1}


def test_words_that_json_cannot_hold_do_not_cost_the_move() -> None:
    answered = answer(LEAD, "Unspeakable")
    assert answered["response"] == [0]
    assert "not JSON serializable" in answered["debug"]["error"]


def test_a_number_that_json_does_not_have_is_not_printed() -> None:
    text = session("NotANumber").answer(json.dumps(LEAD), Clock.starting_now())
    answered = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert answered["response"] == [0]


def test_debug_says_the_milliseconds_that_the_turn_took() -> None:
    class Passed(Clock):
        def elapsed(self) -> float:
            return 2.5

    answered = json.loads(session("random").answer(json.dumps(LEAD), Passed.starting_now()))
    assert answered["debug"]["ms"] == 2500


def test_an_envelope_that_has_our_answer_already_does_not_get_a_second_one() -> None:
    one = session("random")
    one.answer(json.dumps({**LEAD, "responses": [[0]]}), Clock.starting_now())
    later = json.loads(one.answer('{"history":[[],[]]}', Clock.starting_now(), first_turn=False))
    assert later["debug"]["left"] == [19, 17, 17]


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()], ids=repr)
def test_without_a_thread_the_answer_is_found_all_the_same(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any) -> None:
        raise error

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    assert answer(LEAD, "random")["debug"]["player"] == "random"


def test_a_wait_that_ends_early_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hasty(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            return super().wait(min(timeout or 0.0, 0.01))

    monkeypatch.setattr(threading, "Event", Hasty)
    assert answer(LEAD, "Slow")["debug"]["player"].endswith("Slow")
    started = time.monotonic()
    assert LATE in answer(LEAD, "Hanging", 0.3)["debug"].values()
    assert time.monotonic() - started >= 0.3


def test_a_kept_session_remembers_its_own_answers() -> None:
    one = session("random")
    first = json.loads(one.answer(json.dumps(LEAD), Clock.starting_now()))["response"]
    second = json.loads(one.answer('{"history":[[],[]]}', Clock.starting_now(), first_turn=False))
    assert second["debug"]["left"][0] == 20 - len(first)
    assert not {*first} & {*second["response"]}


def test_a_restarted_session_copes_with_a_full_envelope_in_mid_game() -> None:
    envelope = {"requests": [*LEAD["requests"], {"history": [[], []]}], "responses": [[0]]}
    assert answer(envelope)["debug"]["left"] == [19, 17, 17]


def test_a_kept_session_plays_a_second_match() -> None:
    one = session("random")
    one.answer(json.dumps(LEAD), Clock.starting_now())
    second = json.loads(one.answer(json.dumps(FOLLOW["requests"][0]), Clock.starting_now(), first_turn=False))
    assert second["debug"]["seat"] == 1


def test_one_shot_and_kept_give_the_same_answer() -> None:
    kept = session("random")
    first = json.loads(kept.answer(json.dumps(LEAD), Clock.starting_now()))["response"]
    second = json.loads(kept.answer('{"history":[[],[]]}', Clock.starting_now(), first_turn=False))["response"]
    envelope = {"requests": [*LEAD["requests"], {"history": [[], []]}], "responses": [first]}
    assert answer(envelope)["response"] == second


def test_every_envelope_field_but_requests_is_optional() -> None:
    assert answer({"requests": LEAD["requests"]})["response"] == answer(LEAD)["response"]


@pytest.mark.parametrize("line", ["", "garbage", "[1,2", "3", "null", '"x"', "{}", '{"requests":[]}', "[" * 100000])
def test_a_line_that_says_nothing_is_answered_with_a_pass_and_a_reason(line: str) -> None:
    answered = answer(line)
    assert answered["response"] == []
    assert answered["debug"]["error"]


PLAYED = {"own": [*range(4, 21)], "publiccard": [21, 22, 0], "landlord": 1, "pos": 1, "finalbid": 1}


@pytest.mark.parametrize("spoilt", [{"finalbid": 0}, {"finalbid": None}, {"pos": 3}, {"own": [*range(4, 20)]}])
def test_a_lead_is_no_pass_whatever_is_wrong_with_the_deal(spoilt: dict[str, Any]) -> None:
    bid, play = {"own": [*range(4, 21)], "bid": [0]}, {**PLAYED, **spoilt, "history": [[], []]}
    answered = answer({"requests": [bid, play], "responses": [1]})
    assert answered["response"] in ([0], [4])
    assert answered["debug"]["error"]


def test_a_contradictory_history_still_gets_a_legal_answer() -> None:
    contradiction = {"requests": [*FOLLOW["requests"], {"history": [[0, 1], [0, 1, 2]]}], "responses": [[4]]}
    assert answer(contradiction)["response"] == []
    lead = {"requests": [*FOLLOW["requests"], {"history": [[], []]}], "responses": [[4], [5], [6]]}
    assert answer(lead)["response"] == [7]


def test_the_unknown_move_of_another_seat_is_answered_with_pass_bomb_or_rocket() -> None:
    odd = {"requests": [{"own": [*range(4, 21)], "history": [[], [0, 21, 26]], "publiccard": [0, 1, 2]}]}
    answered = answer(odd, "rule")
    assert "error" not in answered["debug"]
    assert answered["response"] == [] or len(answered["response"]) == 4
