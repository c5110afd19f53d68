"""Hands as counts in one integer, their text, and card ids."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import (
    CARD_IDS,
    FULL_DECK,
    RANK_COUNT,
    RANKS,
    ROCKET_CARDS,
    UNIT,
    CardsError,
    contains,
    count,
    counts,
    hand_of_counts,
    hand_of_ids,
    hand_text,
    ids_for,
    parse_hand,
    rank_of_id,
    size,
)
from ddzbot.rules import rule_set
from ddzbot.testing.strategies import hands

any_hand = hands(rule_set("botzone"), max_size=54)
card_ids = st.lists(st.integers(0, CARD_IDS - 1), unique=True)


def test_the_deck_has_54_cards_from_three_to_the_big_joker_and_as_many_ids() -> None:
    assert size(FULL_DECK) == CARD_IDS == 54
    assert counts(FULL_DECK) == [4] * 13 + [1, 1]
    assert RANKS == "3456789TJQKA2LB" == "".join(map(hand_text, UNIT))
    assert hand_text(ROCKET_CARDS) == "LB"
    assert [rank_of_id(card_id) for card_id in (0, 3, 4, 47, 48, 51, 52, 53)] == [0, 0, 1, 11, 12, 12, 13, 14]


@given(any_hand, st.randoms(use_true_random=False))
def test_text_is_read_in_any_order_and_written_low_to_high(hand: int, shuffler: random.Random) -> None:
    letters = list(hand_text(hand))
    shuffler.shuffle(letters)
    assert parse_hand("".join(letters)) == parse_hand(hand_text(hand)) == hand
    assert list(hand_text(hand)) == sorted(letters, key=RANKS.index)


@given(any_hand)
def test_counts_make_the_hand_again(hand: int) -> None:
    assert hand_of_counts(counts(hand)) == hand
    assert counts(hand) == [count(hand, rank) for rank in range(RANK_COUNT)]
    assert size(hand) == sum(counts(hand)) == len(hand_text(hand))


@given(any_hand, any_hand)
def test_a_hand_contains_cards_when_it_has_enough_of_every_rank(hand: int, cards: int) -> None:
    enough = all(count(hand, rank) >= count(cards, rank) for rank in range(RANK_COUNT))
    assert contains(hand, cards) == enough
    assert contains(hand, hand) and contains(hand, 0) and contains(FULL_DECK, hand)


@given(card_ids)
def test_ids_make_the_hand_of_their_ranks(ids: list[int]) -> None:
    hand = hand_of_ids(ids)
    assert sorted(hand_text(hand)) == sorted(RANKS[rank_of_id(card_id)] for card_id in ids)


@given(card_ids, st.data())
def test_cards_get_the_lowest_of_the_own_ids(own_ids: list[int], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(own_ids), unique=True)) if own_ids else []
    chosen = ids_for(own_ids, hand_of_ids(wanted))
    left = set(own_ids) - set(chosen)
    assert hand_of_ids(chosen) == hand_of_ids(wanted)
    assert chosen == sorted(chosen) and set(chosen) <= set(own_ids)
    assert all(kept > card_id for kept in left for card_id in chosen if rank_of_id(kept) == rank_of_id(card_id))


def test_ids_for_a_pair_out_of_three() -> None:
    assert ids_for([53, 7, 5, 6, 0], parse_hand("44B")) == [5, 6, 53]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3x", "cards '3x': 'x' is not a rank; ranks are 3456789TJQKA2LB"),
        ("t", "cards 't': 't' is not a rank"),
        ("4 4", "cards '4 4': ' ' is not a rank"),
        ("33333", "cards '33333': the deck has fewer 3"),
        ("3BB", "cards '3BB': the deck has fewer B"),
        ("3" * 16 + "5", "cards '33333333333333335': the deck has fewer 3"),
        ("2" * 32, f"cards '{'2' * 32}': the deck has fewer 2"),
    ],
)
def test_text_that_is_no_hand_is_refused_by_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(CardsError) as error:
        parse_hand(text)
    assert str(error.value).startswith(sentence)


@given(st.text(max_size=12))
def test_any_text_is_a_hand_or_refused(text: str) -> None:
    try:
        hand = parse_hand(text)
    except CardsError as error:
        assert repr(text)[:60] in str(error)
    else:
        assert sorted(hand_text(hand)) == sorted(text)


@pytest.mark.parametrize("card_id", [-1, 54, True, 1.0, "3", None])
def test_what_is_no_id_is_refused_by_a_sentence(card_id: object) -> None:
    with pytest.raises(CardsError) as error:
        hand_of_ids([0, card_id])  # type: ignore[list-item]
    assert str(error.value) == f"card id {card_id!r} is not an integer from 0 to 53"


def test_ids_that_occur_twice_or_are_missing_are_named() -> None:
    with pytest.raises(CardsError, match="card id 7 occurs twice"):
        hand_of_ids([7, 8, 7])
    with pytest.raises(CardsError, match=r"the ids \[0, 1, 4\] lack 34"):
        ids_for([4, 0, 1], parse_hand("33344"))
