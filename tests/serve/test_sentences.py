"""Refusals in Chinese: every sentence that the rules can say has one, with the words of the page."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import parse_hand
from ddzbot.illegal_moves import ENGLISH, Refusal
from ddzbot.rules import KIND_NAMES, RULE_SETS, RuleSet, explain, parse_move
from ddzbot.testing.strategies import follows, hands
from tools.shared.language import chinese, kind_word
from tools.shared.message import Message
from tools.shared.refusal_words import MESSAGES, refusal_message
from tools.shared.words import words
from tools.tables.serve.sentences import Sentence, refused
from tools.tables.table.table import TableError

RULES = st.sampled_from(list(RULE_SETS.values()))


def test_every_code_has_a_sentence_in_both_languages_and_kinds_the_names_of_the_page() -> None:
    named = {key: said for key, (_, said) in words("pages").items() if key.startswith("kind_")}
    assert named == {f"kind_{name}": chinese(kind_word(kind)) for kind, name in enumerate(KIND_NAMES)}
    assert MESSAGES.keys() == ENGLISH.keys()


def in_chinese(refusal: Refusal) -> str:
    """What the pages say; every refusal has it."""
    said = chinese(refusal_message(refusal))
    assert said is not None
    return said


def is_translated(refusal: Refusal) -> bool:
    """Nothing of English is left but the letters of cards, and there is Chinese."""
    said = in_chinese(refusal)
    assert refusal_message(refusal) == str(refusal)
    return bool(re.search("[\u4e00-\u9fff]", said)) and not re.search("[a-z]", said)


@given(rules=RULES, data=st.data())
def test_every_refusal_of_random_cards_is_translated(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    own = data.draw(st.booleans())
    cards = (
        data.draw(hands(rules, 0, 6))
        if not own
        else data.draw(st.sampled_from([hand, hand & 0xFFFF, hand >> 28 << 28]))
    )
    for beaten in (to_beat, None):
        refusal = explain(rules, hand, cards, beaten)
        assert refusal is None or is_translated(refusal), refusal


@pytest.mark.parametrize(
    ("rules", "hand", "cards", "to_beat", "said"),
    [
        ("standard", "3344", "", "", "轮到你先出牌，不能不出"),
        ("standard", "3344", "5", "", "5：你手里没有这些牌"),
        ("standard", "3345", "345", "", "345：这些牌不成牌型"),
        ("standard", "3333444455667788", "3333444455667788", "", "3333444455667788：本规则没有航天飞机带对"),
        ("botzone", "333344445678", "333344445678", "", "333344445678：航天飞机带单中每四张要带1手牌"),
        ("botzone", "33344455", "33344455", "", "33344455：飞机带单所带的牌点数必须互不相同，且不能与主牌相同"),
        ("standard", "44", "44", "3", "44：对子不能压单张 3"),
        ("standard", "3456789", "3456789", "34567", "3456789：压 34567 要出5张牌"),
        ("standard", "3345", "3", "5", "3：压不过 5"),
    ],
    ids=range(9),
)
def test_each_kind_of_refusal(rules: str, hand: str, cards: str, to_beat: str, said: str) -> None:
    rule_set = RULE_SETS[rules]
    beaten = parse_move(rule_set, to_beat) if to_beat else None
    refusal = explain(rule_set, parse_hand(hand), parse_hand(cards), beaten)
    assert refusal is not None
    assert in_chinese(refusal) == said


def test_what_the_table_refuses_is_said_in_both_languages_if_it_has_both() -> None:
    assert refused(TableError("no such thing")).sentence == Sentence("no such thing", "no such thing")
    assert refused(TableError(Message("the game is over"))).sentence == Sentence("the game is over", "对局已经结束")
    refusal = explain(RULE_SETS["standard"], parse_hand("3345"), parse_hand("345"))
    assert refusal
    assert refused(TableError(refusal_message(refusal))).sentence == Sentence(
        "345: these cards are not a move (rules standard)", "345：这些牌不成牌型"
    )
