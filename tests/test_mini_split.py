"""The pruning of the mini Dou Dizhu report: examples by hand, and what holds for every hand."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot import kernel as kernel_choice
from ddzbot.cards import ROCKET_CARDS, Hand, contains, counts, parse_hand
from ddzbot.mini_split import breaks_bomb, mini_candidates
from ddzbot.rules import PAIR, RULE_SETS, SOLO, STANDARD, Move, RuleSet, legal_moves, parse_move
from tests.support import kernel_path, require
from tools.shared.strategies import follows, hands

RULES = st.sampled_from(list(RULE_SETS.values()))
LEADS = RULES.flatmap(lambda rules: st.tuples(st.just(rules), hands(rules, min_size=1)))
FOLLOWS = RULES.flatmap(lambda rules: st.tuples(st.just(rules), follows(rules)))


@pytest.fixture(params=["kernel", "twin"], scope="module", autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Answers by the kernel, then without it."""
    environment = {"DDZ_NO_KERNEL": "1"}
    if request.param == "kernel":
        environment = {"DDZ_KERNEL": require(kernel_path(), "a C compiler")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_choice, "_choice", kernel_choice.choose(environment))
        yield


def chosen(hand: str, to_beat: str | None = None) -> set[str]:
    table = parse_move(STANDARD, to_beat) if to_beat else None
    return set(map(str, mini_candidates(STANDARD, parse_hand(hand), table)))


def takes_part_of_a_bomb(hand: Hand, cards: Hand) -> bool:
    parts = [laid for held, laid in zip(counts(hand), counts(cards), strict=True) if held == 4]
    one_joker = contains(hand, ROCKET_CARDS) and counts(cards)[13] != counts(cards)[14]
    return one_joker or any(part not in (0, 4) for part in parts)


def test_a_card_that_a_longest_chain_leaves_over_is_a_solo_and_no_pair() -> None:
    assert chosen("99TJQKA") == {"9", "9TJQK", "TJQKA", "9TJQKA"}


def test_of_the_cards_that_fit_nothing_only_the_lowest_is_a_solo() -> None:
    assert chosen("358K") == {"3"}


def test_a_solo_does_not_break_a_pair_or_a_trio() -> None:
    assert {"3", "4", "6", "44", "66"}.isdisjoint(chosen("3344466"))


def test_the_lowest_free_card_is_the_kicker() -> None:
    assert chosen("33345K") == {"4", "333", "3334"}


def test_a_kicker_breaks_a_pair_only_where_no_card_is_free() -> None:
    assert chosen("33355") == {"55", "333", "3335", "33355"}


def test_a_bomb_is_laid_whole_or_stays() -> None:
    assert chosen("344445") == {"3", "4444", "344445"}


def test_the_rocket_is_laid_whole_or_stays() -> None:
    assert chosen("3LB") == {"3", "LB"}


def test_an_answer_is_the_lowest_free_card_that_beats() -> None:
    assert chosen("3688K", "5") == {"pass", "6"}


def test_who_could_only_break_something_passes_or_bombs() -> None:
    assert chosen("8889999", "7") == {"pass", "9999"}


def test_rules_without_plain_trios_still_have_a_lead() -> None:
    rules = STANDARD._replace(legal=tuple(shape for shape in STANDARD.legal if shape.kind in (SOLO, PAIR)))
    assert list(map(str, mini_candidates(rules, parse_hand("333")))) == ["3", "33"]


@given(LEADS)
def test_every_lead_has_a_candidate(given_hand: tuple[RuleSet, Hand]) -> None:
    assert mini_candidates(*given_hand)


@given(LEADS)
def test_no_lead_breaks_a_bomb(given_hand: tuple[RuleSet, Hand]) -> None:
    rules, hand = given_hand
    assert not [move for move in mini_candidates(rules, hand) if takes_part_of_a_bomb(hand, move.cards)]


@given(FOLLOWS)
def test_no_answer_breaks_a_bomb(position: tuple[RuleSet, tuple[Hand, Move]]) -> None:
    rules, (hand, to_beat) = position
    assert not [move for move in mini_candidates(rules, hand, to_beat) if takes_part_of_a_bomb(hand, move.cards)]


@given(LEADS)
def test_leads_are_legal_in_the_order_of_the_legal_moves(given_hand: tuple[RuleSet, Hand]) -> None:
    rules, hand = given_hand
    found = mini_candidates(rules, hand)
    assert [move for move in legal_moves(rules, hand) if move in found] == found


@given(FOLLOWS)
def test_answers_are_legal_and_a_pass_is_one(position: tuple[RuleSet, tuple[Hand, Move]]) -> None:
    rules, (hand, to_beat) = position
    found = mini_candidates(rules, hand, to_beat)
    assert found[0].is_pass
    assert [move for move in legal_moves(rules, hand, to_beat) if move in found] == found


@given(LEADS)
def test_at_most_one_solo_and_one_pair_are_led(given_hand: tuple[RuleSet, Hand]) -> None:
    kinds = [move.kind for move in mini_candidates(*given_hand)]
    assert max(kinds.count(SOLO), kinds.count(PAIR)) <= 1


@pytest.mark.parametrize(("cards", "broken"), [("4", True), ("444", True), ("4444", False), ("3", False)])
def test_part_of_a_bomb_breaks_it(cards: str, broken: bool) -> None:
    assert breaks_bomb(parse_hand("34444"), parse_hand(cards)) is broken


def test_a_hand_larger_than_any_player_has_still_has_candidates() -> None:
    assert {"3333", "8888"} <= chosen("333344445555666677778888")
