"""What one seat knows, and what it can find out from that."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import FULL_DECK, contains, hand_text, parse_hand, size
from ddzbot.game import Game, auction, is_legal_bid, shuffled, start
from ddzbot.rules import PASS, RULE_SETS, RuleSet, legal_moves, parse_move, read_move, rule_set
from ddzbot.testing.strategies import bids, games, views
from ddzbot.view import BidView, View, known_bids

BOTZONE, BOTZONE2, ICGA = rule_set("botzone"), rule_set("botzone2"), rule_set("icga")

LANDLORD = parse_hand("333345678999TJQKA2LB")
DOWN = parse_hand("44455566677788TTJ")
UP = FULL_DECK - LANDLORD - DOWN


def a_game(line: str) -> Game:
    """A game of botzone with known hands, after the moves of *line*."""
    game = Game(BOTZONE, (LANDLORD, DOWN, UP), parse_hand("33B"), (), (), 0)
    for text in line.split():
        game = game.play(PASS if text == "-" else parse_move(BOTZONE, text))
    return game


def view_of(line: str, seat: int) -> View:
    return View.of(a_game(line), seat)


@pytest.mark.parametrize(
    ("line", "seat"), [("", None), ("3", 0), ("3 4", 1), ("3 4 -", 1), ("3 - -", None), ("3 - 8", 2), ("3 4 - -", None)]
)
def test_the_table_seat_is_the_player_of_the_move_to_beat(line: str, seat: int | None) -> None:
    view = view_of(line, 0)
    assert view.table_seat == seat
    assert (view.to_beat is None) == (seat is None)


def test_every_seat_counts_the_cards_that_are_left() -> None:
    line = "34567 - - 3 4 J"
    for seat in range(3):
        assert [view_of(line, seat).cards_left(other) for other in range(3)] == [14, 16, 16]


def test_a_view_has_the_own_hand_and_no_other() -> None:
    game = a_game("3 4")
    for seat in range(3):
        assert View.of(game, seat).hand == game.hands[seat]
    values = [value for name, value in View.of(game, 2)._asdict().items() if name != "bottom"]
    assert game.hands[0] not in values and game.hands[1] not in values


@given(data=st.data())
def test_a_referees_view_tells_what_is_true(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([*RULE_SETS.values()]))
    game = data.draw(games(rules, finished=False))
    for seat in range(3):
        view = View.of(game, seat)
        assert view.contradiction() is None
        assert view.unseen == sum(game.hands) - game.hands[seat]
        assert size(view.unseen) == sum(view.cards_left(other) for other in range(3) if other != seat)
    assert contains(game.hands[0], view.bottom_left) and contains(game.bottom, view.bottom_left)
    view = View.of(game, game.seat)
    assert view.legal_moves() == game.legal_moves() == legal_moves(rules, view.hand, view.to_beat)


@pytest.mark.parametrize(
    ("line", "left"),
    [("", "33B"), ("B", "33"), ("3", "3B"), ("3 - - 3", "B"), ("3 - - 3 - - 3", "B"), ("LB", "33"), ("4 5", "33B")],
)
def test_a_rank_of_the_bottom_counts_as_played_from_the_bottom_first(line: str, left: str) -> None:
    assert hand_text(view_of(line, 1).bottom_left) == left


def test_only_the_two_peasants_are_partners() -> None:
    partners = [(seat, other) for seat in range(3) for other in range(3) if view_of("", seat).is_partner(other)]
    assert partners == [(1, 2), (2, 1)]


def contradiction_of(view: View) -> str:
    found = view.contradiction()
    assert found is not None
    return found


def with_plays(*texts: str) -> View:
    """What seat 2 sees that looks on."""
    return view_of("", 2)._replace(plays=tuple(read_move(BOTZONE, parse_hand(text)) for text in texts))


CHAIN = "3456789TJQKA"
TOO_MANY = "more cards of a rank are known than the deck has"
NOT_TAKEN = "the bottom has cards that the landlord cannot have taken"


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (with_plays("", CHAIN, "", "", CHAIN), "seat 1 has played more cards than it was dealt"),
        (view_of("3 4", 2)._replace(hand=parse_hand("345")), "the own hand has 3 cards where 17 must be left"),
        (view_of("", 0)._replace(hand=0), "the own hand is empty, and so the game over"),
        (with_plays("B", "B"), TOO_MANY),
        (with_plays("44", "", "", "", "444"), TOO_MANY),
        (with_plays("4444", "4444", "", "4444", "4444"), TOO_MANY),  # than four bits can count
        (view_of("", 1)._replace(bottom=parse_hand("444")), NOT_TAKEN),
        (view_of("", 0)._replace(bottom=parse_hand("445")), NOT_TAKEN),
        (
            View.of(start(shuffled(rule_set("mini"), "x")), 1)._replace(bottom=parse_hand("345")),
            "the bottom has cards that the deck does not have",
        ),
    ],
)
def test_what_cannot_be_is_a_contradiction(view: View, sentence: str) -> None:
    assert contradiction_of(view) == sentence


@pytest.mark.parametrize("seat", [0, 1])
def test_cards_beyond_what_four_bits_can_count_are_still_counted(seat: int) -> None:
    assert with_plays(*(["", ""] * seat + ["3333", "", ""] * 6)).contradiction() is not None


@pytest.mark.parametrize(
    ("rules", "fields", "sentence"),
    [
        ("botzone2", {"stake": 0}, "stake must be 1, 2 or 3, not 0"),
        ("botzone2", {"stake": 7}, "stake must be 1, 2 or 3, not 7"),
        ("botzone2", {"landlord_position": 9}, "landlord_position must be 0, 1 or 2, not 9"),
        ("botzone2", {"seat": -1}, "seat must be 0, 1 or 2, not -1"),
        ("botzone2", {"bids": (0, 3), "stake": 3}, "bids (0, 3): they do not make position 0 the landlord at 3"),
        ("botzone2", {"bids": (2, 1), "stake": 2}, "bids (2, 1): they do not make position 0 the landlord at 2"),
        ("botzone2", {"bids": (3, 0, 0), "stake": 3}, "bids (3, 0, 0): they do not make position 0 the landlord at 3"),
        ("botzone2", {"bids": (1, "2")}, "bids (1, '2'): they do not make position 0 the landlord at 1"),
        ("botzone", {"stake": 3}, "there is no auction under rules botzone: no bids, and a stake of 1"),
        ("botzone", {"bids": (0, 0, 0)}, "there is no auction under rules botzone: no bids, and a stake of 1"),
    ],
)
def test_an_auction_that_cannot_be_is_a_contradiction(rules: str, fields: dict[str, Any], sentence: str) -> None:
    view = View.of(start(shuffled(rule_set(rules), "x")), 0)
    assert view.contradiction() is None
    assert contradiction_of(view._replace(**fields)) == sentence


def test_an_auction_is_possible_exactly_if_some_bids_lead_to_it() -> None:
    view = View.of(start(shuffled(BOTZONE2, "x")), 0)
    auctions = [bids for count in (1, 2, 3) for bids in product(range(4), repeat=count) if is_over(bids)]
    for heard in (heard for count in range(4) for heard in product((None, 0, 1, 2, 3), repeat=count)):
        led_to = {auction(bids) for bids in auctions if len(heard) <= len(bids) and agree(heard, bids)}
        for position, stake in product(range(3), (1, 2, 3)):
            shown = view._replace(bids=heard, landlord_position=position, stake=stake)
            possible = (position, stake) in led_to
            assert (shown.contradiction() is None) == possible, shown[4:7]
            assert shown.with_possible_bids() == (shown if possible else shown._replace(bids=()))


def is_over(bids: tuple[int, ...]) -> bool:
    legal = all(is_legal_bid(bids[:number], bid) and 3 not in bids[:number] for number, bid in enumerate(bids))
    return legal and (len(bids) == 3 or bids[-1] == 3)


def agree(heard: tuple[int | None, ...], bids: tuple[int, ...]) -> bool:
    return all(known in (None, bid) for known, bid in zip(heard, bids, strict=False))


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_none_knows_nothing(seat: int) -> None:
    with pytest.raises(ValueError, match=f"^seat must be 0, 1 or 2, not {seat}$"):
        View.of(Game(BOTZONE, (1, 1, 1), 0, (), (), 0), seat)


# Bids.


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"bids": (9,)}, "bids (9,): 9 is not a bid there"),
        ({"bids": (2, 1)}, "bids (2, 1): 1 is not a bid there"),
        ({"bids": (0, 0, 0, 0)}, "bids (0, 0, 0, 0): 0 is not a bid there"),
        ({"bids": (3,)}, "bids (3,): the auction is over"),
        ({"bids": (0, 1, 0)}, "bids (0, 1, 0): the auction is over"),
        ({"hand": 0}, "the own hand has 0 cards where 17 are dealt"),
        ({"hand": parse_hand("3456789TJQKA2LB33444")}, "the own hand has 20 cards where 17 are dealt"),
        ({"hand": parse_hand("3333444455556666") + 1}, "the own hand has cards that the deck does not have"),
        ({"rules": BOTZONE}, "there is no auction under rules botzone"),
    ],
)
def test_an_impossible_bidder_is_a_contradiction(fields: dict[str, Any], sentence: str) -> None:
    view = BidView(rule_set("botzone2"), shuffled(rule_set("botzone2"), "x").hands[0], ())
    assert view.contradiction() is None
    assert view._replace(**fields).contradiction() == sentence


@given(bids(over=False))
def test_the_legal_bids_of_a_bidder_are_those_of_the_auction(calls: tuple[int, ...]) -> None:
    view = BidView(BOTZONE2, 0, calls)
    assert view.legal_bids == [bid for bid in range(5) if is_legal_bid(calls, bid)]


@pytest.mark.parametrize(
    ("heard", "landlord", "stake", "known"),
    [
        ([0], 1, 2, (0, 2, None)),
        ([0, 2], 1, 2, (0, 2, None)),
        ([0, 1, 0], 1, 1, (0, 1, 0)),
        ([], 0, 3, (3,)),
        ([], 1, 3, (None, 3)),
        ([1], 2, 3, (1, None, 3)),
        ([0, 0], 0, 1, (0, 0, None)),
    ],
)
def test_the_result_of_the_auction_completes_what_was_heard(
    heard: list[int], landlord: int, stake: int, known: tuple[int | None, ...]
) -> None:
    assert known_bids(heard, landlord, stake) == known


@pytest.mark.parametrize("rules", [BOTZONE2, ICGA], ids=lambda rules: rules.name)
@given(data=st.data())
def test_what_a_seat_knows_of_the_bids_is_true(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules, finished=False))
    for seat in range(3):
        view = View.of(game, seat)
        assert len(view.bids) == len(game.bids)
        assert all(known in (None, bid) for known, bid in zip(view.bids, game.bids, strict=True))
        assert view.bids[game.landlord_position] is not None
        assert view.stake == max(1, *game.bids)


def test_in_botzone2_a_bidder_does_not_hear_the_later_bids() -> None:
    game = start(shuffled(BOTZONE2, "x"), (1, 2, 0), 1)
    heard = [View.of(game, seat).bids for seat in range(3)]
    assert heard == [(1, 2, None), (1, 2, 0), (1, 2, None)]


def test_in_the_championship_all_players_hear_every_bid() -> None:
    game = start(shuffled(ICGA, "x"), (1, 2, 0), 1)
    assert [View.of(game, seat).bids for seat in range(3)] == [(1, 2, 0)] * 3


@given(views(BOTZONE))
def test_a_game_without_an_auction_has_no_bids(view: View) -> None:
    assert (view.bids, view.stake, view.landlord_position) == ((), 1, 0)
