"""What beats what."""

import pytest

from ddzbot.cards import parse_hand
from ddzbot.game import to_beat
from ddzbot.rules import PASS, beats, legal_moves, parse_move, read_move, reading_beats, rule_set

BOTZONE = rule_set("botzone")


def wins(cards: str, other: str, rules_name: str = "botzone") -> bool:
    return beats(rule_set(rules_name), parse_hand(cards), parse_hand(other))


@pytest.mark.parametrize("other", ["3", "B", "22", "3456789TJQKA", "2222", "33334444", "333344445566"])
def test_the_rocket_beats_everything(other: str) -> None:
    assert wins("LB", other)


@pytest.mark.parametrize("cards", ["B", "2222", "AAAA", "33334444"])
def test_nothing_beats_the_rocket(cards: str) -> None:
    assert not wins(cards, "LB")


def test_a_hand_of_bombs_has_only_the_pass_against_the_rocket() -> None:
    assert legal_moves(BOTZONE, parse_hand("3333444"), parse_move(BOTZONE, "LB")) == [PASS]


@pytest.mark.parametrize("other", ["3", "B", "22", "3456789TJQKA", "AAAA2K", "AAAA22KK", "KKKKAAAA", "TTTTJJJJQK"])
def test_a_bomb_beats_all_that_is_no_bomb_and_no_rocket(other: str) -> None:
    assert wins("3333", other)


def test_bombs_are_compared_by_rank() -> None:
    assert wins("4444", "3333")
    assert not wins("3333", "4444")
    assert not wins("3333", "3333")


@pytest.mark.parametrize(
    ("cards", "other"), [("4445", "333"), ("444", "3335"), ("555L", "33344"), ("55544", "3336"), ("44", "3")]
)
def test_another_kind_is_no_answer(cards: str, other: str) -> None:
    assert not wins(cards, other)


@pytest.mark.parametrize(
    ("cards", "other"),
    [("456789", "34567"), ("55667788", "334455"), ("444555666", "333444"), ("444455556666", "33334444")],
)
def test_a_chain_of_another_length_is_no_answer(cards: str, other: str) -> None:
    assert not wins(cards, other)


@pytest.mark.parametrize(
    ("cards", "other"),
    [
        ("B", "L"),
        ("2", "A"),
        ("44", "33"),
        ("4443", "333B"),
        ("44433", "33322"),
        ("45678", "34567"),
        ("444555", "333444"),
        ("44455536", "333444LB"),
        ("444456", "3333LB"),
        ("44445566", "3333AA22"),
        ("4444555536", "33334444LB"),
    ],
)
def test_the_higher_body_wins_whatever_the_kickers(cards: str, other: str) -> None:
    assert wins(cards, other)
    assert not wins(other, cards)


@pytest.mark.parametrize(("cards", "other"), [("333B", "3334"), ("33322", "33344"), ("3333LB", "333345")])
def test_equal_bodies_do_not_beat_each_other(cards: str, other: str) -> None:
    assert not wins(cards, other)


@pytest.mark.parametrize("four_with_two", ["444456", "44445566"])
def test_four_with_two_is_no_bomb(four_with_two: str) -> None:
    assert not wins(four_with_two, "3")
    assert not wins(four_with_two, "3333")
    assert wins("3333", four_with_two)


def test_four_with_two_solos_does_not_answer_four_with_two_pairs() -> None:
    assert not wins("444456", "33335566")
    assert not wins("44445566", "333356")


def test_shuttles_with_as_many_quads_but_other_kickers_do_not_answer_each_other() -> None:
    mini = rule_set("mini")
    one_each, two_each = read_move(mini, parse_hand("TTTTJJJJQK")), read_move(mini, parse_hand("9999TTTTQKA2"))
    assert (one_each.kind, one_each.length) == (two_each.kind, two_each.length)
    assert not reading_beats(one_each, two_each)


@pytest.mark.parametrize("rules_name", ["botzone", "botzone2", "mini"])
def test_a_bare_shuttle_loses_to_a_bomb_and_beats_none(rules_name: str) -> None:
    assert wins("TTTT", "JJJJQQQQ", rules_name)
    assert not wins("JJJJQQQQ", "TTTT", rules_name)
    assert wins("TTTTJJJJ", "9999TTTT", rules_name)


@pytest.mark.parametrize("other", ["3344", "34568", "3333444455"])
def test_cards_that_nobody_understands_are_beaten_by_bombs_and_the_rocket_only(other: str) -> None:
    hand = parse_hand("556789TJQKKKKAALB")
    answers = legal_moves(BOTZONE, hand, read_move(BOTZONE, parse_hand(other)))
    assert [str(move) for move in answers] == ["pass", "KKKK", "LB"]


def test_a_lead_is_free_after_two_passes() -> None:
    pair = parse_move(BOTZONE, "33")
    assert to_beat([pair]) == to_beat([pair, PASS]) == pair
    assert to_beat([pair, PASS, PASS]) is None
    assert to_beat([]) is None


def test_a_lead_is_no_pass_and_a_follow_may_always_pass() -> None:
    hand = parse_hand("345")
    assert PASS not in legal_moves(BOTZONE, hand)
    assert legal_moves(BOTZONE, hand, parse_move(BOTZONE, "B")) == [PASS]


def test_the_pass_beats_nothing() -> None:
    assert not beats(BOTZONE, 0, parse_hand("3"))
