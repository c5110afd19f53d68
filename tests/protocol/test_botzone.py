"""What the messages of a match tell: hands, seats, bids, and what was played."""

from typing import Any

import pytest

from ddzbot.cards import hand_of_ids, hand_text
from ddzbot.game import Deal, start
from ddzbot.protocol.botzone import begins_match, partial_view, rebuild
from ddzbot.rules import rule_set
from ddzbot.view import BidView, View
from tests.protocol.envelopes import Asked, asked_in_scored_games, rows

PLAYER_0 = [*range(17)]
PLAYER_1 = [*range(17, 34)]
PLAYER_2 = [*range(34, 51)]
BOTTOM = [51, 52, 53]


def play_request(position: int, landlord: int, stake: int, history: list[list[int]]) -> dict[str, Any]:
    own = (PLAYER_0, PLAYER_1, PLAYER_2)[position % 3]
    return {
        "history": history,
        "own": own,
        "publiccard": BOTTOM,
        "landlord": landlord,
        "pos": position,
        "finalbid": stake,
    }


def view_of(requests: list[Any], responses: list[Any]) -> View:
    view = rebuild(requests, responses).view
    assert isinstance(view, View)
    return view


def test_a_seat_that_was_never_asked_for_a_bid_knows_only_the_winning_one() -> None:
    assert view_of([play_request(2, 1, 3, [[], [17]])], []).bids == (None, 3)


@pytest.mark.parametrize("heard", [[3], [1, 1], [9], [0, 0, 0, 0]])
def test_bids_that_cannot_be_are_forgotten_and_the_rest_is_played(heard: list[int]) -> None:
    view = view_of([{"own": PLAYER_1, "bid": heard}, play_request(1, 2, 2, [[50], []])], [0])
    assert (view.bids, view.stake, view.landlord_position, view.seat) == ((), 2, 2, 2)


def test_the_bid_request_shows_hand_and_earlier_bids() -> None:
    turn = rebuild([{"own": PLAYER_1, "bid": [2]}], [])
    assert isinstance(turn.view, BidView)
    assert turn.view.legal_bids == [0, 3]


def test_twelve_or_nine_cards_are_the_mini_game() -> None:
    request = {"own": [*range(24, 33)], "history": [[], [50]], "publiccard": [50, 51, 52]}
    assert view_of([request], []).rules.name == "mini"


def test_json_true_in_a_history_is_card_1_as_it_is_for_the_judge() -> None:
    view = view_of([{"own": PLAYER_1, "history": [[], [True]], "publiccard": [0, 1, 2]}], [])
    assert str(view.to_beat) == "3"


def deal_of(row: dict[str, Any]) -> Deal:
    rules = rule_set("botzone2" if row["game"] == "FightTheLandlord2" else "botzone")
    hands = [hand_of_ids(ids) for ids in row["initdata"]["allocation"]]
    bottom = hand_of_ids(row["initdata"]["publiccard"])
    if len(row["initdata"]["allocation"][0]) == rules.largest_hand:
        hands[0] -= bottom
    return Deal(rules, (hands[0], hands[1], hands[2]), bottom)


def views_of(row: dict[str, Any]) -> list[View]:
    """What a referee would show before every move of a recorded game."""
    bids = row["bids"]
    game = start(deal_of(row), bids, bids.index(max(bids)) if any(bids) else 0)
    views = []
    for ids in row["moves"]:
        views.append(View.of(game, game.seat))
        cards = hand_of_ids(ids)
        game = game.play(next(move for move in game.legal_moves() if move.cards == cards))
    return views


def test_every_rebuilt_view_equals_the_referees() -> None:
    expected = [view for row in rows("scored_games.jsonl.gz") for view in views_of(row)]
    asked: list[Asked] = [one for one in asked_in_scored_games() if one.bids is None]
    rebuilt = [rebuild(one.envelope["requests"], one.envelope["responses"]).view for one in asked]
    assert rebuilt == expected


@pytest.mark.parametrize(
    ("requests", "responses", "named"),
    [
        ([], [], "0 requests"),
        ([{"own": PLAYER_0}], [], "publiccard"),
        ([3], [], "not 3"),
        ([{"own": [*range(5)], "history": [[], []], "publiccard": []}], [], "5 cards"),
        ([{"own": [0, 0], "history": [[], []], "publiccard": []}], [], "card id 0 occurs twice"),
        ([play_request(3, 0, 1, [[], []])], [], "pos 3"),
        ([play_request(0, 0, 4, [[], []])], [], "not 4"),
        ([play_request(0, 0, 1, [[], []]), {"history": [[], []]}], [[20]], r"play the cards \[20\]"),
        ([play_request(0, 0, 1, [[], []]), {"history": [[]]}], [[0]], "two entries"),
        ([play_request(0, 0, 1, [[], []]), {"history": [[0, 1, 2, 3], []]}], [[0]], "more cards of a rank"),
    ],
)
def test_a_message_that_makes_no_sense_is_refused_by_name(
    requests: list[Any], responses: list[Any], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        rebuild(requests, responses)


def test_salvage_finds_the_hand_and_the_table_in_a_contradictory_history() -> None:
    first = {"own": PLAYER_1, "history": [[], [0]], "publiccard": BOTTOM}
    table = partial_view([first, {"history": [[0, 1], [2, 3]]}], [[17]])
    assert (hand_text(hand_of_ids(table.own_ids)), str(table.to_beat)) == ("7788889999TTTTJJ", "33")


def test_salvage_takes_the_hand_from_the_last_request_that_deals_one() -> None:
    earlier = {"own": PLAYER_0, "history": [[], []], "publiccard": BOTTOM}
    later = {"own": PLAYER_1, "history": [[], [0]], "publiccard": BOTTOM}
    table = partial_view([earlier, later, {"history": [[0, 1], [2, 3]]}], [[], [17]])
    assert sorted(table.own_ids) == sorted({*PLAYER_1} - {17})


def test_a_bare_request_that_deals_cards_begins_a_match() -> None:
    bid, play, later = {"own": PLAYER_0, "bid": []}, play_request(0, 0, 1, [[], []]), {"history": [[], []]}
    assert begins_match(bid, [play, later])
    assert begins_match(play, [play, later])
    assert not begins_match(play, [bid])
    assert not begins_match(later, [play])
