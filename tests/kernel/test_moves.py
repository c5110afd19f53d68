"""Lists of moves and readings: the kernel gives what ddzbot.rules gives."""

import itertools
import random

import pytest

from ddzbot import rules_reference as specification
from ddzbot.cards import FULL_DECK, hand_text, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.kernel.rng import Generator
from ddzbot.rules import BOMB, BOTZONE, BOTZONE2, KIND_NAMES, PASS, RULE_SETS, TRIO, Move, parse_move, read_move
from tests.kernel.situations import NAMES, PAIRS, Situations, deck_of, loosened, picked, random_rules


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
def test_kernel_lists_the_same_moves_under_invented_rules(kernel: Kernel, seed: int) -> None:
    chance, compared = random.Random(f"rules/{seed}"), 0
    deck = deck_of(BOTZONE)
    while compared < PAIRS // 50:
        rules = random_rules(chance)
        cards = chance.sample(deck, 22)
        few = chance.choice((sorted(cards), deck[(low := chance.randrange(30)) : low + 22]))
        hand, table = sum(few[:12]), sum(few[12 : chance.randint(13, 22)])
        to_beat = chance.choice((None, read_move(rules, table)))
        try:
            moves = kernel.legal_moves(rules, hand, to_beat)
        except KernelError:
            continue  # two rows of one kind and size
        compared += 1
        assert moves == specification.legal_moves(rules, hand, to_beat), (rules.legal, hand_text(hand), to_beat)
        assert not moves or picked(kernel, rules, hand, to_beat, range(len(moves))) == moves


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("recognised", [False, True])
def test_kernel_reads_cards_as_the_rules_do(kernel: Kernel, name: str, recognised: bool) -> None:
    rules = RULE_SETS[name]
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "readings"), PAIRS // 5):
        cards = to_beat.cards if to_beat else hand
        expected = specification.classify(rules, cards, recognised)
        assert kernel.classify(rules, cards, recognised) == expected, hand_text(cards)


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


@pytest.mark.parametrize("text", ["3333", "LB", "33334444", "333444555666"])
def test_a_table_of_a_wrong_kind_is_answered_as_the_rules_do(kernel: Kernel, text: str) -> None:
    hand = parse_hand("44445555666777LB")
    for kind, name in enumerate(KIND_NAMES):
        table = Move(parse_hand(text), kind, -1, 0)
        for rules in RULE_SETS.values():
            ours, theirs = kernel.legal_moves(rules, hand, table), specification.legal_moves(rules, hand, table)
            assert ours == theirs, (name, rules.name)


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
        kernel.random_move(BOTZONE2, cards, None, Generator(1))
