"""CQL's parts: what it is shown, the divisions that it chooses from, and the same values in numpy and plain Python."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given

from ddzbot.cards import Hand, contains, parse_hand
from ddzbot.game import Game, shuffled, start
from ddzbot.less_split import divisions
from ddzbot.net import cql_divisions
from ddzbot.net.cql_divisions import MOST_DIVISIONS, MOST_MOVES, Offer, forget, offer, shortest_division
from ddzbot.net.cql_features import (
    LEFT_AT,
    MOST_LEFT,
    MOVE_FEATURES,
    OWNER_AT,
    SEAT_AT,
    facts_of,
    move_features,
    state_features,
)
from ddzbot.net.cql_net import CqlReference
from ddzbot.net.cql_numpy import CqlNumpy
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, Move, RuleSet, legal_moves, parse_move, rule_set
from ddzbot.split import fewest_moves
from ddzbot.testing.strategies import follows, hands
from ddzbot.view import View
from tests.net.cql_models import random_network
from tests.net.positions import random_views


def offered(view: View) -> Offer:
    return offer(view.rules, view.hand, view.to_beat, view.legal_moves())


def after(*moves: str) -> Game:
    game = start(shuffled(BOTZONE, "cql"))
    for text in moves:
        move = PASS if text == "pass" else next(one for one in game.legal_moves() if str(one) == text)
        game = game.play(move)
    return game


# What it is shown.


def test_a_first_lead_shows_the_hand_the_unseen_cards_and_an_empty_table() -> None:
    found = state_features(facts_of(View.of(after(), 0)))
    assert sum(feature < 60 for feature in found) == 20
    assert sum(60 <= feature < 120 for feature in found) == 34
    left = [LEFT_AT + 17, LEFT_AT + 1 + MOST_LEFT + 17]
    assert [feature for feature in found if feature >= 120] == [300, *left, SEAT_AT]


@pytest.mark.parametrize(("passes", "owner"), [(0, OWNER_AT + 1), (1, OWNER_AT)])
def test_a_follow_shows_the_move_and_its_player(passes: int, owner: int) -> None:
    lead = next(move for move in after().legal_moves() if move.kind == 1)
    game = after(str(lead), *["pass"] * passes)
    found = state_features(facts_of(View.of(game, game.seat)))
    assert [feature for feature in found if 240 <= feature < LEFT_AT] == [240 + 4 * lead.rank, 301, owner]


def test_the_features_of_a_move_are_its_cards_and_its_kind() -> None:
    assert move_features(PASS) == [60]
    assert move_features(parse_move(BOTZONE, "3334")) == [0, 1, 2, 4, 64]


@given(follows(rule_set("standard")))
def test_features_are_ascending_and_in_range(position: tuple[int, Move]) -> None:
    found = move_features(position[1])
    assert found == sorted(set(found)) and found[0] >= 0 and found[-1] < MOVE_FEATURES


# What it chooses from.


def is_partition(hand: Hand, moves: Sequence[Move]) -> bool:
    return sum(move.cards for move in moves) == hand and all(contains(hand, move.cards) for move in moves)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_division_is_a_partition_of_the_hand_and_every_choice_is_legal(name: str, with_kernel: None) -> None:
    for view in random_views(120, name):
        found, legal = offered(view), view.legal_moves()
        assert 0 < len(found.divisions) <= MOST_DIVISIONS and len(found.moves) <= MOST_MOVES
        assert len({tuple(sorted(division)) for division in found.divisions}) == len(found.divisions)
        for number, division in enumerate(found.divisions):
            assert is_partition(view.hand, [found.moves[place] for place in division])
            choices = [found.moves[place] for place in found.choices(number)]
            assert choices and set(choices) <= set(legal)
            assert (PASS in choices) == (view.to_beat is not None)


@pytest.mark.parametrize("name", RULE_SETS)
def test_with_room_for_all_every_legal_move_is_offered(name: str, with_kernel: None) -> None:
    few = [view for view in random_views(300, name) if len(view.legal_moves()) <= 8]
    assert len(few) > 50
    for view in few:
        found = offered(view)
        choices = {found.moves[place] for number in range(len(found.divisions)) for place in found.choices(number)}
        assert choices == set(view.legal_moves())


@given(hands(rule_set("botzone"), 1, 11))
def test_the_shortest_division_is_a_shortest_one_of_all(hand: int) -> None:
    found = shortest_division(BOTZONE, hand)
    assert is_partition(hand, found) and len(found) == fewest_moves(BOTZONE, hand)
    if len(found) <= 4:
        assert tuple(sorted(move.cards for move in found)) in divisions(BOTZONE, hand)


def test_a_division_is_found_while_another_thread_makes_room_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = parse_hand("3334456")
    found, first = shortest_division(BOTZONE, hand), cql_divisions._first_of_shortest

    def first_and_other_thread(rules: RuleSet, hand: int) -> Move:
        cql_divisions._shortest_divisions[id(rules)][1].clear()
        return first(rules, hand)

    forget()
    monkeypatch.setattr(cql_divisions, "_first_of_shortest", first_and_other_thread)
    assert shortest_division(BOTZONE, hand) == found


def test_a_chain_is_offered_whole_and_taken_apart() -> None:
    hand = parse_hand("34567")
    found = offer(BOTZONE, hand, None, legal_moves(BOTZONE, hand))
    texts = {" ".join(sorted(str(found.moves[place]) for place in division)) for division in found.divisions}
    assert texts == {"34567", "3 4 5 6 7"}


@pytest.mark.parametrize("rules", [BOTZONE, rule_set("mini")], ids=["botzone", "mini"])
def test_kernel_and_python_make_the_same_offers(
    rules: RuleSet, with_kernel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = random_views(60, rules.name)[::4]
    forget()
    found = [offered(view) for view in views]
    monkeypatch.setattr("ddzbot.net.cql_divisions.native", lambda: None)
    forget()
    assert [offered(view) for view in views] == found


# What it thinks.


@pytest.mark.parametrize("name", ["botzone", "mini"])
def test_numpy_and_plain_python_give_the_same_values(name: str, with_kernel: None) -> None:
    numpy, reference = CqlNumpy(random_network()), CqlReference(random_network())
    for view in random_views(60, name)[::5]:
        one, other = (net.judge(facts_of(view), offered(view)) for net in (numpy, reference))
        assert one.divisions == pytest.approx(other.divisions, abs=1e-4)
        assert (one.division, one.choices) == (other.division, other.choices)
        assert one.moves == pytest.approx(other.moves, abs=1e-4)


def test_the_order_of_the_moves_of_a_division_changes_no_value(with_kernel: None) -> None:
    net = CqlNumpy(random_network())
    shown = 0
    for view in random_views(40):
        found = offered(view)
        last = len(found.moves) - 1
        first = int(found.moves[0].is_pass)

        def moved(place: int, first: int = first, last: int = last) -> int:
            return place if place < first else last - (place - first)

        turned = Offer(
            tuple(found.moves[moved(place)] for place in range(last + 1)),
            tuple(tuple(map(moved, division))[::-1] for division in found.divisions),
            tuple(found.playable[moved(place)] for place in range(last + 1)),
        )
        one, other = net.judge(facts_of(view), found), net.judge(facts_of(view), turned)
        assert one.divisions == pytest.approx(other.divisions, abs=1e-5)
        assert one.division == other.division
        assert sorted(one.moves) == pytest.approx(sorted(other.moves), abs=1e-5)
        shown += last > 3
    assert shown > 10


def test_values_depend_on_what_belongs_to_a_division(with_kernel: None) -> None:
    net = CqlNumpy(random_network())
    judged = [net.judge(facts_of(view), offered(view)) for view in random_views(30)]
    several = [one for one in judged if len(one.divisions) > 2]
    assert several and all(len(Counter(one.divisions)) > 1 for one in several)
