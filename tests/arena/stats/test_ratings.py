"""Elo of all contestants at once: against closed forms and known truth, and in the commands."""

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.some_files import in_this_process
from tools.arena.match import main as match
from tools.arena.report import main as report
from tools.arena.stats.ratings import ELO, ratings

Scores = list[dict[int, float]]


def elo_of(count: int, pairings: list[tuple[int, int]], scores: Scores) -> list[float]:
    found = {one.contestant: one.elo for one in ratings(count, pairings, scores)}
    return [found[one].value if found[one] else math.nan for one in range(count)]  # type: ignore[union-attr]


@pytest.mark.parametrize(("won", "sets"), [(7, 10), (0, 10), (10, 10), (500, 1000), (3, 4)])
def test_two_contestants_have_the_logistic_elo_of_their_sets_and_one_tie(won: int, sets: int) -> None:
    first, second = elo_of(2, [(0, 1)], [{number: float(number < won) for number in range(sets)}])
    share = (won + 0.5) / (sets + 1)
    assert first - second == pytest.approx(ELO * math.log(share / (1 - share)), abs=1e-3)
    assert first + second == pytest.approx(0, abs=1e-9)


@given(st.randoms(use_true_random=False))
def test_every_contestant_scores_as_many_sets_as_its_rating_expects(random: Random) -> None:
    count = random.randint(3, 6)
    pairings = list(combinations(range(count), 2))
    scores = [{number: random.choice((0.0, 0.5, 1.0)) for number in range(random.randint(1, 30))} for _ in pairings]
    elo = elo_of(count, pairings, scores)
    for one in range(count):
        seen = expected = 0.0
        for (a, b), played in zip(pairings, scores, strict=True):
            if one in (a, b):
                lead = (elo[a] - elo[b]) / ELO * (1 if one == a else -1)
                won = sum(played.values()) if one == a else len(played) - sum(played.values())
                seen += won + 0.5
                expected += (len(played) + 1) / (1 + math.exp(-lead))
        assert seen == pytest.approx(expected, abs=1e-3)


@given(st.permutations(range(4)), st.integers(0, 99))
def test_the_order_of_the_contestants_means_nothing(order: list[int], seed: int) -> None:
    random = Random(seed)
    pairings = list(combinations(range(4), 2))
    scores = [{number: random.choice((0.0, 0.5, 1.0)) for number in range(20)} for _ in pairings]
    before = {one.contestant: one for one in ratings(4, pairings, scores)}
    for one in ratings(4, [(order[a], order[b]) for a, b in pairings], scores):
        was = before[order.index(one.contestant)]
        assert one.elo is not None and was.elo is not None
        assert [*one.elo] == pytest.approx([*was.elo], abs=1e-2)
        assert (one.score, one.sets) == (was.score, was.sets)


def drawn(random: np.random.Generator, strengths: list[float], pairings: list[tuple[int, int]], deals: int) -> Scores:
    """Draws the scores of sets of two games each, of which many are tied."""
    found: Scores = []
    for a, b in pairings:
        chance = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        won = random.random((deals, 2)) < chance
        found.append({number: float(both.mean()) for number, both in enumerate(won)})
    return found


def test_the_sets_of_one_deal_are_taken_together() -> None:
    """A player with luck in a deal against both opponents is known less well by the same number of sets."""

    def width(second: Callable[[int], int]) -> float:
        scores = [{deal: float(deal % 2) for deal in range(400)}, {deal: float(second(deal)) for deal in range(400)}]
        first = next(one.elo for one in ratings(3, [(0, 1), (0, 2)], scores) if one.contestant == 0)
        assert first is not None and first.value == pytest.approx(0, abs=1e-6)
        return first.high - first.low

    apart = width(lambda deal: deal // 2 % 2)
    assert width(lambda deal: deal % 2) == pytest.approx(math.sqrt(2) * apart, rel=0.01)
    assert width(lambda deal: 1 - deal % 2) < 0.1 * apart


@pytest.mark.whole
def test_intervals_hold_the_truth_nineteen_times_out_of_twenty() -> None:
    random = np.random.default_rng(6)
    strengths = [0.0, 0.4, -0.9]
    truth = [ELO * (one - sum(strengths) / 3) for one in strengths]
    pairings = list(combinations(range(3), 2))
    held = 0
    for _ in range(400):
        for one in ratings(3, pairings, drawn(random, strengths, pairings, 60)):
            assert one.elo is not None
            held += one.elo.low <= truth[one.contestant] <= one.elo.high
    assert 0.93 <= held / 1200 <= 0.97


def test_a_player_that_loses_every_set_is_last_and_finite() -> None:
    scores = [dict.fromkeys(range(50), 1.0), dict.fromkeys(range(50), 1.0), dict.fromkeys(range(50), 0.5)]
    *_, last = ratings(3, [(0, 1), (0, 2), (1, 2)], scores)
    first = ratings(3, [(0, 1), (0, 2), (1, 2)], scores)[0]
    assert first.contestant == 0 and first.score == 1
    assert first.elo is not None and 300 < first.elo.value < 1000
    assert first.elo.high - first.elo.low > 300
    assert last.los is None and first.los is not None and first.los > 0.99


def test_a_gauntlet_compares_those_that_never_met() -> None:
    scores = [{number: float(number < won) for number in range(100)} for won in (80, 20)]
    best, middle, worst = ratings(3, [(0, 1), (0, 2)], scores)
    assert (best.contestant, middle.contestant, worst.contestant) == (2, 0, 1)
    assert middle.sets == 200 and middle.score == 0.5


def test_a_player_that_has_not_played_is_not_rated() -> None:
    found = {one.contestant: one for one in ratings(3, [(0, 1), (0, 2)], [{0: 1.0}, {}])}
    assert found[2].elo is None and found[2].sets == 0
    assert found[0].elo is not None and found[1].elo is not None


def ranks_of(won: dict[tuple[int, int], int], sets: int = 60) -> list[tuple[int, int]]:
    """Ranks three by how many sets the first of each pair won."""
    scores: Scores = []
    for at, wins in enumerate(won.values()):
        scores.append({number: float((number * 37 + 20 * at) % sets < wins) for number in range(sets)})
    return [(one.contestant, one.rank) for one in ratings(3, [*won], scores)]


def test_players_share_the_rank_of_the_best_one_from_which_they_are_not_clear() -> None:
    assert ranks_of({(0, 1): 30, (0, 2): 55, (1, 2): 55}) == [(0, 1), (1, 1), (2, 3)]
    assert ranks_of({(0, 1): 55, (0, 2): 55, (1, 2): 31}) == [(0, 1), (1, 2), (2, 2)]
    # Neither neighbour is clear, but the last one is from the first one.
    assert ranks_of({(0, 1): 33, (0, 2): 40, (1, 2): 33}) == [(0, 1), (1, 1), (2, 3)]
    assert ranks_of({(0, 1): 50, (0, 2): 58, (1, 2): 50}) == [(0, 1), (1, 2), (2, 3)]


def test_pairings_must_connect_all() -> None:
    with pytest.raises(ValueError, match="2 pairings do not connect 4 contestants"):
        ratings(4, [(0, 1), (2, 3)], [{}, {}])


@pytest.mark.parametrize(("more", "met"), [([], 3), (["--gauntlet"], 2)])
def test_a_tournament_is_ranked_by_match_and_report_alike(more: list[str], met: int, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    options = ["--rules", "mini", "--sets", "20", "--jobs", "1", "--quiet", "--results", str(file), *more]
    with in_this_process():
        done = CliRunner().invoke(match, ["random", "rule", "rhcp", *options])
    assert done.exit_code == 0, done.output
    whole = json.loads(CliRunner().invoke(report, [str(file), "--json"]).stdout)
    rated = whole["ratings"]
    assert len(whole["pairings"]) == met
    assert {one["name"] for one in rated} == {"random", "rule", "rhcp"} and rated[-1]["name"] == "random"
    elo = [one["elo"] for one in rated]
    assert elo == sorted(elo, reverse=True) and sum(elo) == pytest.approx(0, abs=1e-6)
    assert all(one["elo95"][0] < one["elo"] < one["elo95"][1] for one in rated)
    ranked = done.stdout[done.stdout.index("Elo by all sets") :]
    assert "WP % of row against column" in ranked and ranked.index("rule") < ranked.index("random")
    said = CliRunner().invoke(report, [str(file)])
    assert ranked in said.stdout


def test_a_match_of_two_has_no_ranking() -> None:
    done = CliRunner().invoke(match, ["random", "rule", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"])
    assert "Elo by all sets" not in done.output
