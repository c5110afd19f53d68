"""Counts, sums and intervals of duplicate sets, against arithmetic written out in the tests."""

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from tools.arena.stats.estimates import (
    Estimate,
    RatioSums,
    effective_answers,
    elo_of_share,
    mean_estimate,
    percentile,
    quotient,
    share_estimate,
)
from tools.arena.stats.row import GameRow, Row, outcome_of, statistics_of
from tools.arena.stats.sets import SetStats, score_sums

SCORES = st.one_of(st.sampled_from([2.235, 0.16, 0.1, -1.0, 2.0]), st.floats(-1000, 1000))
TRIPLES = st.tuples(SCORES, SCORES, SCORES)
HISTOGRAMS = st.tuples(*[st.integers(0, 60)] * 3)


def game(contestants: str, landlord_won: bool, *scores: float) -> GameRow:
    landlord, down, up = scores
    return GameRow(contestants, 0, landlord_won, (landlord, down, up))


def stats_of(games: Iterable[GameRow]) -> SetStats:
    return statistics_of(Row(0, tuple(games)))


def duplicate(a_as_landlord: bool, a_as_peasants: bool, unit: float = 1.0) -> list[GameRow]:
    """A set at 2 : -1 : -1, given by the games that A won."""
    first, second = (unit if a_as_landlord else -unit), (-unit if a_as_peasants else unit)
    return [
        game("ABB", a_as_landlord, 2 * first, -first, -first),
        game("BAA", not a_as_peasants, 2 * second, -second, -second),
    ]


@st.composite
def rows(draw: st.DrawFn, contestants: tuple[str, ...] = ("ABB", "BAA")) -> SetStats:
    return stats_of([GameRow(seated, 0, draw(st.booleans()), draw(TRIPLES)) for seated in contestants])


BIDDING = (
    game("ABB", True, 2, -1, -1),
    game("BAB", True, 4, -2, -2),
    game("BBA", False, -2, 1, 1),
    game("BAA", False, -2, 1, 1),
    game("ABA", False, -2, 1, 1),
    game("AAB", True, 8, -4, -4),
)
ALL_BIDDING = tuple(one.seating for one in BIDDING)


# Rows


@pytest.mark.parametrize(
    ("a_as_landlord", "a_as_peasants", "histogram"),
    [(True, True, (0, 0, 1)), (True, False, (0, 1, 0)), (False, True, (0, 1, 0)), (False, False, (1, 0, 0))],
)
def test_set_score_is_half_the_games_won(
    a_as_landlord: bool, a_as_peasants: bool, histogram: tuple[int, int, int]
) -> None:
    assert stats_of(duplicate(a_as_landlord, a_as_peasants)).histogram == histogram


def test_adp_of_a_set_is_the_mean_difference_of_its_two_games() -> None:
    # A landlord: 4 - (-2) = 6. B landlord: A's peasants have -1, B has 2: -3. Mean (6 - 3) / 2.
    stats = stats_of([game("ABB", True, 4, -2, -2), game("BAA", True, 2, -1, -1)])
    assert stats.points == RatioSums.one(1, Fraction(3, 2))
    assert stats.a.landlord.points.ratio == 6
    assert stats.a.peasants.points.ratio == -3


def test_peasants_of_unequal_score_count_as_their_mean() -> None:
    # The mean of 1 and 2 is 1.5, minus the landlord's -2: 3.5.
    stats = stats_of([game("ABB", False, -2, 1, 2), game("BAA", False, -2, 1, 2)])
    assert stats.a.landlord.points.ratio == Fraction(-7, 2)
    assert stats.a.peasants.points.ratio == Fraction(7, 2)
    assert stats.points.ratio == 0


def test_winner_is_what_the_game_says_and_not_who_has_more_points() -> None:
    assert stats_of([game("ABB", True, -1, 9, 9), game("BAA", False, 9, 0, 0)]).histogram == (0, 0, 1)


def test_bidding_set_compares_the_mean_of_nine_seats() -> None:
    # A holds 2 -2 +1 +1 +1 -2 +1 +8 -4 = 6 points on nine seats, B the opposite: 6/9 - (-6/9) = 4/3.
    stats = stats_of(BIDDING)
    assert stats.points.ratio == Fraction(4, 3)
    assert stats.histogram == (0, 0, 1)
    assert stats.set_games == 6


def test_bidding_set_counts_every_contestant_by_side() -> None:
    stats = stats_of(BIDDING)
    # A landlord: 2 - -1, -2 - 1, 8 - -4. A peasant: -2 - 4, 1 - -2 thrice, -4 - 8.
    assert stats.a.landlord.wins == RatioSums.one(3, 2)
    assert stats.a.landlord.points == RatioSums.one(3, 3 - 3 + 12)
    assert stats.a.peasants.wins == RatioSums.one(5, 3)
    assert stats.a.peasants.points == RatioSums.one(5, -6 + 3 + 3 + 3 - 12)
    assert stats.a.landlord_games == RatioSums.one(6, 3)
    # B landlord: 4 - -2, -2 - 1, -2 - 1. B peasant: -1 - 2, -2 - 4, 1 - -2 twice, -4 - 8.
    assert stats.b.landlord.wins == RatioSums.one(3, 1)
    assert stats.b.landlord.points == RatioSums.one(3, 6 - 3 - 3)
    assert stats.b.peasants.wins == RatioSums.one(5, 2)
    assert stats.b.peasants.points == RatioSums.one(5, -3 - 6 + 3 + 3 - 12)


@pytest.mark.parametrize("first", [-2, 0, 2])
def test_bidding_set_is_won_on_points(first: int) -> None:
    # A has 2 + first on its nine seats, so fewer, as many or more points than B for first = -4, -2, 0.
    scores = [(0.0, 0.0, 0.0)] * 6
    scores[0] = (float(first), -first / 2, -first / 2)
    games = [GameRow(seated, 0, True, score) for seated, score in zip(ALL_BIDDING, scores, strict=True)]
    lost, tied, won = stats_of(games).histogram
    assert (lost, tied, won) == (int(first < 0), int(first == 0), int(first > 0))


@given(st.permutations(BIDDING))
def test_games_of_a_set_come_in_any_order(games: list[GameRow]) -> None:
    assert stats_of(games) == stats_of(BIDDING)


@pytest.mark.parametrize(
    ("games", "sentence"),
    [
        ([], "no game do not make a set"),
        ([BIDDING[0]], "ABB do not make a set"),
        ([BIDDING[0], BIDDING[0]], "ABB ABB do not make a set"),
        ([BIDDING[0], BIDDING[1]], "ABB BAB do not make a set"),
        ([BIDDING[0]] * 6, "ABB ABB ABB ABB ABB ABB do not make a set"),
        ([game("AAA", True, 2, -1, -1)], "contestants 'AAA' must be one of ABB BAB BBA BAA ABA AAB"),
        ([game("ABB", True, math.nan, -1, -1)], "score nan in ABB must be a number up to 1e9"),
        ([game("ABB", True, math.inf, -1, -1)], "score inf in ABB must be a number up to 1e9"),
        ([GameRow("ABB", 0, True, (2, -1))], r"scores \(2, -1\) of ABB must be three, one for each seat"),  # type: ignore[arg-type]
    ],
)
def test_games_that_make_no_set_get_a_sentence(games: list[GameRow], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        stats_of(games)


# Merging and swapping


@given(st.lists(rows(), max_size=6), st.randoms(use_true_random=False), st.integers(0, 6))
def test_order_and_grouping_of_sets_never_matter(played: list[SetStats], random: Random, cut: int) -> None:
    shuffled = list(played)
    random.shuffle(shuffled)
    whole, parts = SetStats.of(played), SetStats.of(shuffled[:cut]) + SetStats.of(shuffled[cut:])
    assert whole == parts
    assert (whole.wp(), whole.adp(), whole.elo(), whole.los()) == (parts.wp(), parts.adp(), parts.elo(), parts.los())


def test_numbers_are_integers_where_they_can_be_and_fractions_elsewhere() -> None:
    whole = [quotient(6, 2), quotient(Fraction(9, 2) * 2, 3)]
    assert whole == [3, 3] and {*map(type, whole)} == {int}
    assert [quotient(-1, 2), quotient(Fraction(1, 2), 2)] == [Fraction(-1, 2), Fraction(1, 4)]


@pytest.mark.parametrize("games", [duplicate(True, False), duplicate(False, False, 0.1), BIDDING])
def test_the_outcome_of_a_set_is_that_of_its_statistics(games: Iterable[GameRow]) -> None:
    row = Row(0, tuple(games))
    stats, outcome = statistics_of(row), outcome_of(row)
    assert stats.histogram[outcome.won] == stats.sets == 1
    assert outcome.points == stats.points.ratio


def test_sums_of_tenths_are_exact() -> None:
    # In floating point 0.1 ten times is 0.9999999999999999, and 1e9 + 0.1 - 1e9 is 0.10000002384185791.
    tenths = [stats_of(duplicate(True, True, 0.1)) for _ in range(10)]
    large = [stats_of(duplicate(True, True, 1e8)), stats_of(duplicate(False, False, 1e8))]
    assert SetStats.of(large + tenths).points.amount == 10 * tenths[0].points.amount


@given(st.lists(rows(), max_size=5), st.lists(rows(), max_size=5))
def test_swapping_a_sum_is_the_sum_of_the_swapped_and_twice_changes_nothing(
    one: list[SetStats], other: list[SetStats]
) -> None:
    whole = SetStats.of(one) + SetStats.of(other)
    assert ~whole == SetStats.of(one).swapped() + SetStats.of(other).swapped()
    assert ~~whole == whole


@given(st.sampled_from([("ABB", "BAA"), ALL_BIDDING]).flatmap(rows))
def test_swapping_is_renaming_the_contestants(row: SetStats) -> None:
    assert (~row).points.ratio == -row.points.ratio
    assert (~row).a == row.b


def test_renamed_games_give_the_swapped_set() -> None:
    names = str.maketrans("AB", "BA")
    renamed = [msgspec.structs.replace(one, seating=one.seating.translate(names)) for one in BIDDING]
    assert stats_of(renamed) == ~stats_of(BIDDING)


@given(st.lists(rows(), min_size=1, max_size=8))
def test_b_has_what_a_lacks(played: list[SetStats]) -> None:
    stats = SetStats.of(played)
    mirrored = (~stats).wp()
    assert mirrored.value == pytest.approx(1 - stats.wp().value)
    assert mirrored.low == pytest.approx(1 - stats.wp().high)
    assert (~stats).elo().value == pytest.approx(-stats.elo().value)
    assert (~stats).los() == pytest.approx(1 - stats.los())


def test_sets_with_and_without_bidding_do_not_add() -> None:
    with pytest.raises(ValueError, match=r"^sets of 6 and of 2 games cannot be added$"):
        stats_of(BIDDING) + stats_of(duplicate(True, True))


# Shares


def test_wp_interval_of_ten_sets_by_hand() -> None:
    # 2 lost, 4 tied, 4 won: WP 0.6. With one more lost and won (3, 4, 5): mean 7/12, mean square (1 + 5)/12,
    # variance 72/144 - 49/144 = 23/144 where yes-or-no answers have 7/12 * 5/12 = 35/144.
    answers = 10 * 35 / 23
    centre = (0.6 + 1.959964**2 / (2 * answers)) / (1 + 1.959964**2 / answers)
    root = math.sqrt(0.6 * 0.4 / answers + 1.959964**2 / (4 * answers**2))
    half = 1.959964 / (1 + 1.959964**2 / answers) * root
    assert effective_answers(score_sums((2, 4, 4))) == pytest.approx(answers)
    assert share_estimate(score_sums((2, 4, 4))) == pytest.approx((0.6, centre - half, centre + half), rel=1e-6)
    assert (centre - half, centre + half) == pytest.approx((0.3590, 0.8007), abs=1e-4)


@given(st.integers(0, 300), st.integers(0, 300))
def test_yes_or_no_sets_have_the_textbook_wilson_interval(lost: int, won: int) -> None:
    if lost + won:
        wilson = scipy_stats.binomtest(won, lost + won).proportion_ci(0.95, method="wilson")
        estimate = share_estimate(score_sums((lost, 0, won)))
        assert estimate == pytest.approx((won / (lost + won), wilson.low, wilson.high), abs=1e-9)


def exact_coverage(sets: int, chances: tuple[float, float, float]) -> float:
    """Probability, summed over every histogram, that the interval of WP holds the truth."""
    truth = chances[1] / 2 + chances[2]
    held = [
        (lost, sets - lost - won, won)
        for lost, won in itertools.product(range(sets + 1), repeat=2)
        if lost + won <= sets
        and (estimate := share_estimate(score_sums((lost, sets - lost - won, won)))).low <= truth <= estimate.high
    ]
    return float(scipy_stats.multinomial.pmf(held, sets, chances).sum())


@pytest.mark.parametrize("sets", [10, 40])
@pytest.mark.parametrize("chances", [(0.2, 0.6, 0.2), (0.25, 0.5, 0.25), (0.05, 0.55, 0.4), (0.01, 0.1, 0.89)])
def test_wp_interval_covers_the_truth_by_exact_enumeration(sets: int, chances: tuple[float, float, float]) -> None:
    assert 0.945 <= exact_coverage(sets, chances) <= 0.985


def test_share_of_unequal_sets_by_hand() -> None:
    # Landlord in 2, 1, 1 games of three sets, won 1, 1, 0: share 1/2, worth 4 * 4 / 6 = 8/3 sets of 6/4 games.
    sums = RatioSums.one(2, 1) + RatioSums.one(1, 1) + RatioSums.one(1, 0)
    # Deviations 0, 1/2, -1/2, and 3/4 twice for the two imagined sets: spread 1/2 + 9/8 on 4 + 3 games.
    design_effect = (8 / 3 + 2) * (1 / 2 + 9 / 8) / 7**2 / (1 / 4)
    assert sums.sets == Fraction(8, 3)
    assert sums.spread == Fraction(1, 2)
    assert effective_answers(sums) == pytest.approx(8 / 3 / design_effect)


def test_sets_without_a_landlord_game_say_nothing_about_it() -> None:
    once = RatioSums.one(2, 2)
    assert share_estimate(once + RatioSums.one(0, 0) + RatioSums.one(0, 0)) == share_estimate(once)
    assert effective_answers(once) == pytest.approx(1)


def test_no_set_leaves_every_wp_open() -> None:
    nothing = SetStats()
    assert nothing.wp() == nothing.a.landlord.wp() == nothing.a.landlord_rate() == Estimate(0.5, 0.0, 1.0)
    assert nothing.elo() == Estimate(0.0, -math.inf, math.inf)
    assert nothing.los() == 0.5


def test_one_set_says_little() -> None:
    won = stats_of(duplicate(True, True)).wp()
    # Wilson for 1 of 1: low 1 / (1 + z^2) = 1 / 4.8415.
    assert won == pytest.approx((1.0, 1 / 4.8415, 1.0), abs=1e-4)
    assert won.high == 1.0


@pytest.mark.parametrize("sets", [1, 10, 1000])
def test_equal_results_leave_the_wp_interval_open(sets: int) -> None:
    # All tied: the imagined sets give a spread of 1/2 on sets + 2, so sets * (sets + 2) / 2 answers.
    tied = share_estimate(score_sums((0, sets, 0)))
    assert effective_answers(score_sums((0, sets, 0))) == pytest.approx(sets * (sets + 2) / 2)
    assert tied.low < 0.5 < tied.high
    assert tied.high - 0.5 == pytest.approx(1.386 / sets, rel=0.25 if sets > 1 else 1)
    assert share_estimate(score_sums((sets, 0, 0))).low == 0.0
    assert share_estimate(score_sums((0, 0, sets))).high == 1.0


@given(HISTOGRAMS)
def test_wp_interval_lies_in_zero_to_one_around_the_value(histogram: tuple[int, int, int]) -> None:
    estimate = share_estimate(score_sums(histogram))
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.low < estimate.high


@given(HISTOGRAMS)
def test_one_more_set_won_never_lowers_wp(histogram: tuple[int, int, int]) -> None:
    lost, tied, won = histogram
    if lost + tied + won:
        assert share_estimate(score_sums((lost, tied, won + 1))).value >= share_estimate(score_sums(histogram)).value


@pytest.mark.parametrize("histogram", [(1, 2), (1, -1, 2), (1, 2, 3, 4)])
def test_a_bad_histogram_gets_a_sentence(histogram: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"must be the counts of sets lost, tied and won"):
        score_sums(histogram)


# Points


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=20))
def test_adp_interval_agrees_with_scipy(points: list[float]) -> None:
    sums = sum((RatioSums.one(1, Fraction(value)) for value in points), RatioSums())
    error = float(scipy_stats.sem([value - points[0] for value in points]))
    if error > 1e-6:
        low, high = scipy_stats.t.interval(0.95, len(points) - 1, np.mean(points), error)
        assert mean_estimate(sums) == pytest.approx((np.mean(points), low, high), rel=1e-6, abs=1e-6)


def test_mean_of_unequal_sets_by_hand() -> None:
    # 2, 1, 1 games with 1, 1, 0 points: worth 8/3 sets, spread 1/2, variance 1/2 / 4^2 * (8/3) / (5/3) = 1/20.
    sums = RatioSums.one(2, 1) + RatioSums.one(1, 1) + RatioSums.one(1, 0)
    half = float(scipy_stats.t.ppf(0.975, 5 / 3)) * math.sqrt(1 / 20)
    assert mean_estimate(sums) == pytest.approx((0.5, 0.5 - half, 0.5 + half))


def test_fewer_than_two_sets_leave_points_open() -> None:
    assert mean_estimate(RatioSums()) == Estimate(0.0, -math.inf, math.inf)
    assert mean_estimate(RatioSums.one(1, 5)) == Estimate(5.0, -math.inf, math.inf)
    assert mean_estimate(RatioSums.one(1, 5) + RatioSums.one(0, 0)) == Estimate(5.0, -math.inf, math.inf)


def test_equal_points_have_a_narrow_interval_and_not_an_empty_one() -> None:
    # Two imagined sets one point off: variance 2 / (100 + 1) of a set, error sqrt(2 / 101 / 100) = 0.01407.
    estimate = mean_estimate(RatioSums(100, Fraction(300), 100, Fraction(900), Fraction(300)))
    assert estimate.value == 3.0
    assert estimate.high - 3.0 == pytest.approx(1.98422 * 0.01407, rel=1e-3)


@given(st.lists(rows(), max_size=4))
def test_nothing_is_ever_nan(played: list[SetStats]) -> None:
    stats = SetStats.of(played)
    estimates = [stats.wp(), stats.adp(), stats.elo()]
    for contestant in (stats.a, stats.b):
        estimates += [contestant.landlord_rate()]
        for side in (contestant.landlord, contestant.peasants):
            estimates += [side.wp(), side.adp()]
    assert all(low <= value <= high for value, low, high in estimates)
    assert 0 <= stats.los() <= 1


# Elo and superiority


def test_three_wins_in_four_are_191_elo() -> None:
    # 400 * log10(0.75 / 0.25) = 400 * 0.4771213
    assert elo_of_share(0.75) == pytest.approx(190.8485)
    assert elo_of_share(0.25) == pytest.approx(-190.8485)
    assert elo_of_share(0.5) == 0


def test_elo_has_no_bound_where_nothing_was_lost_or_won() -> None:
    assert (elo_of_share(0.0), elo_of_share(1.0)) == (-math.inf, math.inf)


@given(HISTOGRAMS)
def test_superiority_and_interval_agree(histogram: tuple[int, int, int]) -> None:
    stats = SetStats(2, histogram)
    assert (stats.los() > 0.975 + 1e-9) <= (stats.wp().low > 0.5)
    assert (stats.los() < 0.975 - 1e-9) <= (stats.wp().low < 0.5)


def test_superiority_by_hand() -> None:
    # (2, 4, 4) has 350 / 23 answers (see above): 2 * 0.1 * sqrt(15.217) = 0.78019, normal distribution 0.78236.
    assert SetStats(2, (2, 4, 4)).los() == pytest.approx(0.78236, abs=1e-5)


@given(st.lists(st.floats(0, 1e4), min_size=1), st.sampled_from([0, 5, 50, 95, 100]))
def test_percentiles_are_those_of_numpy(times: list[float], percent: int) -> None:
    assert percentile(times, percent) == pytest.approx(np.percentile(times, percent), abs=1e-9)
