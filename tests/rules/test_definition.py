"""The move generator, the classifier and the comparison against a second definition that tries every subset."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import RANK_COUNT, RANKS, UNIT, Hand, contains, count, hand_text
from ddzbot.rules import KIND_NAMES, RULE_SETS, Move, RuleSet, beats, classify, legal_moves
from ddzbot.testing.strategies import follows, hands, moves
from tests.platforms import PLATFORMS
from tests.rules import definition

every_rule_set = pytest.mark.parametrize("rules", PLATFORMS.values(), ids=PLATFORMS)


def texts(found: list[Move]) -> list[str]:
    return sorted(str(move) for move in found)


@every_rule_set
@given(data=st.data())
def test_the_leads_of_a_hand_are_the_subsets_that_the_definition_accepts(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, 1, 10))
    assert texts(legal_moves(rules, hand)) == sorted(definition.legal(rules.name, hand_text(hand), None))


@every_rule_set
@given(data=st.data())
def test_the_answers_of_a_hand_are_the_subsets_that_beat_the_move(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules, max_size=10))
    assert texts(legal_moves(rules, hand, to_beat)) == sorted(
        definition.legal(rules.name, hand_text(hand), str(to_beat))
    )


@st.composite
def near_misses(draw: st.DrawFn, rules: RuleSet) -> Hand:
    """A move with up to two cards exchanged for others: often no move, and when it is one, an odd one."""
    cards = draw(moves(rules, recognised=True)).cards
    for _ in range(draw(st.integers(0, 2))):
        out = draw(st.sampled_from([UNIT[rank] for rank in range(RANK_COUNT) if count(cards, rank)]))
        rest = rules.deck - cards
        cards += draw(st.sampled_from([UNIT[rank] for rank in range(RANK_COUNT) if count(rest, rank)])) - out
    return cards


@every_rule_set
@pytest.mark.parametrize("recognised", [False, True], ids=["legal", "recognised"])
@given(data=st.data())
def test_large_sets_and_near_misses_are_what_the_definition_says(
    rules: RuleSet, recognised: bool, data: st.DataObject
) -> None:
    cards = data.draw(near_misses(rules))
    ours = {(KIND_NAMES[move.kind], RANKS[move.rank]) for move in classify(rules, cards, recognised)}
    theirs = definition.readings(rules.name, Counter(hand_text(cards)), recognised)
    assert ours == {(reading.kind, reading.lowest) for reading in theirs}


@every_rule_set
@given(data=st.data())
def test_one_set_beats_another_exactly_when_the_definition_says_so(rules: RuleSet, data: st.DataObject) -> None:
    hand, other = data.draw(follows(rules))
    # Of the same kind most of all: those differ from answers in rank or length alone.
    kin = [move for move in legal_moves(rules, hand) if move.kind == other.kind]
    answers = [move for move in legal_moves(rules, hand, other) if not move.is_pass]
    cards = data.draw(st.sampled_from([*answers, *kin]) if answers or kin else moves(rules))
    for one, another in [(cards, other), (other, cards)]:
        theirs = definition.beats(rules.name, Counter(str(one)), Counter(str(another)))
        assert beats(rules, one.cards, another.cards) == theirs


def test_the_definition_tries_every_subset() -> None:
    tried = [definition.text(cards) for cards in definition.subsets("3344L")]
    assert len(tried) == len(set(tried)) == 3 * 3 * 2 - 1


def test_near_misses_stay_within_the_deck() -> None:
    @given(near_misses(RULE_SETS["botzone"]))
    def run(cards: Hand) -> None:
        assert contains(RULE_SETS["botzone"].deck, cards)

    run()
