"""Dividing a hand: the fewest moves against brute force, and the cheapest split against its rules."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, hand_text, parse_hand
from ddzbot.rules import (
    BOTZONE,
    BOTZONE2,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    MINI,
    PLANE_SOLO,
    RULE_SETS,
    STANDARD,
    TRIO_PAIR,
    TRIO_SOLO,
    RuleSet,
    classify,
    legal_moves,
)
from ddzbot.search.endgame_position import without
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
    return sorted(hand_text(part.cards) for part in cheapest_split(rules, parse_hand(hand), prices).moves)


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
@given(data=st.data())
def test_fewest_moves_equals_brute_force(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, LARGEST_BY_BRUTE_FORCE), "hand")
    assert fewest_moves(rules, hand) == fewest_by_brute_force(rules, hand), hand_text(hand)


@pytest.mark.parametrize(
    ("rules", "hand", "moves"),
    [
        (BOTZONE, "", 0),
        (BOTZONE, "3456789TJQKA3456789T", 2),
        (BOTZONE, "33445566778899TTJJQQ", 1),
        # The rocket is one move, beside a chain as well.
        *((BOTZONE, "LB", 1), (BOTZONE, "34567LB", 2), (BOTZONE, "334455LB", 2)),
        # Kickers of one rank, shuttles, and their kickers save a move where they are legal.
        *((STANDARD, "33344455", 1), (BOTZONE, "33344455", 2), (BOTZONE, "33334444", 1), (STANDARD, "33334444", 2)),
        *((BOTZONE, "3333444456", 1), (BOTZONE, "333344445678", 2)),
        *((BOTZONE2, "3333444456", 2), (BOTZONE2, "333344445678", 1)),
        # 333444 may take 5 along but not the fourth 4; and each plane takes the spare card of the other.
        *((BOTZONE, "33344445", 2), (BOTZONE, "3334444567778888", 2)),
    ],
)
def test_fewest_moves_of_known_hands(rules: RuleSet, hand: str, moves: int) -> None:
    assert fewest_moves(rules, parse_hand(hand)) == moves


# The cheapest split.


@given(rules=st.sampled_from(list(RULE_SETS.values())), data=st.data())
def test_a_split_is_the_whole_hand_in_legal_moves(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, rules.largest_hand), "hand")
    split = cheapest_split(rules, hand, flat_prices())
    assert sum(part.cards for part in split.moves) == hand
    assert all(contains(hand, part.cards) and part.cards for part in split.moves)
    assert all(classify(rules, part.cards) for part in split.moves)
    assert split.price == sum(part.price for part in split.moves) >= fewest_moves(rules, hand)


WITH_KICKERS = (TRIO_SOLO, TRIO_PAIR, PLANE_SOLO, FOUR_TWO_SOLO, FOUR_TWO_PAIR)


@given(kinds=st.frozensets(st.sampled_from(WITH_KICKERS)), data=st.data())
def test_a_split_has_no_kickers_that_its_rules_do_not_allow(kinds: frozenset[int], data: st.DataObject) -> None:
    rules = without(BOTZONE, kinds)
    hand = data.draw(hands(rules, rules.largest_hand), "hand")
    split = cheapest_split(rules, hand, flat_prices())
    assert sum(part.cards for part in split.moves) == hand
    assert all(classify(rules, part.cards) for part in split.moves)


FLAT = flat_prices()
NOTHING, DEAR = [0.0] * RANK_COUNT, [5.0] * RANK_COUNT


@pytest.mark.parametrize(
    ("hand", "prices", "parts"),
    [
        # The costliest loose card becomes the kicker, but one that costs nothing does not.
        ("34777", flat_prices(solo=[3.0, 2.0, *[1.0] * 13]), "3777 4"),
        ("777B", flat_prices(solo=NOTHING), "777 B"),
        # A plane takes as many kickers as it needs, or none.
        ("3777888", flat_prices(trio=DEAR), "3 777888"),
        ("34777888", flat_prices(trio=DEAR), "34777888"),
        # What a body leaves of its own ranks is no kicker of it.
        ("333344456", flat_prices(bomb=DEAR, four_two=DEAR), "3 33344456"),
        # A dear chain is not made, a bomb takes kickers along and jokers are one rocket only where that is cheaper.
        ("34567", flat_prices(chain=lambda _: 9.0), "3 4 5 6 7"),
        ("347777", FLAT, "347777"),
        ("347777", flat_prices(four_two=DEAR), "3 4 7777"),
        ("LB", FLAT, "LB"),
        ("LB", flat_prices(rocket=3.0), "B L"),
    ],
)
def test_a_hand_is_split_as_its_prices_say(hand: str, prices: Prices, parts: str) -> None:
    assert split_texts(hand, prices) == parts.split()
