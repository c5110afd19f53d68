"""What players noted, in the one form of terminal and page."""

import json
from typing import Any

import pytest

from ddzbot.cards import parse_hand
from tests.records.some_records import EXAMPLE
from tests.view.pages import THESIS
from tools.records.files import read_records
from tools.records.record import Note
from tools.records.text_reader import parse_record
from tools.records.thoughts import SHOWN_MOVES, thought_of_note, values_are_chances


def noted(debug: dict[str, Any], played: str, value: float | None = None, chances: bool = False) -> dict[str, Any]:
    thought = thought_of_note(Note(0.5, value, debug), parse_hand(played), chances)
    assert thought is not None
    assert json.loads(json.dumps(thought)) == thought
    return thought


def test_visits_and_shares_of_a_tree_search() -> None:
    thought = noted(
        {"player": "mctshs", "playouts": 15000, "moves": {"JJ": [9093, 0.865], "pass": [3863, 0.855]}}, "JJ"
    )
    assert (thought["win"], thought["playouts"], thought["seconds"]) == (0.865, 15000, 0.5)
    assert thought["moves"][0] == {
        "place": 1,
        "cards": "JJ",
        "win": 0.865,
        "visits": 9093,
        "network": None,
        "played": True,
    }
    assert (thought["moves"][1]["cards"], thought["moves"][1]["played"]) == ("", False)


def test_the_network_of_the_champion_gives_a_chance_and_that_of_mcm_a_payoff() -> None:
    numbers = {"345": [0.7, 152, 0.617]}
    assert noted({"player": "champion", "moves": numbers}, "345")["moves"][0]["network"] == 0.7
    assert noted({"player": "mcm", "moves": numbers}, "345")["moves"][0]["network"] is None
    assert noted({"player": "mcm", "moves": numbers}, "345")["win"] == 0.617


def test_a_move_that_was_not_played_out_is_worth_what_the_network_says() -> None:
    alone = noted({"player": "champion", "playouts": 0, "moves": {"345": [0.54, 0, 0.0]}}, "345")
    assert (alone["win"], alone["moves"][0]["win"], alone["moves"][0]["visits"]) == (0.54, 0.54, 0)
    assert thought_of_note(Note(debug={"player": "mcm", "moves": {"345": [0.54, 0, 0.0]}}), 0, chances=False) is None
    assert thought_of_note(Note(debug={"moves": {"345": [0, 0.0]}}), 0, chances=False) is None


def test_one_number_is_a_chance_only_where_it_can_be_one() -> None:
    assert noted({"player": "champion", "moves": {"3": [0.4]}}, "3")["win"] == 0.4
    payoff = noted({"player": "mcm", "moves": {"3": [0.4]}}, "3")
    assert (payoff["win"], payoff["moves"][0]["value"]) == (None, 0.4)
    assert noted({"player": "other", "moves": {"3": [-1.5]}}, "3")["win"] is None


@pytest.mark.parametrize(
    ("search", "win"), [("certain win", 1.0), ("wins in all worlds", 1.0), ("goes out", None), ("one candidate", None)]
)
def test_a_proof_is_a_chance_of_one(search: str, win: float | None) -> None:
    thought = noted({"player": "mctshs", "search": search}, "3")
    assert (thought["win"], thought["remark"]) == (win, search)


def test_a_forced_move_and_a_fallback_are_said_to_be_so() -> None:
    assert noted({"player": "forced"}, "")["remark"] == "forced"
    thought = noted({"player": "rule", "failed_champion": "no network", "rule": "lead"}, "3")
    assert (thought["player"], thought["failures"]) == ("rule", [{"player": "champion", "reason": "no network"}])
    assert noted({"player": "mcm:setting=thesis", "moves": {"3": [0.7, 9, 0.6]}}, "3")["moves"][0]["network"] is None


def test_values_count_as_chances_only_if_all_of_a_record_can_be() -> None:
    assert values_are_chances(parse_record(EXAMPLE))
    assert not values_are_chances(read_records(THESIS)[0])
    assert not values_are_chances(parse_record(EXAMPLE.partition("note")[0]))
    assert noted({}, "3", 0.9, chances=True)["win"] == 0.9
    own_scale = noted({}, "3", -0.8)
    assert (own_scale["win"], own_scale["value"]) == (None, -0.8)


def test_candidates_of_other_programs_are_ordered_by_their_value() -> None:
    thought = noted({"candidates": {"8": {"value": -0.9}, "pass": {"value": -0.2}, "?": {"value": 0}}}, "8", -0.9)
    assert [(move["cards"], move["value"]) for move in thought["moves"]] == [("", -0.2), ("8", -0.9)]


def test_the_best_moves_and_the_one_that_was_played_are_kept() -> None:
    ranks = "3456789TJQKA"
    moves = {rank: [100 - place, 0.5] for place, rank in enumerate(ranks)}
    kept = noted({"moves": moves}, "A")["moves"]
    assert [move["cards"] for move in kept] == [*ranks[:SHOWN_MOVES], "A"]
    assert kept[-1]["place"] == len(ranks)


@pytest.mark.parametrize(
    "debug",
    [
        None,
        {"moves": 3},
        {"moves": {"345": []}},
        {"moves": {"345": ["a", 0.5]}},
        {"moves": {"345": [7, 3.5]}},
        {"moves": {"nonsense": [7, 0.5]}},
        {"player": 7, "search": ["certain win"], "playouts": "many"},
    ],
    ids=str,
)
def test_what_cannot_be_understood_is_no_thought(debug: dict[str, Any] | None) -> None:
    assert thought_of_note(Note(debug=debug), parse_hand("345"), chances=True) is None


@pytest.mark.parametrize("player", ["cql", "dqn", "mcm", None])
def test_a_value_on_another_scale_is_no_chance_to_win(player: str | None) -> None:
    note = Note(debug={"player": player, "moves": {"3": [0.4], "4": [-0.2]}})
    thought = thought_of_note(note, parse_hand("3"), False)
    assert thought is not None
    assert [(one["win"], one["value"]) for one in thought["moves"]] == [(None, 0.4), (None, -0.2)]
