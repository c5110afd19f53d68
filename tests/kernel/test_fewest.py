"""The fewest moves that empty a hand: equal to brute force, and to the reference implementation in ddzbot.split."""

import itertools
import random

import pytest

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.rules import BOTZONE, RULE_SETS, RuleSet
from ddzbot.split import fewest_moves
from tests.kernel.situations import NAMES, PAIRS, Situations, deck_of, loosened, random_rules, with_solos_and_pairs


def by_trying(kernel: Kernel, rules: RuleSet, hand: Hand, known: dict[Hand, int]) -> int:
    """Tries every lead, and then every lead of what is left."""
    if hand not in known:
        leads = kernel.legal_moves(rules, hand)
        known[hand] = 1 + min(by_trying(kernel, rules, hand - move.cards, known) for move in leads)
    return known[hand]


def small_hand(rules: RuleSet, chance: random.Random, cards: int) -> Hand:
    """Draws from few ranks, where trios, quads and chains are common."""
    deck = deck_of(rules)
    first = chance.randrange(len(deck) - 19)
    return sum(chance.sample(deck[first : first + 20], cards))


@pytest.mark.parametrize("loose", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_fewest_moves_are_those_of_brute_force(kernel: Kernel, name: str, loose: bool) -> None:
    rules = loosened(RULE_SETS[name]) if loose else RULE_SETS[name]
    chance = random.Random(f"brute/{name}")
    known: dict[Hand, int] = {0: 0}
    for number in range(PAIRS // 25):
        hand = small_hand(rules, chance, 1 + number % 12)
        assert kernel.fewest_moves(rules, hand) == by_trying(kernel, rules, hand, known), hand_text(hand)


@pytest.mark.parametrize("seed", range(4))
def test_fewest_moves_are_those_of_brute_force_under_invented_rules(kernel: Kernel, seed: int) -> None:
    chance, compared = random.Random(f"odd/{seed}"), 0
    while compared < PAIRS // 250:
        rules = with_solos_and_pairs(random_rules(chance))
        known: dict[Hand, int] = {0: 0}
        try:
            for _ in range(5):
                hand = small_hand(rules, chance, chance.randint(1, 11))
                assert kernel.fewest_moves(rules, hand) == by_trying(kernel, rules, hand, known), hand_text(hand)
        except KernelError:
            continue  # two rows of one kind and size
        compared += 1


@pytest.mark.parametrize("name", NAMES)
def test_fewest_moves_of_large_hands_are_those_of_the_reference(kernel: Kernel, name: str) -> None:
    rules = RULE_SETS[name]
    for hand, _ in itertools.islice(Situations(kernel, rules, "fewest"), PAIRS // 10):
        assert kernel.fewest_moves(rules, hand) == fewest_moves(rules, hand), hand_text(hand)


@pytest.mark.parametrize("name", NAMES)
def test_fewest_moves_of_hands_full_of_planes_are_those_of_the_reference(kernel: Kernel, name: str) -> None:
    rules, chance = RULE_SETS[name], random.Random(f"planes/{name}")
    for _ in range(PAIRS // 25):
        hand = small_hand(rules, chance, min(rules.largest_hand, 18))
        assert kernel.fewest_moves(rules, hand) == fewest_moves(rules, hand), hand_text(hand)


def test_a_batch_has_the_same_answers(kernel: Kernel) -> None:
    hands = [hand for hand, _ in itertools.islice(Situations(kernel, BOTZONE, "batch"), 50)]
    asked, answers = Memory(8 * len(hands)), Memory(len(hands))
    for index, hand in enumerate(hands):
        asked.words()[index] = hand
    where = (kernel.splits(BOTZONE), asked.address, len(hands), answers.address)
    kernel.library.call("ddz_fewest_moves_batch", *where)
    assert list(answers.bytes[: len(hands)]) == [kernel.fewest_moves(BOTZONE, hand) for hand in hands]
    assert kernel.fewest_moves_of(BOTZONE, hands) == list(answers.bytes[: len(hands)])
    assert kernel.fewest_moves_of(BOTZONE, []) == []


@pytest.mark.parametrize("text", ["333344445555666677778", "3456789TJQKA23456789TJ"])
def test_a_hand_of_more_than_twenty_cards_is_refused(kernel: Kernel, text: str) -> None:
    with pytest.raises(KernelError, match="bad cards"):
        kernel.fewest_moves(BOTZONE, parse_hand(text))
    with pytest.raises(KernelError, match="bad cards"):
        kernel.fewest_moves_of(BOTZONE, [1, parse_hand(text)])


def test_a_hand_of_no_deck_is_refused_among_others(kernel: Kernel) -> None:
    with pytest.raises(KernelError, match="one of the hands is in no deck"):
        kernel.fewest_moves_of(BOTZONE, [1, 1 << 60])
