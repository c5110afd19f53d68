"""What each rule set says, by examples: readings, kickers, comparisons. The definition is asked about all others."""

from collections.abc import Callable

import pytest

from ddzbot import api
from ddzbot.cards import hand_text, parse_hand
from ddzbot.game import to_beat
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import (
    BOMB,
    DISTINCT,
    KIND_NAMES,
    PAIR,
    PASS,
    PLANE_SOLO,
    RULE_SETS,
    SOLO,
    TRIO,
    RulesError,
    RuleSet,
    Shape,
    beats,
    classify,
    explain,
    legal_moves,
    parse_move,
    read_move,
    reading_beats,
    rule_set,
)
from tests.platforms import PLATFORMS

BOTZONE, MINI, STANDARD = (rule_set(name) for name in ("botzone", "mini", "standard"))


def kinds(rules: RuleSet, cards: str, recognised: bool = False) -> list[str]:
    return [KIND_NAMES[move.kind] for move in classify(rules, parse_hand(cards), recognised)]


def answers(rules: RuleSet, hand: str, other: str) -> list[str]:
    return [str(move) for move in legal_moves(rules, parse_hand(hand), read_move(rules, parse_hand(other)))]


@pytest.mark.parametrize(
    ("name", "cards", "legal", "recognised"),
    [
        ("botzone", "3333444456", ["shuttle_solo"], None),
        ("botzone", "333344445566", ["shuttle_pair"], None),
        ("botzone", "33334444LB", ["shuttle_solo"], None),
        ("botzone", "3333444455", [], None),
        ("botzone2", "3333444456", [], None),
        ("botzone2", "333344445678", ["shuttle_solo"], None),
        ("botzone2", "3333444455667788", ["shuttle_pair"], None),
        ("mini", "9999TTTT", ["shuttle"], None),
        ("mini", "9999TTTTJQ", [], ["shuttle_solo"]),
        ("mini", "9999TTTTJQKA", [], ["shuttle_solo"]),
        ("mini", "9999TTTTJJQQ", [], ["shuttle_pair"]),
        ("icga", "333366", [], ["four_two_solo"]),
        ("icga", "33336666", [], ["four_two_pair", "four_two_pair"]),
        ("icga", "44455556", [], ["plane_solo"]),
        ("icga", "333344445678", [], []),
        ("standard", "333366", ["four_two_solo"], None),
        ("standard", "333444555667", ["plane_solo"], None),
        ("standard", "3334446666", [], None),
        ("standard", "44455556", [], None),
        ("standard", "33334444", [], None),
        ("standard", "333444555666", ["plane", "plane_solo", "plane_solo"], None),
    ],
)
def test_rule_sets_differ_in_kickers_and_shuttles(
    name: str, cards: str, legal: list[str], recognised: list[str] | None
) -> None:
    assert kinds(rule_set(name), cards) == legal
    assert kinds(rule_set(name), cards, recognised=True) == (legal if recognised is None else recognised)


# What beats what.

WINS = """
    B>L 2>A 44>33 4443>333B 44433>33322 45678>34567 444555>333444 44455536>333444LB 444456>3333LB 44445566>3333AA22
    4444555536>33334444LB 4444>3333 LB>2222 LB>3456789TJQKA LB>33334444 3333>B 3333>AAAA2K 3333>KKKKAAAA
    3333>TTTTJJJJQK"""
TIES = """
    333B=3334 33322=33344 3333LB=333345 3333=3333 4445=333 555L=33344 55544=3336 44=3 456789=34567 444555666=333444
    444456=33335566 444456=3"""


def test_the_higher_body_wins_and_another_shape_is_no_answer() -> None:
    for cards, other in (pair.split(">") for pair in WINS.split()):
        assert beats(BOTZONE, parse_hand(cards), parse_hand(other)), (cards, other)
        assert not beats(BOTZONE, parse_hand(other), parse_hand(cards)), (cards, other)
    for cards, other in (pair.split("=") for pair in TIES.split()):
        assert not beats(BOTZONE, parse_hand(cards), parse_hand(other)), (cards, other)
    assert not beats(BOTZONE, 0, parse_hand("3"))


@pytest.mark.parametrize(
    ("rules", "hand", "other", "expected"),
    [
        (BOTZONE, "3333444", "LB", ["pass"]),
        (BOTZONE, "556789TJQKKKKAALB", "3344", ["pass", "KKKK", "LB"]),
        (BOTZONE, "556789TJQKKKKAALB", "3333444455", ["pass", "KKKK", "LB"]),
        (MINI, "JJJJQQQQKA2", "9999TTTTLB", ["pass", "JJJJ", "QQQQ"]),
        (rule_set("icga"), "55556678", "333366", ["pass", "555567", "555568", "555578", "5555"]),
    ],
)
def test_odd_cards_are_answered_so(rules: RuleSet, hand: str, other: str, expected: list[str]) -> None:
    assert answers(rules, hand, other) == expected


def test_shuttles_with_as_many_quads_but_other_kickers_do_not_answer_each_other() -> None:
    one_each, two_each = (read_move(MINI, parse_hand(cards)) for cards in ("TTTTJJJJQK", "9999TTTTQKA2"))
    assert (one_each.kind, one_each.length) == (two_each.kind, two_each.length)
    assert not reading_beats(one_each, two_each)


def test_a_pass_is_nothing_to_beat(kernel: Kernel) -> None:
    hand, three = parse_hand("3333"), parse_hand("3")
    asked: list[Callable[[], object]] = [
        *(lambda ask=ask: ask(STANDARD, hand, PASS) for ask in (legal_moves, kernel.legal_moves, api.legal_moves)),
        *(lambda ask=ask: ask(STANDARD, hand, three, PASS) for ask in (explain, api.explain)),
        *(lambda ask=ask: ask(STANDARD, three, 0) for ask in (beats, api.beats)),
    ]
    for ask in asked:
        with pytest.raises(RulesError, match="a pass is nothing to beat: give the move before it, or None on a lead"):
            ask()


@pytest.mark.parametrize(
    ("cards", "other"),
    [("444555666777", "333444555666"), ("333444555666", "33344455578T"), ("34777888999L", "333444555666")],
)
def test_standard_compares_every_reading_and_lists_the_cards_once(cards: str, other: str) -> None:
    assert answers(STANDARD, cards, other).count(cards) == 1


def test_a_lead_is_free_after_two_passes_and_is_no_pass() -> None:
    pair = parse_move(BOTZONE, "33")
    assert to_beat([pair]) == to_beat([pair, PASS]) == pair
    assert to_beat([pair, PASS, PASS]) is to_beat([]) is None
    assert PASS not in legal_moves(BOTZONE, parse_hand("345"))


# The rule sets themselves.


def test_every_rule_set_is_found_by_its_name_and_deals_its_whole_deck() -> None:
    assert [*RULE_SETS] == [rules.name for rules in RULE_SETS.values()]
    assert set(RULE_SETS) >= set(PLATFORMS)
    assert [name for name, rules in PLATFORMS.items() if rules.bidding] == ["botzone2", "icga"]
    for rules in RULE_SETS.values():
        assert 3 * rules.dealt + rules.bottom_size == len(hand_text(rules.deck))
        assert [rules.seat_cards(seat) for seat in range(3)] == [rules.largest_hand, rules.dealt, rules.dealt]
        assert len({shape.kind for shape in rules.legal}) == len(rules.legal)
        # Players divide a hand into these, whatever else there is; the rocket is no shape.
        assert {SOLO, PAIR, TRIO, BOMB} <= {shape.kind for shape in rules.legal}
        assert {shape.kind for shape in rules.legal} <= {shape.kind for shape in rules.recognised}
    with pytest.raises(RulesError, match="rule set 'bridge' is unknown; there are botzone, botzone2, mini"):
        rule_set("bridge")


def test_mini_has_thirty_cards_from_nine_up_and_three_solo_chains() -> None:
    assert hand_text(MINI.deck) == "9999TTTTJJJJQQQQKKKKAAAA2222LB"
    assert (MINI.dealt, MINI.bottom_size, MINI.largest_hand) == (9, 3, 12)
    chains = [str(move) for move in legal_moves(MINI, MINI.deck) if KIND_NAMES[move.kind] == "solo_chain"]
    assert chains == ["9TJQK", "TJQKA", "9TJQKA"]


def test_a_shape_knows_the_chain_length_for_a_number_of_cards() -> None:
    plane_solo = Shape(PLANE_SOLO, 3, 2, 12, 1, 1, DISTINCT)
    assert [plane_solo.length_for(cards) for cards in (4, 8, 9, 12)] == [0, 2, 0, 3]


@pytest.mark.parametrize(
    ("name", "cards", "kind", "rank", "length"),
    [
        ("standard", "333444555666", "plane", 0, 4),
        ("icga", "33334444", "plane_solo", 0, 2),
        ("icga", "33335555", "four_two_pair", 0, 1),
        ("icga", "3334445556667777", "plane_solo", 0, 4),
        ("icga", "33344455566677778888", "plane_solo", 0, 5),
    ],
)
def test_cards_with_several_readings_are_read_as_the_first_of_them(
    name: str, cards: str, kind: str, rank: int, length: int
) -> None:
    rules = rule_set(name)
    readings = classify(rules, parse_hand(cards), recognised=True)
    assert len(readings) > 1 and read_move(rules, parse_hand(cards)) == readings[0]
    move = parse_move(rules, cards)
    assert (KIND_NAMES[move.kind], move.rank, move.length) == (kind, rank, length)
