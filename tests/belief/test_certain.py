"""What is certain about the hidden hands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.belief.certain import BeliefError, free_cards, what_is_certain, with_known_cards
from ddzbot.cards import RANK_COUNT, UNIT, count, hand_text, parse_hand, size
from ddzbot.game import SEATS, Game
from ddzbot.rules import BOTZONE2, RULE_SETS
from ddzbot.testing.strategies import games
from ddzbot.view import View
from tests.belief.examples import late_view, view_of, worlds_of

RULES = st.sampled_from(list(RULE_SETS.values()))
DOWN = "3344556677889TJQK"


def test_the_hidden_seats_are_in_order_of_play() -> None:
    assert what_is_certain(view_of(1, DOWN, [""])).seats == (2, 0)


def test_the_sizes_are_what_the_seats_have_not_played() -> None:
    certain = what_is_certain(view_of(1, DOWN, ["AAAA", "", "", "TT"], "999"))
    assert certain.seats == (2, 0)
    assert certain.sizes == (17, 14)


def test_the_landlord_surely_holds_the_bottom_cards_that_it_has_not_played() -> None:
    certain = what_is_certain(view_of(1, DOWN, ["2"], bottom="22L"))
    assert [hand_text(cards) for cards in certain.known] == ["", "2L"]
    assert hand_text(certain.least[1]) == "2L"
    assert count(certain.most[0], parse_hand("L").bit_length() // 4) == 0


def test_the_landlord_learns_nothing_from_its_own_bottom() -> None:
    certain = what_is_certain(view_of(0, DOWN + "22L", bottom="22L"))
    assert certain.known == (0, 0)


def test_an_unknown_bottom_tells_nothing() -> None:
    certain = what_is_certain(view_of(1, DOWN, [""], bottom=""))
    assert certain.known == certain.least == (0, 0)


def test_cards_that_were_played_are_in_no_hidden_hand() -> None:
    certain = what_is_certain(view_of(1, DOWN, ["999"], bottom="9TT"))
    assert count(certain.unseen, 6) == 0


@given(RULES.flatmap(lambda rules: games(rules, finished=False)), st.integers(0, SEATS - 1))
def test_the_true_hands_are_always_possible(game: Game, seat: int) -> None:
    certain = what_is_certain(View.of(game, seat))
    first, second = (game.hands[hidden] for hidden in certain.seats)
    assert certain.allows(first, second)
    assert certain.sizes == (size(first), size(second))
    for rank in range(RANK_COUNT):
        for held, least, most in zip((first, second), certain.least, certain.most, strict=True):
            assert count(least, rank) <= count(held, rank) <= count(most, rank)
        assert free_cards(certain, rank) >= 0


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("seed", range(4))
def test_the_bounds_are_what_all_worlds_together_reach(name: str, seed: int) -> None:
    certain = what_is_certain(late_view(RULE_SETS[name], seed)[0])
    worlds = list(worlds_of(certain))
    for rank in range(RANK_COUNT):
        for place in (0, 1):
            held = {count(world[place], rank) for world in worlds}
            assert (min(held), max(held)) == (count(certain.least[place], rank), count(certain.most[place], rank))


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("seed", range(4))
def test_what_is_supposed_narrows_the_bounds_to_the_worlds_that_have_it(name: str, seed: int) -> None:
    certain = what_is_certain(late_view(RULE_SETS[name], seed)[0])
    every, tried = list(worlds_of(certain)), 0
    for place in (0, 1):
        for rank in range(RANK_COUNT):
            room = certain.sizes[place] - size(certain.known[place])
            for cards in range(1, min(free_cards(certain, rank), room) + 1):
                given = with_known_cards(certain, place, cards * UNIT[rank])
                at_least = count(certain.known[place], rank) + cards
                worlds = [world for world in every if count(world[place], rank) >= at_least]
                assert [world for world in every if given.allows(*world)] == worlds and worlds
                for other in range(RANK_COUNT):
                    for seat in (0, 1):
                        held = {count(world[seat], other) for world in worlds}
                        reached = (count(given.least[seat], other), count(given.most[seat], other))
                        assert reached == (min(held), max(held))
                tried += 1
    assert tried


@pytest.mark.parametrize("seed", range(4))
def test_hands_that_are_not_what_is_unseen_are_not_allowed(seed: int) -> None:
    certain = what_is_certain(late_view(BOTZONE2, seed)[0])
    first, second = next(worlds_of(certain))
    assert certain.allows(first, second)
    low = next(rank for rank in range(RANK_COUNT) if count(second, rank))
    card = UNIT[low]
    # One card moved, one missing, one too many, and one of another rank in its place.
    other = next(UNIT[rank] for rank in range(RANK_COUNT) if rank != low and count(second, rank) < 4)
    for spoilt in ((first + card, second - card), (first, second - card), (first, second + card)):
        assert not certain.allows(*spoilt)
    assert not certain.allows(first, second - card + other)


def test_a_view_that_contradicts_itself_is_refused_in_one_sentence() -> None:
    with pytest.raises(BeliefError, match="the own hand has 3 cards where 17 must be left"):
        what_is_certain(view_of(1, "345", rules=BOTZONE2))


def test_a_landlord_may_hold_nothing_but_what_is_left_of_the_bottom() -> None:
    plays = ["33334444555566667", "", "", "8", "", ""]
    certain = what_is_certain(view_of(1, "7778889999TTTTJJJ", plays, bottom="8LB"))
    assert hand_text(certain.least[1]) == hand_text(certain.most[1]) == "LB"


def test_a_hand_of_one_card_has_no_pair_and_what_it_lacks_the_other_has() -> None:
    plays = ["33334444555566667", "", "778899TTJJQQKKAA", "", ""]
    certain = what_is_certain(view_of(1, "799TTJJQQKKAA22LB", plays, bottom="345"))
    assert (hand_text(certain.unseen), certain.sizes) == ("8822", (1, 3))
    assert [hand_text(cards) for cards in (*certain.most, *certain.least)] == ["82", "8822", "", "82"]


def test_a_landlord_without_room_for_the_bottom_is_refused() -> None:
    plays = ["33334444555566667", "", "", "8", "", ""]
    with pytest.raises(BeliefError, match="the landlord holds 2 cards and cannot have 22L of the bottom left"):
        what_is_certain(view_of(1, "7778889999TTTTJJJ", plays, bottom="22L"))
