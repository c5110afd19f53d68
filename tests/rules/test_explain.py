"""Why something is not a legal move, and what text is not a move: one sentence each, which names the input."""

import pytest

from ddzbot.cards import CardsError, parse_hand
from ddzbot.rules import PASS, UNKNOWN, Move, RulesError, explain, parse_move, read_move, rule_set

BOTZONE = rule_set("botzone")


def why_not(cards: str, to_beat: str = "", hand: str = "", rules_name: str = "botzone") -> str | None:
    rules = rule_set(rules_name)
    table = read_move(rules, parse_hand(to_beat)) if to_beat else None
    refusal = explain(rules, parse_hand(hand or cards), parse_hand(cards), table)
    return str(refusal) if refusal else None


def test_a_legal_move_needs_no_explanation_and_a_lead_is_no_pass() -> None:
    assert why_not("44", "33") is why_not("3333LB") is why_not("", to_beat="6", hand="345") is None
    assert why_not("", hand="345") == "a lead cannot be a pass"


@pytest.mark.parametrize(
    ("cards", "to_beat", "reason"),
    [
        ("34", "", "34: these cards are not a move (rules botzone)"),
        ("3456", "", "3456: these cards are not a move (rules botzone)"),
        (
            "333366",
            "",
            "333366: the kickers of a four_two_solo must be of different ranks outside its body (rules botzone)",
        ),
        ("333344445678", "", "333344445678: a shuttle_solo takes 1 kicker a quad (rules botzone)"),
        ("444", "33", "444: a trio cannot answer the pair 33"),
        ("34567", "456789", "34567: the answer to 456789 must have 6 cards"),
        ("33", "44", "33: it does not beat 44"),
        ("55", "3345", "55: a pair cannot answer the unknown 3345"),
    ],
)
def test_the_sentence_names_the_cards_and_the_rule(cards: str, to_beat: str, reason: str) -> None:
    assert why_not(cards, to_beat) == reason


def test_cards_that_are_not_in_the_hand_are_named() -> None:
    assert why_not("44", hand="345") == "44: the hand 345 does not hold these cards"


@pytest.mark.parametrize(
    ("rules_name", "cards", "reason"),
    [
        ("standard", "33336666", "a four_two_pair must be of different ranks outside its body (rules standard)"),
        ("standard", "44455556", "44455556: the kickers of a plane_solo must be outside its body (rules standard)"),
        ("icga", "33334444", "33334444: the kickers of a plane_solo must be of different ranks"),
        ("mini", "9999TTTTJQ", "9999TTTTJQ: a shuttle_solo is not a legal move (rules mini)"),
        ("botzone2", "3333444456", "3333444456: a shuttle_solo takes 2 kickers a quad (rules botzone2)"),
    ],
)
def test_the_sentence_names_what_the_rule_set_refuses(rules_name: str, cards: str, reason: str) -> None:
    assert reason in str(why_not(cards, rules_name=rules_name))


@pytest.mark.parametrize("text", ["34", "333366", ""])
def test_text_of_cards_that_are_no_move_is_refused_by_a_sentence(text: str) -> None:
    with pytest.raises(CardsError, match="cards '10': '1' is not a rank"):
        parse_move(BOTZONE, "10")
    with pytest.raises(RulesError) as error:
        parse_move(BOTZONE, text)
    assert str(error.value) == f"{text!r} is not a move (rules botzone)"


def test_the_pass_and_unknown_cards_are_moves() -> None:
    assert parse_move(BOTZONE, "pass") == PASS
    assert (str(PASS), PASS.is_pass, PASS.size) == ("pass", True, 0)
    cards = parse_hand("3344")
    assert read_move(BOTZONE, cards) == Move(cards, UNKNOWN, -1, 0)
