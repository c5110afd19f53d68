"""
The kernel's pruning of the mini Dou Dizhu report against that of Python, which tests/test_mini_split.py examines.

``DDZ_KERNEL_PAIRS=100000`` in the environment asks for a fortieth of that many situations of each rule set.
"""

import random
from itertools import islice

import pytest

from ddzbot.cards import RANK_COUNT, UNIT, Hand, count, hand_text, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.kernel.searching import MINI_SPLIT, candidates
from ddzbot.mini_split import mini_candidates
from ddzbot.rules import PAIR, RULE_SETS, SOLO, STANDARD, Move, RuleSet, Shape
from tests.kernel.situations import NAMES, PAIRS, Situations, loosened
from tests.kernel.test_recorded_games import SMALL, positions, read_under, with_known_hands

COMPARED = PAIRS // 40
pytestmark = pytest.mark.usefixtures("without_kernel")
"""mini_candidates answers in Python."""


def compare(kernel: Kernel, rules: RuleSet, hand: Hand, to_beat: Move | None) -> int:
    """Compares both lists, and counts the moves."""
    expected = mini_candidates(rules, hand, to_beat)
    assert candidates(kernel, rules, hand, to_beat, 0, MINI_SPLIT) == expected, (hand_text(hand), str(to_beat))
    return len(expected)


@pytest.mark.parametrize("loose", [False, True], ids=["legal", "recognised"])
@pytest.mark.parametrize("name", NAMES)
def test_both_list_the_same_moves(kernel: Kernel, name: str, loose: bool) -> None:
    rules = loosened(RULE_SETS[name]) if loose else RULE_SETS[name]
    situations = islice(Situations(kernel, rules, "mini split"), COMPARED)
    assert sum(compare(kernel, rules, hand, to_beat) > 1 for hand, to_beat in situations) >= COMPARED // 5


@pytest.mark.parametrize("name", NAMES)
def test_both_list_the_same_leads_of_hands_of_few_neighbouring_ranks(kernel: Kernel, name: str) -> None:
    # Chains of all groups that share ranks, planes with many kickers, and bombs among them.
    rules, draw = RULE_SETS[name], random.Random(name)
    for _ in range(COMPARED // 5):
        first = draw.randint(6, 9)
        deck = [UNIT[rank] for rank in range(first, first + 6) for _ in range(count(rules.deck, rank))]
        hand = sum(draw.sample(deck, draw.randint(6, min(rules.largest_hand, len(deck)))))
        assert compare(kernel, rules, hand, None) > 0


@pytest.mark.parametrize("name", ["standard", "botzone"])
def test_both_list_the_same_moves_in_recorded_games(kernel: Kernel, name: str) -> None:
    rules, number = RULE_SETS[name], 0
    for record in with_known_hands(read_under(SMALL, rules), only_legal=name != "standard"):
        for game in [*positions(record)][::3]:
            compare(kernel, rules, game.hands[game.seat], game.to_beat)
            number += 1
    assert number > 150


BARE = tuple(shape for shape in STANDARD.legal if shape.kind in (SOLO, PAIR))
"""Without trios a lead may have no candidate of the report's own, and any move is one."""
SHORT = tuple(shape._replace(min_length=2) if shape.max_length > 1 else shape for shape in STANDARD.legal)
"""A chain may have no more cards than a pair."""


@pytest.mark.parametrize("legal", [BARE, SHORT], ids=["bare", "short chains"])
def test_both_list_the_same_moves_under_invented_rules(kernel: Kernel, legal: tuple[Shape, ...]) -> None:
    rules = STANDARD._replace(name="odd", legal=legal, recognised=legal)
    situations = islice(Situations(kernel, rules, "odd", 12), COMPARED)
    assert sum(compare(kernel, rules, hand, to_beat) for hand, to_beat in situations) > COMPARED


def test_a_hand_that_no_player_has_is_refused(kernel: Kernel) -> None:
    hand = sum(4 * UNIT[rank] for rank in range(6))
    with pytest.raises(KernelError, match="ddz_candidates: bad cards"):
        candidates(kernel, STANDARD, hand, None, 0, MINI_SPLIT)
    with pytest.raises(KernelError, match="these cards are in no deck"):
        candidates(kernel, STANDARD, 1 << 4 * RANK_COUNT, None, 0, MINI_SPLIT)


def test_another_pruning_is_refused(kernel: Kernel) -> None:
    with pytest.raises(KernelError, match="ddz_candidates: bad index"):
        candidates(kernel, STANDARD, parse_hand("3"), None, 0, 2)
