"""The kernel's worlds against those of Python, and what the kernel refuses."""

import random
from collections.abc import Sequence

import pytest

from ddzbot.belief.models import MODELS
from ddzbot.belief.ways import Ways, scaled
from ddzbot.belief.worlds import Worlds
from ddzbot.cards import FULL_DECK, RANK_COUNT, RANKS, Hand, count, parse_hand, size
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.worlds import KernelWays
from ddzbot.rules import RULE_SETS
from tests.belief.examples import late_view

EMPTY = [[1, 0, 0, 0, 0]] * RANK_COUNT
ONE_EACH = parse_hand(RANKS)
"""One card of every rank: 15 that are free."""


def random_table(unseen: Hand, chance: random.Random, largest: int) -> list[list[int]]:
    return [
        [chance.randint(1, largest) if cards <= count(unseen, rank) else 0 for cards in range(5)]
        for rank in range(RANK_COUNT)
    ]


def random_unseen(chance: random.Random, cards: int) -> Hand:
    deck = [1 << 4 * rank for rank in range(RANK_COUNT) for _ in range(count(FULL_DECK, rank))]
    return sum(chance.sample(deck, cards))


def compare(kernel: Kernel, unseen: Hand, first_cards: int, table: Sequence[Sequence[int]], seed: int) -> None:
    ours, theirs = Generator(seed), Generator(seed)
    ways = Ways(unseen, first_cards, table)
    expected = [ways.draw(ours) for _ in range(20)]
    assert KernelWays(kernel.library, unseen, first_cards, table).draw(theirs, 20) == expected
    assert theirs.state == ours.state


@pytest.mark.parametrize("largest", [1, 2, 1000, 10**30])
def test_kernel_and_python_draw_the_same_worlds_from_random_weights(kernel: Kernel, largest: int) -> None:
    chance = random.Random(largest)
    for seed in range(100):
        unseen = random_unseen(chance, chance.randint(2, 37))
        first_cards = chance.randint(max(0, size(unseen) - 20), min(20, size(unseen)))
        compare(kernel, unseen, first_cards, scaled(random_table(unseen, chance, largest)), seed)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_kernel_and_python_draw_the_same_worlds_for_views(kernel: Kernel, name: str, model: str) -> None:
    for seed in range(6):
        worlds = Worlds(late_view(RULE_SETS[name], seed, 10 + 5 * seed)[0], model)
        generator, ours = Generator(seed), Generator(seed)
        expected = [worlds.sample(ours) for _ in range(20)]
        assert worlds.in_kernel(kernel).draw(generator, 20) == expected
        assert generator.state == ours.state


@pytest.mark.parametrize(("more", "factors"), [(-1, (2, (1 << 32) - 1)), (0, (2047, 4196353)), (1, (1 << 16, 1 << 17))])
def test_totals_at_the_edge_of_one_word_are_drawn_alike(kernel: Kernel, more: int, factors: tuple[int, int]) -> None:
    word = (1 << 32) - 1
    table = [[word, factors[0], 0, 0, 0], [factors[1], word, 0, 0, 0], *EMPTY[2:]]
    assert Ways(parse_hand("34"), 1, table).total == (1 << 64) + more
    for seed in range(20):
        compare(kernel, parse_hand("34"), 1, table, seed)


def test_the_largest_weights_that_fit_do_not_overflow(kernel: Kernel) -> None:
    table = [[127, 128, 0, 0, 0]] * (RANK_COUNT - 2) + [[1023, 1024, 0, 0, 0]] * 2
    assert sum(sum(row).bit_length() for row in table) == 126
    compare(kernel, ONE_EACH, 7, table, 1)


@pytest.mark.parametrize(
    ("unseen", "first_cards", "table", "status"),
    [
        # weights that may not fit, are for more cards than there are, leave a rank no count, or leave no world
        (ONE_EACH, 7, [[127, 128, 0, 0, 0]] * 13 + [[1023, 1024, 0, 0, 0], [1024, 1024, 0, 0, 0]], "bad index"),
        (parse_hand("3"), 1, [[1, 1, 1, 0, 0], *EMPTY[1:]], "bad index"),
        (parse_hand("3"), 1, [[0] * 5, *EMPTY[1:]], "bad index"),
        (parse_hand("344"), 0, [[0, 1, 0, 0, 0], [0, 1, 1, 0, 0], *EMPTY[2:]], "bad index"),
        (parse_hand("344"), 2, [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0], *EMPTY[2:]], "bad index"),
        # a first hand that is too large, and words that are no cards
        (parse_hand("345"), 4, [[1, 1, 0, 0, 0]] * RANK_COUNT, "bad cards"),
        (parse_hand("3344556677889TJQKA2LB"), 21, [[1, 1, 0, 0, 0]] * RANK_COUNT, "bad cards"),
        *((word, 1, EMPTY, "bad cards") for word in (5, 1 << 60, 2 << 52, (1 << 60) - 1)),
    ],
)
def test_what_makes_no_worlds_is_refused(
    kernel: Kernel, unseen: Hand, first_cards: int, table: list[list[int]], status: str
) -> None:
    with pytest.raises(KernelError, match=f"ddz_worlds_init: {status}"):
        KernelWays(kernel.library, unseen, first_cards, table)


def test_an_unseeded_generator_is_refused(kernel: Kernel) -> None:
    ways = KernelWays(kernel.library, parse_hand("34"), 1, [[1, 1, 0, 0, 0]] * 2 + EMPTY[2:])
    generator = Generator(0)
    generator.state = [0, 0, 0, 0]
    with pytest.raises(KernelError, match="ddz_worlds_draw: bad random generator"):
        ways.draw(generator, 1)


def test_no_worlds_are_drawn_when_none_are_asked_for(kernel: Kernel) -> None:
    ways = KernelWays(kernel.library, parse_hand("34"), 1, [[1, 1, 0, 0, 0]] * 2 + EMPTY[2:])
    assert ways.draw(Generator(0), 0) == []


def test_null_and_crooked_pointers_and_blank_memory_are_refused(kernel: Kernel) -> None:
    ways = KernelWays(kernel.library, parse_hand("34"), 1, [[1, 1, 0, 0, 0]] * 2 + EMPTY[2:])
    status, memory = ways.library.status, Memory(1 << 14)
    for pointer in (0, memory.address + 2):
        assert status("ddz_worlds_layout", pointer, 1) == 1
        assert status("ddz_worlds_init", pointer, 0x3, 1, memory.address) == 1
        assert status("ddz_worlds_init", memory.address, 0x3, 1, pointer) == 1
        for spoiled in range(3):
            pointers = [ways.address, memory.address, memory.address]
            pointers[spoiled] = pointer
            assert status("ddz_worlds_draw", *pointers, 1) == 1
    assert status("ddz_worlds_draw", memory.address, memory.address, memory.address, 1) == 2
