"""There is an answer wherever the requests tell one, and it is legal whatever player or program does."""

import sys
from pathlib import Path
from typing import Any

import pytest

from ddzbot.search.limit import Limit
from tests.support import ROOT, command_line
from tools.shared.contestants import parse_contestant
from tools.tables.live.deciding import PlayerDecider, ProgramDecider, UnanswerableError, decider_of
from tools.tables.live.match import History

pytestmark = pytest.mark.whole

LEAD = {"own": list(range(20)), "history": [[], []], "publiccard": [0, 1, 2]}
BOTS = ROOT / "tests" / "bots"
LIMIT = Limit(playouts=10)


def program(bot: str) -> ProgramDecider:
    decider = decider_of(parse_contestant(command_line(sys.executable, BOTS / bot)), LIMIT, 1, 1)
    assert isinstance(decider, ProgramDecider)
    return decider


def decided(decider: Any, requests: list[Any], responses: list[Any]) -> Any:
    try:
        return decider.decide("match1", [History(requests, responses)])
    finally:
        decider.forget("match1")
        decider.close()


def test_a_player_and_a_program_answer_in_their_own_processes() -> None:
    answer = decided(PlayerDecider("rule", LIMIT, 1, 1), [LEAD], [])
    assert answer.problem == ""
    assert answer.response
    assert set(answer.response) <= set(range(20))
    for bot in ("obedient_keep_running.py", "read_to_the_end.py"):
        answer = decided(program(bot), [LEAD], [])
        assert (answer.problem, bool(answer.response)) == ("", True)


def test_a_player_that_cannot_be_has_fallbacks() -> None:
    answer = decided(PlayerDecider("missing:NoPlayer", LIMIT, 1, 1), [LEAD], [])
    assert answer.response
    assert "did not choose" in answer.problem


@pytest.mark.parametrize(
    ("bot", "problem"),
    [("garbage.py", "NJ"), ("illegal_move.py", "illegal|does not hold|list of cards"), ("crash_at_start.py", "RE")],
)
def test_the_player_rule_stands_in_for_a_program(bot: str, problem: str) -> None:
    follow = {"own": list(range(17, 34)), "history": [[], [0]], "publiccard": [0, 1, 2]}
    for request in (LEAD, follow):
        answer = decided(program(bot), [request], [])
        if not answer.problem:
            continue
        assert set(answer.response) <= set(request["own"])
        assert answer.debug["failed_program"] == answer.problem
        assert any(word in answer.problem for word in problem.split("|"))
        return
    pytest.fail(f"{bot} had no problem")


@pytest.mark.parametrize(
    ("request_", "response"), [({"history": [[], [5]]}, []), ({"history": [[5], []]}, []), ({"own": "?", "bid": []}, 0)]
)
def test_without_the_first_requests_only_what_is_surely_legal(request_: Any, response: Any) -> None:
    answer = decided(PlayerDecider("rule", LIMIT, 1, 1), [request_], [])
    assert answer.response == response
    assert answer.problem


@pytest.mark.parametrize("request_", [{"history": [[], []]}, {"history": 7}, [], "text", None])
def test_a_lead_from_an_unknown_hand_is_not_answered(request_: Any) -> None:
    with pytest.raises(UnanswerableError, match="our cards are not known"):
        decided(PlayerDecider("rule", LIMIT, 1, 1), [request_], [])


def test_a_history_that_contradicts_itself_gets_a_safe_answer() -> None:
    answer = decided(PlayerDecider("rule", LIMIT, 1, 1), [LEAD, {"history": [[40], [41]]}], [None])
    assert answer.response == []
    assert answer.problem


def test_a_program_is_given_the_history_that_makes_sense(tmp_path: Path) -> None:
    passes: dict[str, Any] = {"history": [[], []]}
    wrong = History([LEAD, passes, passes], [list(range(10)), list(range(10, 20))])
    right = History([LEAD, passes], [list(range(10, 20))])
    decider = program("obedient_keep_running.py")
    try:
        answer = decider.decide("match1", [wrong, right])
    finally:
        decider.close()
    assert answer.response
    assert set(answer.response) <= set(range(10))
