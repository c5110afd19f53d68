"""Lists of moves and readings: the kernel gives what ddzbot.rules gives."""

import itertools
import random
from collections import Counter

import pytest

from ddzbot import rules as specification
from ddzbot.cards import FULL_DECK, ROCKET_CARDS, hand_text, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.rules import BOMB, BOTZONE, BOTZONE2, KIND_NAMES, PASS, RULE_SETS, STANDARD, TRIO, Move, parse_move
from tests.kernel.situations import NAMES, PAIRS, Situations, deck_of, loosened, random_rules

# Rank-level moves of the full deck, from the two judges of Botzone: facts that no code of ours has counted.
SHARED_COUNTS = {
    "solo": 15,
    "pair": 13,
    "rocket": 1,
    "trio": 13,
    "trio_solo": 182,
    "trio_pair": 156,
    "bomb": 13,
    "four_two_solo": 1183,
    "four_two_pair": 858,
    "solo_chain": 36,
    "pair_chain": 52,
    "plane": 45,
    "plane_solo": 8044,
    "plane_pair": 2939,
    "shuttle": 38,
}
SHUTTLE_COUNTS = {
    "botzone": {"shuttle_solo": 6028, "shuttle_pair": 1805},
    "botzone2": {"shuttle_solo": 17105, "shuttle_pair": 3630},
}


@pytest.mark.parametrize("name", NAMES)
def test_kernel_lists_the_same_moves_as_the_rules(kernel: Kernel, name: str) -> None:
    rules = RULE_SETS[name]
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "moves"), PAIRS):
        expected = specification.legal_moves(rules, hand, to_beat)
        assert kernel.legal_moves(rules, hand, to_beat) == expected, (hand_text(hand), to_beat)


@pytest.mark.parametrize("name", NAMES)
def test_kernel_lists_the_same_moves_where_kickers_are_loose(kernel: Kernel, name: str) -> None:
    rules = loosened(RULE_SETS[name])
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "loose", most_cards=14), PAIRS // 10):
        expected = specification.legal_moves(rules, hand, to_beat)
        assert kernel.legal_moves(rules, hand, to_beat) == expected, (hand_text(hand), to_beat)


@pytest.mark.parametrize("seed", range(8))
def test_kernel_lists_the_same_moves_under_rules_that_nobody_plays(kernel: Kernel, seed: int) -> None:
    chance, compared = random.Random(f"rules/{seed}"), 0
    deck = deck_of(BOTZONE)
    while compared < PAIRS // 50:
        rules = random_rules(chance)
        cards = chance.sample(deck, 22)
        few = chance.choice((sorted(cards), deck[(low := chance.randrange(30)) : low + 22]))
        hand, table = sum(few[:12]), sum(few[12 : chance.randint(13, 22)])
        to_beat = chance.choice((None, specification.read_move(rules, table)))
        try:
            moves = kernel.legal_moves(rules, hand, to_beat)
        except KernelError:
            continue  # two rows of one kind and size
        compared += 1
        assert moves == specification.legal_moves(rules, hand, to_beat), (rules.legal, hand_text(hand), to_beat)
        assert [kernel.nth_move(rules, hand, to_beat, index) for index in range(len(moves))] == moves


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("recognised", [False, True])
def test_kernel_reads_cards_as_the_rules_do(kernel: Kernel, name: str, recognised: bool) -> None:
    rules = RULE_SETS[name]
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "readings"), PAIRS // 5):
        cards = to_beat.cards if to_beat else hand
        expected = specification.classify(rules, cards, recognised)
        assert kernel.classify(rules, cards, recognised) == expected, hand_text(cards)


@pytest.mark.parametrize("name", ["botzone", "botzone2"])
def test_full_deck_has_as_many_leads_of_each_kind_as_the_judges_accept(kernel: Kernel, name: str) -> None:
    kinds = Counter(KIND_NAMES[move.kind] for move in kernel.legal_moves(RULE_SETS[name], FULL_DECK))
    assert kinds == {**SHARED_COUNTS, **SHUTTLE_COUNTS[name]}


@pytest.mark.parametrize(("name", "total"), [("botzone", 21422), ("botzone2", 34324)])
def test_full_deck_has_the_known_number_of_moves_with_the_pass(kernel: Kernel, name: str, total: int) -> None:
    rules = RULE_SETS[name]
    assert kernel.count_moves(rules, FULL_DECK) + 1 == total
    assert len(kernel.legal_moves(rules, FULL_DECK)) + 1 == total


@pytest.mark.parametrize("name", NAMES)
def test_full_deck_leads_are_the_same_list_as_in_the_rules(kernel: Kernel, name: str) -> None:
    rules = RULE_SETS[name]
    assert kernel.legal_moves(rules, FULL_DECK) == specification.legal_moves(rules, FULL_DECK)


def test_a_list_too_long_for_the_usual_buffer_leaves_the_next_ones_right(kernel: Kernel) -> None:
    kernel.legal_moves(BOTZONE, FULL_DECK)
    assert [str(move) for move in kernel.legal_moves(BOTZONE, parse_hand("34"))] == ["3", "4"]


def test_the_empty_hand_has_no_lead(kernel: Kernel) -> None:
    assert kernel.legal_moves(BOTZONE, 0) == []
    assert kernel.legal_moves(BOTZONE, 0, parse_move(BOTZONE, "3")) == [PASS]


def test_nothing_but_the_pass_answers_the_rocket(kernel: Kernel) -> None:
    assert kernel.legal_moves(BOTZONE, parse_hand("33334444"), parse_move(BOTZONE, "LB")) == [PASS]


def test_the_rocket_answers_cards_of_unknown_kind(kernel: Kernel) -> None:
    hand = parse_hand("345LB")
    assert kernel.legal_moves(BOTZONE, hand, specification.read_move(BOTZONE, parse_hand("3445"))) == [
        PASS,
        specification.read_move(BOTZONE, ROCKET_CARDS),
    ]


@pytest.mark.parametrize("text", ["3333", "LB", "33334444", "333444555666"])
@pytest.mark.parametrize("kind", range(len(KIND_NAMES)))
def test_a_table_of_a_wrong_kind_is_answered_as_the_rules_do(kernel: Kernel, text: str, kind: int) -> None:
    table = Move(parse_hand(text), kind, -1, 0)
    hand = parse_hand("44445555666777LB")
    for rules in RULE_SETS.values():
        assert kernel.legal_moves(rules, hand, table) == specification.legal_moves(rules, hand, table)


def test_one_set_of_cards_keeps_the_reading_that_answers(kernel: Kernel) -> None:
    hand = parse_hand("444555666777")
    table = parse_move(STANDARD, "333444555789")
    answers = {move.cards: move for move in kernel.legal_moves(STANDARD, hand, table)}
    leads = {move.cards: move for move in kernel.legal_moves(STANDARD, hand)}
    assert KIND_NAMES[answers[hand].kind] == "plane_solo"
    assert KIND_NAMES[leads[hand].kind] == "plane"


@pytest.mark.parametrize("cards", [-1, 1 << 60, 5, 15 << 52, 1 << 200, 2 << 56])
def test_cards_that_are_in_no_deck_get_the_answer_of_the_rules(kernel: Kernel, cards: int) -> None:
    bomb = Move(parse_hand("3333"), BOMB, 0, 1)
    odd = Move(cards, TRIO, 0, 1)
    if cards > 0:
        assert kernel.legal_moves(BOTZONE2, cards) == specification.legal_moves(BOTZONE2, cards)
        assert kernel.legal_moves(BOTZONE2, cards, bomb) == specification.legal_moves(BOTZONE2, cards, bomb)
        assert kernel.classify(BOTZONE2, cards) == specification.classify(BOTZONE2, cards)
        assert kernel.legal_moves(BOTZONE2, bomb.cards, odd) == specification.legal_moves(BOTZONE2, bomb.cards, odd)
    with pytest.raises(ValueError, match=r"cards|deck"):
        kernel.count_moves(BOTZONE2, cards)
