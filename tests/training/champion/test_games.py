"""Self-play: its games depend on nothing but the seed, and its samples say what happened in them."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import AVX2, FastNet, codes_of
from ddzbot.net.fast_features import GROUPS
from ddzbot.rules import PASS_KIND, RULE_SETS, RuleSet
from tests.net.fast_models import random_seats, wishing_seat
from tests.support import require_avx2
from tests.training.champion.some_samples import features_of
from tools.training.champion import games
from tools.training.champion.games import Exploration, Samples, Totals, play_unit, play_units, sum_of, unit_seed

pytestmark = pytest.mark.whole

PLACES = {group.meaning: group for group in GROUPS}
KIND = PLACES["kind of the move"].first
ALL = Exploration(kept=1.0, trace=1.0)
GREEDY = Exploration(random_moves=0.0, near=0.0, kept=1.0)
NEXT_ONLY = Exploration(kept=1.0, trace=0.0)
NAMES = sorted(RULE_SETS)


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def shown(samples: Samples, meaning: str) -> list[list[int]]:
    """The features of one group in each sample, counted from where the group begins."""
    first, size = PLACES[meaning][:2]
    lists = [features_of(samples, index) for index in range(len(samples.ends))]
    return [[number - first for number in numbers if 0 <= number - first < size] for numbers in lists]


def same(one: list[Samples], other: list[Samples]) -> bool:
    arrays = [[array for samples in side for array in samples] for side in (one, other)]
    return all(np.array_equal(first, second) for first, second in zip(*arrays, strict=True))


def one_game(net: FastNet, name: str, seed: int, how: Exploration = ALL) -> tuple[list[Samples], Totals]:
    return play_unit(net, RULE_SETS[name], how, 1, seed)


# Seeds.


def test_the_number_of_workers_changes_nothing(net: FastNet) -> None:
    seeds = [unit_seed(1, unit) for unit in range(5)]
    alone, together = (play_units(net, RULE_SETS["botzone"], Exploration(), 8, seeds, count) for count in (1, 3))
    assert same(alone[0], together[0])
    assert alone[1] == together[1]


def test_another_seed_is_other_games(net: FastNet) -> None:
    assert not same(one_game(net, "botzone", 1)[0], one_game(net, "botzone", 2)[0])


def test_every_processor_plays_the_same_games(kernel: Kernel) -> None:
    codes = codes_of(kernel.library)
    require_avx2(AVX2 in codes)
    nets = [FastNet(kernel, random_seats(), code) for code in codes]
    portable, *others = (play_unit(each, RULE_SETS["botzone"], Exploration(), 20, 7) for each in nets)
    assert all(same(portable[0], other[0]) for other in others)


def test_the_seeds_of_units_are_frozen_and_differ() -> None:
    assert unit_seed(1, 0) == 13588264565812467263
    assert len({unit_seed(root, unit) for root in (1, 2) for unit in range(50)}) == 100


def test_units_stand_behind_each_other_in_the_order_of_their_seeds(net: FastNet) -> None:
    rules = RULE_SETS["mini"]
    joined, totals = play_units(net, rules, ALL, 2, [5, 6], 1)
    parts = [play_unit(net, rules, ALL, 2, seed) for seed in (5, 6)]
    for seat in range(SEATS):
        lists = [features_of(part[seat], index) for part, _ in parts for index in range(len(part[seat].ends))]
        assert [features_of(joined[seat], index) for index in range(len(joined[seat].ends))] == lists
    assert totals == [part for _, part in parts]
    assert sum_of(totals).decisions == sum(part.decisions for _, part in parts)


# What samples say.


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", NAMES)
def test_all_samples_of_a_side_agree_on_how_the_game_ended(net: FastNet, name: str, seed: int) -> None:
    samples, totals = one_game(net, name, seed)
    for seat, one in enumerate(samples):
        won = totals.landlord_wins == (seat == 0)
        assert set(one.results[:, 0]) <= {float(won)}
        assert len(set(one.results[:, 1])) <= 1


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["botzone2", "icga"])
def test_the_score_is_the_stake_doubled_by_bombs_and_spring(net: FastNet, name: str, seed: int) -> None:
    samples, totals = one_game(net, name, seed)
    (stake,) = {numbers[0] + 1 for one in samples for numbers in shown(one, "the stake, 1 to 3")}
    unit = stake << totals.bombs
    sign = 1 if totals.landlord_wins else -1
    assert {*samples[0].results[:, 1]} <= {sign * 2 * unit, sign * 4 * unit}
    peasants = {*samples[1].results[:, 1], *samples[2].results[:, 1]}
    assert peasants == {-sign * unit} or peasants == {-sign * 2 * unit}


@pytest.mark.parametrize("seed", range(6))
def test_small_scores_are_hundredths_of_a_point(net: FastNet, seed: int) -> None:
    samples, totals = one_game(net, "botzone", seed)
    base = (2, 0) if totals.landlord_wins else (0, 2)
    landlord, peasant = samples[0].results[0, 1], samples[1].results[0, 1]
    for score, points in ((landlord, base[0]), (peasant, base[1])):
        assert 0 < score - points < 2
        assert round(200 * float(score), 3).is_integer()


def test_stakes_are_drawn_where_there_is_an_auction_and_are_1_elsewhere(net: FastNet) -> None:
    for name, stakes in (("botzone2", {0, 1, 2}), ("botzone", {0})):
        samples, _ = play_unit(net, RULE_SETS[name], ALL, 12, 3)
        assert {number for numbers in shown(samples[0], "the stake, 1 to 3") for number in numbers} == stakes


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_shows_the_situation_after_its_move(net: FastNet, name: str) -> None:
    samples, _ = one_game(net, name, 3)
    for one in samples:
        held, left = shown(one, "own hand after the move"), shown(one, "own cards after the move")
        assert [len(cards) for cards in held] == [numbers[0] for numbers in left]
        others = zip(shown(one, "next's cards"), shown(one, "previous' cards"), strict=True)
        assert [first[0] + second[0] for first, second in others] == list(map(len, shown(one, "unseen cards")))
        assert all(len(kinds) == 1 for kinds in shown(one, "kind of the move"))


def test_cards_never_come_back(net: FastNet) -> None:
    for one in one_game(net, "botzone", 4)[0]:
        left = [numbers[0] for numbers in shown(one, "own cards after the move")]
        assert left == sorted(left, reverse=True)


# What samples learn.


def results(net: FastNet, trace: float) -> list[list[list[float]]]:
    """What the samples of one game learn, by seat."""
    return [one.results.tolist() for one in one_game(net, "botzone", 5, replace(GREEDY, trace=trace))[0]]


def test_without_a_trace_a_sample_learns_what_the_network_expected_next(kernel: Kernel) -> None:
    # The network gives a pass a logit of 2 and everything else 0; points it never expects.
    samples, _ = one_game(FastNet(kernel, [wishing_seat({KIND + PASS_KIND: 2.0})] * 3), "botzone", 5, NEXT_ONLY)
    for one in samples[1:]:
        kinds = [numbers[0] for numbers in shown(one, "kind of the move")]
        expected = [1 / (1 + exp(-2.0)) if kind == PASS_KIND else 0.5 for kind in kinds[1:]]
        assert one.results[:-1, 0] == pytest.approx(expected, abs=1e-3)
        assert not one.results[:-1, 1].any()
        assert one.results[-1, 0] in (0.0, 1.0)


def test_the_last_sample_of_a_seat_learns_how_the_game_ended(net: FastNet) -> None:
    for short, whole in zip(results(net, 0.0), results(net, 1.0), strict=True):
        assert short[-1] == whole[-1]


@pytest.mark.parametrize("trace", [0.25, 0.8])
def test_a_trace_mixes_the_next_expectation_with_what_the_next_sample_learns(net: FastNet, trace: float) -> None:
    for mixed, expected in zip(results(net, trace), results(net, 0.0), strict=True):
        assert len(mixed) > 3
        learned, later, soon = np.array(mixed)[:-1], np.array(mixed)[1:], np.array(expected)[:-1]
        assert learned == pytest.approx(trace * later + (1 - trace) * soon, abs=1e-6)


def test_with_a_trace_moves_that_stray_are_valued_too(net: FastNet) -> None:
    _, totals = one_game(net, "botzone", 5, Exploration(random_moves=1.0, trace=0.5))
    assert totals.values > totals.decisions


# How is played.


def test_random_games_value_no_move(net: FastNet) -> None:
    samples, totals = play_unit(net, RULE_SETS["botzone"], Exploration(random_moves=1.0, kept=1.0, trace=1.0), 5, 7)
    assert totals.values == 0
    assert sum(len(one.ends) for one in samples) == totals.decisions > 5


def test_nothing_is_kept_where_nothing_shall_be(net: FastNet) -> None:
    samples, totals = one_game(net, "botzone", 7, Exploration(kept=0.0))
    assert [len(one.ends) for one in samples] == [0, 0, 0]
    assert totals.decisions > 0


def test_about_the_share_that_is_asked_for_is_kept(net: FastNet) -> None:
    samples, totals = play_unit(net, RULE_SETS["botzone"], Exploration(kept=0.5), 40, 7)
    assert sum(len(one.ends) for one in samples) / totals.decisions == pytest.approx(0.5, abs=0.05)


def test_the_best_move_is_made_where_nothing_is_left_to_chance(kernel: Kernel) -> None:
    # All like to pass, so that the landlord leads to the end.
    samples, totals = play_unit(FastNet(kernel, [wishing_seat({KIND + PASS_KIND: 5.0})] * 3), *self_play(GREEDY))
    assert totals.landlord_wins == totals.games == 10
    for one in samples[1:]:
        assert {kinds[0] for kinds in shown(one, "kind of the move")} == {PASS_KIND}


def self_play(how: Exploration) -> tuple[RuleSet, Exploration, int, int]:
    return RULE_SETS["botzone"], how, 10, 7


def test_a_move_that_is_much_worse_is_never_made(kernel: Kernel) -> None:
    # Passing costs 1, and near is less: no player passes that can play a move.
    averse = FastNet(kernel, [wishing_seat({KIND + PASS_KIND: -1.0})] * 3)
    for near, passes in ((0.9, False), (1.1, True)):
        samples, _ = play_unit(averse, *self_play(Exploration(random_moves=0.0, near=near, kept=1.0)))
        made = {kinds[0] for one in samples for kinds in shown(one, "kind of the move")}
        assert (PASS_KIND in made) is passes


def test_for_points_the_second_head_decides(kernel: Kernel) -> None:
    # By the first head no player passes. The second is always 0, and of equal moves the first is made, the pass.
    averse = FastNet(kernel, [wishing_seat({KIND + PASS_KIND: -5.0})] * 3)
    by_win, by_score = (
        play_unit(averse, *self_play(Exploration(random_moves=0.0, near=0.0, kept=1.0, by_score=points)))[1]
        for points in (False, True)
    )
    assert by_win.landlord_wins < by_score.landlord_wins == 10


# Totals.


def test_totals_add_up(net: FastNet) -> None:
    samples, totals = play_unit(net, RULE_SETS["botzone"], ALL, 30, 7)
    assert totals.games == 30
    assert 0 < totals.landlord_wins < 30
    assert sum(len(one.ends) for one in samples) == totals.decisions < totals.plies < 30 * 3 * 54
    assert totals.values > 2 * 0.9 * totals.decisions
    assert totals.lost == 0


def test_totals_of_units_are_added() -> None:
    totals = Totals(1, 1, 20, 15, 200, 1, 0)
    totals.add(Totals(2, 0, 50, 40, 300, 0, 5))
    assert totals == Totals(3, 1, 70, 55, 500, 1, 5)


@pytest.mark.parametrize(("samples_a_game", "features_a_sample"), [(2, 120), (40, 2)])
def test_samples_without_room_are_counted_as_lost(
    net: FastNet, monkeypatch: pytest.MonkeyPatch, samples_a_game: int, features_a_sample: int
) -> None:
    whole, _ = play_unit(net, RULE_SETS["botzone"], ALL, 4, 7)
    monkeypatch.setattr(games, "_SAMPLES_A_GAME", samples_a_game)
    monkeypatch.setattr(games, "_FEATURES_A_SAMPLE", features_a_sample)
    samples, totals = play_unit(net, RULE_SETS["botzone"], ALL, 4, 7)
    assert totals.lost > 0
    assert sum(len(one.ends) for one in samples) + totals.lost == totals.decisions
    for kept, one in zip(samples, whole, strict=True):
        if samples_a_game == 2:
            assert len(kept.ends) == 8
            assert np.array_equal(kept.features, one.features[: one.ends[7]])
