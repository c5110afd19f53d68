"""Which request is new, which came again, and when an answer is sent once more."""

import json
from typing import Any

import pytest

from tools.tables.live.match import FORM, Delivery, LiveMatch, Taken, consistent

pytestmark = pytest.mark.whole

FIRST = {"own": list(range(20)), "history": [[], []], "publiccard": [0, 1, 2]}
PASSES: dict[str, Any] = {"history": [[], []]}


def later(first: list[int], second: list[int]) -> dict[str, Any]:
    return {"history": [first, second]}


def match_with(*turns: tuple[Any, Any], arrived: bool = True) -> LiveMatch:
    """A match in which each request had its answer, and each answer but the last arrived."""
    match = LiveMatch("m", "2026-11-23")
    for number, (request, response) in enumerate(turns, 1):
        assert match.take(request) is Taken.NEW
        match.answer(response, {})
        match.went(arrived or number < len(turns))
    return match


def test_an_answer_goes_from_thinking_to_sent() -> None:
    match = LiveMatch("m", "2026-11-23")
    assert match.take(FIRST) is Taken.NEW
    assert match.delivery is Delivery.THINKING
    assert match.take(FIRST) is Taken.AGAIN
    match.answer([3], {"seconds": 1.0})
    assert (match.delivery, match.turn, match.is_answered) == (Delivery.READY, 1, True)
    assert match.take(FIRST) is Taken.AGAIN
    assert match.delivery is Delivery.READY
    match.went(arrived=True)
    assert (match.delivery, match.sendings) == (Delivery.SENT, 1)
    assert match.take(later([20], [])) is Taken.NEW
    assert (match.requests, match.responses, match.sendings) == ([FIRST, later([20], [])], [[3]], 0)


@pytest.mark.parametrize("arrived", [True, False])
def test_a_request_that_comes_again_gets_the_same_answer_after_it_came_twice(arrived: bool) -> None:
    match = match_with((FIRST, [3]), arrived=arrived)
    assert match.take(FIRST) is Taken.AGAIN
    # It may have crossed with the answer.
    assert match.delivery is Delivery.UNSURE
    assert match.take(FIRST) is Taken.AGAIN
    assert (match.delivery, match.responses) == (Delivery.READY, [[3]])
    match.went(arrived=True)
    assert match.sendings == 2


def test_an_answer_of_unknown_fate_is_sent_again_after_a_silence_and_one_that_arrived_is_not() -> None:
    match = match_with((FIRST, [3]), arrived=False)
    match.silence()
    assert match.delivery is Delivery.READY
    match = match_with((FIRST, [3]))
    match.silence()
    assert match.delivery is Delivery.SENT


def test_a_request_that_was_answered_long_ago_is_passed_over() -> None:
    match = match_with((FIRST, [3]), (later([20], []), [8]), (later([21], []), [12]))
    assert match.take(later([20], [])) is Taken.STALE
    assert match.take(FIRST) is Taken.STALE
    assert (match.turn, match.delivery) == (3, Delivery.SENT)


@pytest.mark.parametrize("arrived", [True, False])
def test_two_passes_after_a_lead_are_the_next_request(arrived: bool) -> None:
    match = match_with((FIRST, [3]), (PASSES, [8]), arrived=arrived)
    assert match.take(PASSES) is Taken.NEW
    assert match.turn == 3
    assert match.doubtful == ([] if arrived else [2])


def test_two_passes_before_the_answer_was_sent_are_the_same_and_a_play_belongs_to_its_auction() -> None:
    match = match_with((FIRST, [3]))
    assert match.take(PASSES) is Taken.NEW
    assert match.take(PASSES) is Taken.AGAIN
    match.answer([8], {})
    assert match.take(PASSES) is Taken.AGAIN
    assert match.delivery is Delivery.READY
    match = match_with(({"own": [1, 2], "bid": [0]}, 3))
    play = {"own": [1, 2], "history": [[], []], "publiccard": [3], "landlord": 1, "pos": 1, "finalbid": 3}
    assert match.take(play) is Taken.NEW
    assert match.turn == 2


def test_a_doubt_is_cleared_up_when_the_hand_seems_empty() -> None:
    own = list(range(20))
    first = {"own": own, "history": [[], []], "publiccard": [0, 1, 2]}
    match = match_with((first, [0, 1, 2, 3]), (PASSES, [4, 5, 6, 7]), arrived=False)
    assert match.take(PASSES) is Taken.NEW  # in truth the second lead was lost, and this is the same request
    for lead in ([8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]):
        match.answer(lead, {})
        match.went(arrived=True)
        assert match.take(PASSES) is Taken.NEW
    found = consistent(match.histories())
    assert found.responses == [[0, 1, 2, 3], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]]
    assert len(found.requests) == 5


def test_where_the_site_went_on_without_us_our_response_is_unknown() -> None:
    match = match_with((FIRST, [3]))
    match.take(later([20], []))
    assert match.take(later([24], [28])) is Taken.NEW
    assert match.responses == [[3], None]


def test_an_envelope_is_the_truth() -> None:
    match = match_with((FIRST, [3]), (PASSES, [8]), arrived=False)
    assert match.take({"requests": [FIRST, PASSES], "responses": [[3]]}) is Taken.AGAIN
    assert match.take({"requests": [FIRST, PASSES, PASSES], "responses": [[3], [8]]}) is Taken.NEW
    assert (match.turn, match.responses, match.doubtful) == (3, [[3], [8]], [])
    assert match.take({"requests": [FIRST], "responses": []}) is Taken.STALE
    stranger = LiveMatch("n", "")
    assert stranger.take({"requests": [FIRST, later([20], [])], "responses": [[3]]}) is Taken.NEW
    assert (stranger.turn, stranger.responses, stranger.notes) == (2, [[3]], [{}])


def test_what_is_kept_comes_back_and_is_unsure() -> None:
    match = match_with((FIRST, [3]), (PASSES, [8]))
    again = FORM.read(FORM.text(match))
    again.unsent()
    assert (again.requests, again.responses, again.notes) == (match.requests, match.responses, match.notes)
    assert again.delivery is Delivery.UNSURE
    match.take(later([20], []))
    again = FORM.read(FORM.text(match))
    again.unsent()
    assert again.delivery is Delivery.THINKING


@pytest.mark.parametrize("change", [{"format": "other"}, {"version": 2}, {"delivery": "flying"}, {"responses": 7}])
def test_what_is_no_match_is_refused(change: dict[str, Any]) -> None:
    value = {**json.loads(FORM.text(match_with((FIRST, [3])))), **change}
    with pytest.raises(ValueError, match=r"."):
        FORM.read(json.dumps(value, separators=(",", ":")).encode())


def test_a_match_with_more_responses_than_requests_is_refused() -> None:
    match = match_with((FIRST, [3]))
    match.responses = [1, 2, 3]
    with pytest.raises(ValueError, match="requests and responses do not fit each other"):
        match.unsent()
