"""Picking moves without the list, and drawing them at random."""

import itertools

import pytest
from scipy import stats

from ddzbot.cards import FULL_DECK, hand_text, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.rng import Generator
from ddzbot.rules import BOTZONE, RULE_SETS, parse_move
from tests.kernel.reference import Reference
from tests.kernel.situations import NAMES, PAIRS, Situations, generator_of, loosened, picked

# One hand with every kind of segment: chains, planes that share trios, quads, both jokers.
RICH_HANDS = ["33344455566678TTTTLB", "33334444555566678LB", "3456789TJQKA2222LB34"]


@pytest.mark.parametrize("loose", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_every_index_picks_the_move_of_the_list(kernel: Kernel, name: str, loose: bool) -> None:
    rules = loosened(RULE_SETS[name]) if loose else RULE_SETS[name]
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "picks"), PAIRS // 25):
        moves = kernel.legal_moves(rules, hand, to_beat)
        assert picked(kernel, rules, hand, to_beat, range(len(moves))) == moves, (hand_text(hand), to_beat)


@pytest.mark.whole
@pytest.mark.parametrize("name", NAMES)
def test_every_index_picks_the_lead_of_the_full_deck(kernel: Kernel, name: str) -> None:
    rules = RULE_SETS[name]
    moves = kernel.legal_moves(rules, FULL_DECK)
    indices = [*range(0, len(moves) - 1, 97), len(moves) - 1]
    assert picked(kernel, rules, FULL_DECK, None, indices) == [moves[index] for index in indices]


@pytest.mark.parametrize("name", ["botzone2", "standard", "icga"])
@pytest.mark.parametrize("text", RICH_HANDS)
@pytest.mark.parametrize("table", [None, "3", "333444555789", "3334"])
def test_random_moves_are_uniform_over_the_list(kernel: Kernel, name: str, text: str, table: str | None) -> None:
    rules, hand = RULE_SETS[name], parse_hand(text)
    to_beat = parse_move(rules, table) if table else None
    moves = kernel.legal_moves(rules, hand, to_beat)
    counts = dict.fromkeys(moves, 0)
    generator = Generator(len(moves))
    for _ in range(20 * len(moves)):
        counts[kernel.random_move(rules, hand, to_beat, generator)] += 1
    assert set(counts) == set(moves)
    # Seeded, so that this is no gamble: the chance that a right generator fails was spent when it was written.
    assert len(moves) == 1 or stats.chisquare(list(counts.values())).pvalue > 0.001


@pytest.mark.parametrize("name", NAMES)
def test_kernel_and_reference_draw_the_same_moves(kernel: Kernel, name: str) -> None:
    rules = RULE_SETS[name]
    ours, theirs = Generator(3), Generator(3)
    for hand, to_beat in itertools.islice(Situations(kernel, rules, "draws"), PAIRS // 25):
        drawn = kernel.random_move(rules, hand, to_beat, ours)
        assert drawn == Reference().random_move(rules, hand, to_beat, theirs), (hand_text(hand), to_beat)
    assert ours.state == theirs.state


def test_the_generator_gives_the_numbers_that_its_authors_give() -> None:
    generator = Generator(0)
    assert generator.state[:2] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    generator.state = [1, 2, 3, 4]
    assert [generator.word() for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


@pytest.mark.parametrize("text", ["345", "3456789"])
def test_a_draw_that_would_be_one_too_many_is_drawn_again(kernel: Kernel, text: str) -> None:
    ours, theirs, hand = generator_of(0), generator_of(0), parse_hand(text)
    assert (1 << 32) % len(kernel.legal_moves(BOTZONE, hand)) != 0
    assert kernel.random_move(BOTZONE, hand, None, ours) == Reference().random_move(BOTZONE, hand, None, theirs)
    twice = generator_of(0)
    assert twice.word() == 0 != twice.word()
    assert ours.state == theirs.state == twice.state


@pytest.mark.parametrize("bound", [0, -1, 1 << 32])
def test_a_random_number_needs_a_bound_of_32_bits(bound: int) -> None:
    with pytest.raises(ValueError, match=f"cannot be below {bound}"):
        Generator(1).below(bound)
