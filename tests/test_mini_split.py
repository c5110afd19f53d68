"""The pruning of the mini Dou Dizhu report: examples by hand, and what holds for every hand."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot import kernel as kernel_choice
from ddzbot.cards import ROCKET_CARDS, Hand, contains, counts, parse_hand
from ddzbot.mini_split import breaks_bomb, mini_candidates
from ddzbot.rules import PAIR, RULE_SETS, SOLO, STANDARD, Move, RuleSet, legal_moves, parse_move
from ddzbot.testing.strategies import follows, hands

RULES = st.sampled_from(list(RULE_SETS.values()))
LEADS = RULES.flatmap(lambda rules: st.tuples(st.just(rules), hands(rules, min_size=1)))
FOLLOWS = RULES.flatmap(lambda rules: st.tuples(st.just(rules), follows(rules)))


@pytest.fixture(scope="module", autouse=True)
def reference() -> Iterator[None]:
    """Has Python answer: tests/kernel/test_mini_split.py compares the kernel with that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_choice, "_choice", kernel_choice.choose({"DDZ_NO_KERNEL": "1"}))
        yield


def chosen(hand: str, to_beat: str | None = None) -> set[str]:
    table = parse_move(STANDARD, to_beat) if to_beat else None
    return set(map(str, mini_candidates(STANDARD, parse_hand(hand), table)))


def takes_part_of_a_bomb(hand: Hand, cards: Hand) -> bool:
    parts = [played for held, played in zip(counts(hand), counts(cards), strict=True) if held == 4]
    one_joker = contains(hand, ROCKET_CARDS) and counts(cards)[13] != counts(cards)[14]
    return one_joker or any(part not in (0, 4) for part in parts)


@pytest.mark.parametrize(
    ("hand", "to_beat", "kept"),
    [
        # A card that a longest chain leaves over is a solo, and of those that fit nothing only the lowest.
        ("99TJQKA", None, "9 9TJQK TJQKA 9TJQKA"),
        ("358K", None, "3"),
        # The lowest free card is the kicker; a pair is broken only where no card is free.
        ("33345K", None, "4 333 3334"),
        ("33355", None, "55 333 3335 33355"),
        # Bombs and the rocket are played whole or stay.
        ("344445", None, "3 4444 344445"),
        ("3LB", None, "3 LB"),
        # An answer is the lowest free card that beats; else a pass or a bomb.
        ("3688K", "5", "pass 6"),
        ("8889999", "7", "pass 9999"),
    ],
)
def test_candidates_are_those_of_the_report(hand: str, to_beat: str | None, kept: str) -> None:
    assert chosen(hand, to_beat) == {*kept.split()}


def test_a_solo_does_not_break_a_pair_or_a_trio() -> None:
    assert {"3", "4", "6", "44", "66"}.isdisjoint(chosen("3344466"))


def test_rules_without_plain_trios_still_have_a_lead() -> None:
    rules = STANDARD._replace(legal=tuple(shape for shape in STANDARD.legal if shape.kind in (SOLO, PAIR)))
    assert list(map(str, mini_candidates(rules, parse_hand("333")))) == ["3", "33"]


@given(LEADS)
def test_leads_are_legal_and_break_no_bomb_and_one_solo_and_one_pair_at_most(given_hand: tuple[RuleSet, Hand]) -> None:
    rules, hand = given_hand
    found = mini_candidates(rules, hand)
    assert found == [move for move in legal_moves(rules, hand) if move in found] != []
    assert not [move for move in found if takes_part_of_a_bomb(hand, move.cards)]
    kinds = [move.kind for move in found]
    assert max(kinds.count(SOLO), kinds.count(PAIR)) <= 1


@given(FOLLOWS)
def test_answers_are_legal_and_break_no_bomb_and_a_pass_is_one(position: tuple[RuleSet, tuple[Hand, Move]]) -> None:
    rules, (hand, to_beat) = position
    found = mini_candidates(rules, hand, to_beat)
    assert found[0].is_pass
    assert found == [move for move in legal_moves(rules, hand, to_beat) if move in found]
    assert not [move for move in found if takes_part_of_a_bomb(hand, move.cards)]


@pytest.mark.parametrize(("cards", "broken"), [("4", True), ("444", True), ("4444", False), ("3", False)])
def test_part_of_a_bomb_breaks_it(cards: str, broken: bool) -> None:
    assert breaks_bomb(parse_hand("34444"), parse_hand(cards)) is broken


def test_a_hand_larger_than_any_player_has_still_has_candidates() -> None:
    assert {"3333", "8888"} <= chosen("333344445555666677778888")
