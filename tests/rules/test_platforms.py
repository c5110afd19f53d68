"""What is peculiar to the rule sets mini, icga and standard."""

import pytest

from ddzbot.cards import hand_text, parse_hand
from ddzbot.rules import (
    DISTINCT,
    KIND_NAMES,
    PLANE_SOLO,
    RULE_SETS,
    RulesError,
    RuleSet,
    Shape,
    classify,
    legal_moves,
    read_move,
    rule_set,
)

MINI, ICGA, STANDARD = (rule_set(name) for name in ("mini", "icga", "standard"))


def kinds(rules: RuleSet, cards: str, recognised: bool = False) -> list[str]:
    return [KIND_NAMES[move.kind] for move in classify(rules, parse_hand(cards), recognised)]


def answers(rules: RuleSet, hand: str, to_beat: str) -> list[str]:
    return [str(move) for move in legal_moves(rules, parse_hand(hand), read_move(rules, parse_hand(to_beat)))]


def test_every_rule_set_is_found_by_its_name() -> None:
    assert {name: rules.name for name, rules in RULE_SETS.items()} == {name: name for name in RULE_SETS}
    assert set(RULE_SETS) == {"botzone", "botzone2", "mini", "standard", "icga"}


def test_an_unknown_rule_set_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(RulesError, match="rule set 'bridge' is unknown; there are botzone, botzone2, mini"):
        rule_set("bridge")


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_the_dealt_cards_are_the_whole_deck(rules: RuleSet) -> None:
    assert 3 * rules.dealt + rules.bottom_size == len(hand_text(rules.deck))
    assert [rules.seat_cards(seat) for seat in range(3)] == [rules.largest_hand, rules.dealt, rules.dealt]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_each_kind_has_one_legal_shape(rules: RuleSet) -> None:
    kinds_of_shapes = [shape.kind for shape in rules.legal]
    assert len(kinds_of_shapes) == len(set(kinds_of_shapes))


def test_only_botzone2_and_the_championship_have_an_auction() -> None:
    assert [name for name, rules in RULE_SETS.items() if rules.bidding] == ["botzone2", "icga"]


def test_a_shape_knows_the_chain_length_for_a_number_of_cards() -> None:
    plane_solo = Shape(PLANE_SOLO, 3, 2, 12, 1, 1, DISTINCT)
    assert [plane_solo.length_for(cards) for cards in (4, 8, 9, 12)] == [0, 2, 0, 3]


# mini


def test_mini_has_thirty_cards_from_nine_up() -> None:
    assert hand_text(MINI.deck) == "9999TTTTJJJJQQQQKKKKAAAA2222LB"
    assert (MINI.dealt, MINI.bottom_size, MINI.largest_hand) == (9, 3, 12)


def test_mini_has_three_solo_chains() -> None:
    chains = [str(move) for move in legal_moves(MINI, MINI.deck) if KIND_NAMES[move.kind] == "solo_chain"]
    assert chains == ["9TJQK", "TJQKA", "9TJQKA"]


def test_mini_lays_bare_shuttles_only() -> None:
    assert kinds(MINI, "9999TTTT") == ["shuttle"]
    assert kinds(MINI, "9999TTTTJQ") == []
    assert kinds(MINI, "9999TTTTJQKA") == []


@pytest.mark.parametrize(
    ("cards", "kind"),
    [("9999TTTTJQ", "shuttle_solo"), ("9999TTTTJQKA", "shuttle_solo"), ("9999TTTTJJQQ", "shuttle_pair")],
)
def test_mini_understands_shuttles_with_one_or_two_kickers_a_quad(cards: str, kind: str) -> None:
    assert kinds(MINI, cards, recognised=True) == [kind]


def test_mini_answers_a_shuttle_with_kickers_by_a_bomb_only() -> None:
    assert answers(MINI, "JJJJQQQQKA2", "9999TTTTLB") == ["pass", "JJJJ", "QQQQ"]


# icga


@pytest.mark.parametrize(
    ("cards", "recognised"),
    [
        ("333366", ["four_two_solo"]),
        ("33336666", ["four_two_pair", "four_two_pair"]),
        ("44455556", ["plane_solo"]),
        ("33344455", ["plane_solo"]),
        ("3334446666", ["plane_pair"]),
    ],
)
def test_icga_understands_looser_kickers_but_does_not_lay_them(cards: str, recognised: list[str]) -> None:
    assert kinds(ICGA, cards) == []
    assert kinds(ICGA, cards, recognised=True) == recognised


@pytest.mark.parametrize("recognised", [False, True])
def test_icga_has_no_shuttles(recognised: bool) -> None:
    assert "shuttle" not in kinds(ICGA, "33334444", recognised)
    assert kinds(ICGA, "333344445678", recognised) == []


def test_icga_answers_looser_kickers_with_legal_ones() -> None:
    assert answers(ICGA, "55556678", "333366") == ["pass", "555567", "555568", "555578", "5555"]


# standard


@pytest.mark.parametrize("cards", ["333366", "33344455", "333444555667", "3334445556667777"])
def test_standard_solo_kickers_may_repeat(cards: str) -> None:
    assert set(kinds(STANDARD, cards)) <= {"four_two_solo", "plane_solo"}
    assert kinds(STANDARD, cards)


@pytest.mark.parametrize("cards", ["33336666", "3334446666", "33335555"])
def test_standard_pair_kickers_must_differ(cards: str) -> None:
    assert kinds(STANDARD, cards) == []


@pytest.mark.parametrize("cards", ["33344445", "44455556", "33334444"])
def test_standard_kickers_have_no_rank_of_the_body(cards: str) -> None:
    assert kinds(STANDARD, cards) == []


def test_standard_reads_four_trios_in_three_ways() -> None:
    readings = classify(STANDARD, parse_hand("333444555666"))
    assert [(KIND_NAMES[move.kind], move.rank, move.length) for move in readings] == [
        ("plane", 0, 4),
        ("plane_solo", 0, 3),
        ("plane_solo", 1, 3),
    ]


@pytest.mark.parametrize(
    ("cards", "other"),
    [("444555666777", "333444555666"), ("333444555666", "33344455578T"), ("34777888999L", "333444555666")],
)
def test_standard_compares_every_reading(cards: str, other: str) -> None:
    assert cards in answers(STANDARD, cards, other)


def test_standard_lists_a_set_with_several_readings_once() -> None:
    leads = [str(move) for move in legal_moves(STANDARD, parse_hand("333444555666"))]
    assert leads.count("333444555666") == 1


def test_standard_has_no_shuttles() -> None:
    assert "shuttle" not in {KIND_NAMES[shape.kind] for shape in STANDARD.recognised}
