"""Drawing in proportion: against full enumeration, in exact arithmetic, and by frequency."""

from collections import Counter
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from ddzbot.belief.certain import BeliefError
from ddzbot.belief.models import MODELS
from ddzbot.belief.ways import TOTAL_BITS, WEIGHT_BITS, Ways, World, number_below, scaled
from ddzbot.belief.worlds import Worlds
from ddzbot.cards import RANK_COUNT, count, parse_hand
from ddzbot.kernel.rng import Generator
from ddzbot.rules import RULE_SETS
from tests.belief.examples import late_view, worlds_of

EMPTY = [[1, 0, 0, 0, 0]] * RANK_COUNT
DRAWS = 4000
ROWS = st.lists(st.integers(0, 10**30), min_size=5, max_size=5).filter(any)


def weights_of_all(worlds: Worlds) -> dict[World, int]:
    """The weight of every world, each multiplied out by hand."""
    table = worlds.table
    return {
        world: prod(table[rank][count(world.first, rank)] for rank in range(RANK_COUNT))
        for world in worlds_of(worlds.certain)
    }


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_the_total_is_the_sum_over_all_worlds(name: str, model: str) -> None:
    for seed in range(5):
        worlds = Worlds(late_view(RULE_SETS[name], seed)[0], model)
        assert worlds.total == sum(weights_of_all(worlds).values())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_a_probability_is_the_share_of_all_worlds_that_have_it(name: str, model: str) -> None:
    worlds = Worlds(late_view(RULE_SETS[name], 1)[0], model)
    weights = weights_of_all(worlds)
    for place, seat in enumerate(worlds.certain.seats):
        for rank in range(RANK_COUNT):
            for cards in range(-1, 6):
                share = sum(weight for world, weight in weights.items() if count(world[place], rank) == cards)
                assert worlds.probability(seat, rank, cards) == float(Fraction(share, worlds.total))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", [2, 5])
def test_worlds_are_drawn_as_often_as_they_weigh(seed: int, model: str) -> None:
    worlds = Worlds(late_view(RULE_SETS["standard"], seed, 9)[0], model)
    weights = weights_of_all(worlds)
    generator = Generator(seed)
    drawn = Counter(worlds.sample(generator) for _ in range(DRAWS))
    assert drawn.keys() <= weights.keys()
    common = [world for world, weight in weights.items() if DRAWS * weight >= 5 * worlds.total]
    assert len(common) > 5
    rest = DRAWS - sum(drawn[world] for world in common)
    expected = [DRAWS * weights[world] / worlds.total for world in common]
    seen = [drawn[world] for world in common]
    assert chisquare([*seen, rest + 1], [*expected, DRAWS - sum(expected) + 1]).pvalue > 0.001


def test_a_small_draw_by_hand() -> None:
    table = [[1, 2, 1, 0, 0], [0, 1, 0, 0, 0], [3, 5, 0, 0, 0], *EMPTY[3:]]
    ways = Ways(parse_hand("33445"), 2, table)
    assert ways.total == 2 * 3 + 1 * 5
    assert [ways.weight(0, cards) for cards in range(3)] == [5, 6, 0]
    assert ways.weight(0, 7) == 0
    drawn = {ways.draw(Generator(seed)) for seed in range(40)}
    assert drawn == {(parse_hand("34"), parse_hand("345")), (parse_hand("45"), parse_hand("334"))}


def test_one_possible_world_takes_no_random_number() -> None:
    generator = Generator(1)
    ways = Ways(parse_hand("3345"), 3, [[0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], *EMPTY[3:]])
    assert ways.draw(generator) == (parse_hand("335"), parse_hand("4"))
    assert generator.state == Generator(1).state


def test_weights_that_leave_no_world_are_refused() -> None:
    with pytest.raises(BeliefError, match="no world has 2 cards in the first hand and a weight"):
        Ways(parse_hand("33"), 2, [[1, 1, 0, 0, 0], *EMPTY[1:]])


# Scaling


@given(st.lists(ROWS, min_size=RANK_COUNT, max_size=RANK_COUNT))
def test_scaled_totals_have_room_whatever_the_weights(table: list[list[int]]) -> None:
    rows = scaled(table)
    free = [row for row in rows if sum(weight > 0 for weight in row) > 1]
    assert sum(sum(row).bit_length() for row in free) <= TOTAL_BITS
    assert prod(map(sum, rows)) < 1 << TOTAL_BITS
    assert max(map(max, rows)) < 1 << WEIGHT_BITS


@given(st.lists(ROWS, min_size=RANK_COUNT, max_size=RANK_COUNT))
def test_scaling_keeps_every_possible_count_possible_and_nearly_its_share(table: list[list[int]]) -> None:
    for row, given_row in zip(scaled(table), table, strict=True):
        for weight, given_weight in zip(row, given_row, strict=True):
            assert (weight > 0) == (given_weight > 0)
            assert abs(Fraction(weight, sum(row)) - Fraction(given_weight, sum(given_row))) < Fraction(1, 25)


def test_small_weights_are_kept_as_they_are() -> None:
    table = [[1, 4, 6, 4, 1]] * RANK_COUNT
    assert scaled(table) == table


def test_common_factors_go_first() -> None:
    assert scaled([[1000, 4000, 6000, 4000, 1000]] * RANK_COUNT) == [[1, 4, 6, 4, 1]] * RANK_COUNT


def test_a_rank_with_one_possible_count_weighs_one() -> None:
    assert scaled([[0, 0, 77, 0, 0]]) == [[0, 0, 1, 0, 0]]


def test_what_small_ranks_do_not_need_goes_to_the_large_ones() -> None:
    table = [[1, 1, 0, 0, 0]] * 14 + [[10**12, 10**12 + 1, 0, 0, 0]]
    assert sum(scaled(table)[-1]).bit_length() == WEIGHT_BITS


# Numbers below a bound


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 8])
def test_every_number_below_a_bound_is_as_likely(bound: int) -> None:
    generator = Generator(bound)
    drawn = Counter(number_below(generator, bound) for _ in range(1000))
    assert sorted(drawn) == list(range(bound))
    assert bound == 1 or chisquare(list(drawn.values())).pvalue > 0.001


@pytest.mark.parametrize("bound", [(1 << 64) - 1, 1 << 64, (1 << 64) + 1, 3 << 100, 1 << 126])
def test_large_bounds_are_reached_and_kept(bound: int) -> None:
    generator = Generator(7)
    drawn = [number_below(generator, bound) for _ in range(400)]
    assert 0 <= min(drawn) < bound // 50
    assert bound - bound // 50 < max(drawn) < bound
