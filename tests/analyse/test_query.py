"""Queries: every way to give a position, and one sentence with the field's name for whatever is wrong."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import hand_text
from ddzbot.game import SEAT_NAMES, shuffled, start, to_beat
from ddzbot.rules import BOTZONE, RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.testing.strategies import games, views
from ddzbot.view import BidView, View
from tests.support import ROOT
from tools.records.notation import parse_view, position_text, view_text
from tools.study.analyse.query import (
    LONGEST_ID,
    USUAL,
    Defaults,
    Query,
    QueryError,
    Terminate,
    parse_line,
    parse_query,
)

LANDLORD = "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
BIDDER = "botzone2 bid 3455678TJJQKAAA2L 01"
GOOD: dict[str, Any] = {"id": "q", "view": LANDLORD}
OPENING = {
    "requests": [{"own": list(range(20)), "history": [[], []], "publiccard": [0, 1, 2]}],
    "responses": [],
}


def asked(**fields: Any) -> Query:
    query = parse_query({"id": "q", **fields})
    assert isinstance(query, Query)
    return query


def refused(fields: dict[str, Any]) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse_query(fields)
    return caught.value


# What is understood.


def test_the_queries_of_the_guide_are_understood() -> None:
    page = (ROOT / "docs" / "guide" / "analyse.md").read_text("utf-8")
    lines = re.findall(r'^    (\{"id": \d.*)$', page, re.MULTILINE)
    assert [type(parse_line(line.encode())) for line in lines] == [Query, Query, Terminate]


def test_a_view_may_be_given_in_one_line() -> None:
    assert asked(view=LANDLORD).view == parse_view(LANDLORD)
    view = asked(view=BIDDER).view
    assert isinstance(view, BidView)
    assert view.bids == (0, 1)


@given(data=st.data(), name=st.sampled_from(sorted(RULE_SETS)))
def test_every_view_is_understood(data: st.DataObject, name: str) -> None:
    view = data.draw(views(RULE_SETS[name]))
    assert asked(view=view_text(view)).view == view


@given(data=st.data(), name=st.sampled_from(sorted(RULE_SETS)))
def test_a_position_is_seen_by_the_seat_to_move(data: st.DataObject, name: str) -> None:
    game = data.draw(games(RULE_SETS[name], finished=False))
    view = asked(position=position_text(game)).view
    assert isinstance(view, View)
    assert (view.seat, view.hand, view.unseen) == (game.seat, game.hands[game.seat], View.of(game, game.seat).unseen)
    assert (view.to_beat, view.table_seat) == (game.to_beat, View.of(game, game.seat).table_seat)
    assert [view.played(seat) for seat in range(3)] == [View.of(game, 0).played(seat) for seat in range(3)]
    assert not any(move.is_pass and to_beat(view.plays[:at]) is None for at, move in enumerate(view.plays))


@given(data=st.data(), name=st.sampled_from(["botzone", "mini", "standard"]), by_name=st.booleans())
def test_explicit_fields_make_the_same_view(data: st.DataObject, name: str, by_name: bool) -> None:
    view = data.draw(views(RULE_SETS[name]))
    query = asked(
        rules=name,
        seat=SEAT_NAMES[view.seat] if by_name else view.seat,
        hand=hand_text(view.hand),
        bottom=hand_text(view.bottom),
        plays=[str(move) for move in view.plays],
    )
    assert query.view == view


def test_a_stake_goes_with_an_auction() -> None:
    hand = "34567899TTJJQQKKAA2B"
    view = asked(rules="botzone2", seat=0, hand=hand, bottom="345", stake=3).view
    assert isinstance(view, View)
    assert (view.stake, view.bids, view.landlord_position) == (3, (3,), 0)
    fields = {"id": 1, "rules": "botzone", "seat": 0, "hand": hand, "stake": 3}
    assert refused(fields).field == "stake"


def test_a_request_of_the_judge_is_understood() -> None:
    view = asked(request=OPENING).view
    assert isinstance(view, View)
    assert (view.rules, view.seat, hand_text(view.hand)) == (BOTZONE, 0, "33334444555566667777")
    bidder = asked(request={"requests": [{"own": list(range(17)), "bid": [0]}]}).view
    assert bidder == BidView(RULE_SETS["botzone2"], bidder.hand, (0,))


def test_limits_and_numbers_are_read_and_fall_back_to_the_defaults() -> None:
    query = asked(view=LANDLORD, seconds=2, playouts=500, top=3, seed=9)
    assert (query.limit, query.top, query.seed) == (Limit(2.0, 500), 3, 9)
    usual = Defaults(Limit(playouts=77), 2, 4)
    line = json.dumps({"id": 5, "view": LANDLORD}).encode()
    assert parse_line(line, usual) == Query(5, parse_view(LANDLORD), Limit(playouts=77), 2, 4)
    assert asked(view=LANDLORD).limit == USUAL.limit == Limit(playouts=20000)


def test_a_query_can_be_terminated_and_say_the_rules_again_but_not_otherwise() -> None:
    assert parse_query({"id": "t", "terminate": 7}) == Terminate("t", 7)
    assert asked(view=LANDLORD, rules="botzone").view == parse_view(LANDLORD)
    assert refused({**GOOD, "rules": "mini"}).field == "rules"


# What is refused.


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("no id", {"view": LANDLORD}, "id"),
    ("id is null", {**GOOD, "id": None}, "id"),
    ("id is long", {**GOOD, "id": "x" * (LONGEST_ID + 1)}, "id"),
    ("id is large", {**GOOD, "id": 1 << 63}, "id"),
    ("no position", {"id": 1}, "view"),
    ("two positions", {**GOOD, "position": "x"}, "position"),
    ("unknown", {**GOOD, "vissits": 3}, "vissits"),
    ("view is not text", {"id": 1, "view": 3}, "view"),
    ("bid is not a number", {"id": 1, "view": "botzone2 bid 3455678TJJQKAAA2L x"}, "view"),
    ("view of another seat", {"id": 1, "view": LANDLORD.removesuffix(",K")}, "view"),
    ("position is a puzzle", {"id": 1, "position": "standard 33/4/5 ? -@0 - 0 -/-/-"}, "position"),
    ("request is not an object", {"id": 1, "request": []}, "request"),
    ("request is damaged", {"id": 1, "request": {"requests": [{"own": [99]}], "responses": []}}, "request"),
    ("seconds are none", {**GOOD, "seconds": 0}, "seconds"),
    ("seconds are nan", {**GOOD, "seconds": float("nan")}, "seconds"),
    ("playouts are a fraction", {**GOOD, "playouts": 1.5}, "playouts"),
    ("playouts are too many", {**GOOD, "playouts": 10**9}, "playouts"),
    ("top is negative", {**GOOD, "top": -1}, "top"),
    ("seed is text", {**GOOD, "seed": "x"}, "seed"),
    ("seat goes with hand", {**GOOD, "seat": 0}, "seat"),
    ("no rules", {"id": 1, "hand": "3", "seat": 0}, "rules"),
    ("rules are unknown", {"id": 1, "hand": "3", "seat": 0, "rules": "chess"}, "rules"),
    ("seat is 3", {"id": 1, "hand": "3", "rules": "botzone", "seat": 3}, "seat"),
    ("hand is no cards", {"id": 1, "hand": "3x", "rules": "botzone", "seat": 0}, "hand"),
    ("hand is too small", {"id": 1, "hand": "3", "rules": "botzone", "seat": 0}, "hand"),
    ("bottom has two cards", {"id": 1, "hand": "3", "rules": "botzone", "seat": 0, "bottom": "33"}, "bottom"),
    ("plays are text", {"id": 1, "hand": "3", "rules": "botzone", "seat": 0, "plays": "4"}, "plays"),
    ("a play is empty", {"id": 1, "hand": "3", "rules": "botzone", "seat": 0, "plays": [""]}, "plays"),
    ("five 3s", {"id": 1, "hand": "3", "rules": "botzone", "seat": 1, "plays": ["3333"]}, "plays"),
    ("terminates nothing", {"id": 1, "terminate": None}, "terminate"),
    ("terminates and asks", {"id": 1, "terminate": 2, "view": LANDLORD}, "view"),
]


@pytest.mark.parametrize("fields, field", [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_fault_is_named(fields: dict[str, Any], field: str) -> None:
    error = refused(fields)
    assert error.field == field
    assert field in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 400
    good_id = field != "id" and "id" in fields
    assert error.id == (fields["id"] if good_id else None)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"3", b"\xff{}", b"[" * 100000, b'{"id":' + b"9" * 5000 + b"}"])
def test_what_is_no_json_object_is_refused(line: bytes) -> None:
    with pytest.raises(QueryError):
        parse_line(line)


SIGNS = "3456789TJQKA2LB-,/@?. 012"
MUTANTS = st.tuples(st.sampled_from([LANDLORD, BIDDER]), st.integers(0, 80), st.text(SIGNS + "x", max_size=2))


@given(MUTANTS)
def test_a_damaged_view_is_refused_or_sound(mutant: tuple[str, int, str]) -> None:
    text, at, put = mutant
    try:
        query = asked(view=text[:at] + put + text[at + 1 :])
    except QueryError as error:
        assert error.field == "view"
    else:
        view = query.view
        assert isinstance(view, BidView) or (view.contradiction() is None and view.seat == len(view.plays) % 3)


def test_a_finished_game_is_refused() -> None:
    game = start(shuffled(BOTZONE, "over"))
    while not game.finished:
        game = game.played(game.legal_moves()[-1])
    assert refused({"id": 1, "position": position_text(game)}).field == "position"
