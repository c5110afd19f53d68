"""Dividing a hand: the fewest moves against brute force, and the cheapest split against its rules."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, hand_text, parse_hand, size
from ddzbot.rules import BOTZONE, BOTZONE2, MINI, RULE_SETS, STANDARD, RuleSet, classify, legal_moves
from ddzbot.split import Chain, Prices, chain_sets, cheapest_split, fewest_moves

LARGEST_BY_BRUTE_FORCE = 9


@cache
def fewest_by_brute_force(rules: RuleSet, hand: Hand) -> int:
    """Tries every legal lead, then every lead of the rest."""
    return 1 + min(fewest_by_brute_force(rules, hand - move.cards) for move in legal_moves(rules, hand)) if hand else 0


@st.composite
def hands(draw: Any, rules: RuleSet, largest: int) -> Hand:
    """Draws a hand from few neighbouring ranks or from all, so that chains, trios and bombs are common."""
    lowest = draw(st.integers(6 if rules is MINI else 0, 12))
    ranks = range(lowest, min(RANK_COUNT, lowest + draw(st.sampled_from([3, 4, 6, RANK_COUNT]))))
    deck = [rank for rank in ranks for _ in range(count(rules.deck, rank))]
    return sum(UNIT[rank] for rank in draw(st.permutations(deck))[:largest])


def flat_prices(**changes: Any) -> Prices:
    """Each move costs 1, but for the *changes*."""
    row = [1.0] * RANK_COUNT
    return Prices(row, row, row, row, row, 1.0, lambda _: 1.0)._replace(**changes)


def split_texts(hand: str, prices: Prices, rules: RuleSet = BOTZONE) -> list[str]:
    return sorted(hand_text(part.cards) for part in cheapest_split(rules, parse_hand(hand), prices).parts)


# The sets of chains.


def test_each_set_of_chains_comes_once() -> None:
    found = Counter(chains for _, chains in chain_sets(BOTZONE, parse_hand("33445566778899TT")))
    assert len(found) > 20
    assert set(found.values()) == {1}


def test_a_chain_of_five_is_taken_or_left() -> None:
    whole = parse_hand("34567")
    assert list(chain_sets(BOTZONE, whole)) == [(whole, ()), (0, (Chain(whole, 1, 0, 5),))]


@pytest.mark.parametrize("hand", ["JQKA2", "34568", "KKAA22", "AAA222"])
def test_no_chain_holds_a_two_or_a_gap(hand: str) -> None:
    assert [chains for _, chains in chain_sets(BOTZONE, parse_hand(hand))] == [()]


# The fewest moves.


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@settings(max_examples=60)
@given(data=st.data())
def test_fewest_moves_equals_brute_force(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, LARGEST_BY_BRUTE_FORCE), "hand")
    assert fewest_moves(rules, hand) == fewest_by_brute_force(rules, hand), hand_text(hand)


@pytest.mark.parametrize(
    ("hand", "moves"),
    [
        ("", 0),
        ("LB", 1),
        ("34567LB", 2),
        ("3334", 1),
        ("33345", 2),
        ("33344", 1),
        ("3334445566", 1),
        ("3334447899", 2),
        ("444456", 1),
        ("33444456", 2),
        ("3456789TJQKA3456789T", 2),
        ("33445566778899TTJJQQ", 1),
    ],
)
def test_fewest_moves_of_known_hands(hand: str, moves: int) -> None:
    assert fewest_moves(BOTZONE, parse_hand(hand)) == moves


def test_kickers_of_one_rank_save_a_move_only_where_they_may_repeat() -> None:
    hand = parse_hand("33344455")
    assert (fewest_moves(STANDARD, hand), fewest_moves(BOTZONE, hand)) == (1, 2)


def test_a_card_that_a_plane_left_over_is_no_kicker_of_that_plane() -> None:
    # 333444 may take 5 along but not the fourth 4.
    assert fewest_moves(BOTZONE, parse_hand("33344445")) == 2


def test_shuttles_count_only_where_they_are_legal() -> None:
    hand = parse_hand("33334444")
    assert (fewest_moves(BOTZONE, hand), fewest_moves(STANDARD, hand)) == (1, 2)


def test_a_quad_of_a_shuttle_takes_as_many_kickers_as_the_rules_say() -> None:
    one_each, two_each = parse_hand("3333444456"), parse_hand("333344445678")
    assert [fewest_moves(BOTZONE, hand) for hand in (one_each, two_each)] == [1, 2]
    assert [fewest_moves(BOTZONE2, hand) for hand in (one_each, two_each)] == [2, 1]


# The cheapest split.


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@settings(max_examples=40)
@given(data=st.data())
def test_a_split_is_the_whole_hand_in_legal_moves(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, rules.largest_hand), "hand")
    split = cheapest_split(rules, hand, flat_prices())
    assert sum(part.cards for part in split.parts) == hand
    assert all(classify(rules, part.cards) for part in split.parts)
    assert split.price == sum(part.price for part in split.parts) >= fewest_moves(rules, hand)


def test_the_costliest_loose_card_becomes_the_kicker() -> None:
    solo = [3.0, 2.0, *[1.0] * 13]
    assert split_texts("34777", flat_prices(solo=solo)) == ["3777", "4"]


def test_a_card_that_costs_nothing_is_no_kicker() -> None:
    assert split_texts("777B", flat_prices(solo=[0.0] * RANK_COUNT)) == ["777", "B"]


def test_a_plane_takes_as_many_kickers_as_it_needs_or_none() -> None:
    prices = flat_prices(trio=[5.0] * RANK_COUNT)
    assert split_texts("3777888", prices) == ["3", "777888"]
    assert split_texts("34777888", prices) == ["34777888"]


def test_a_dear_chain_is_not_made() -> None:
    assert split_texts("34567", flat_prices(chain=lambda _: 9.0)) == ["3", "4", "5", "6", "7"]


def test_a_bomb_takes_kickers_along_only_if_that_is_cheaper() -> None:
    assert split_texts("347777", flat_prices()) == ["347777"]
    assert split_texts("347777", flat_prices(four_two=[4.0] * RANK_COUNT)) == ["3", "4", "7777"]


def test_the_jokers_are_one_rocket_unless_two_solos_cost_less() -> None:
    assert split_texts("LB", flat_prices()) == ["LB"]
    assert split_texts("LB", flat_prices(rocket=3.0)) == ["B", "L"]


def test_every_part_lies_in_the_hand() -> None:
    hand = parse_hand("33334445556789TJQKA2")
    parts = cheapest_split(BOTZONE, hand, flat_prices()).parts
    assert all(contains(hand, part.cards) and size(part.cards) for part in parts)
