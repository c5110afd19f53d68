"""Every record has the simulations that the plan promises, and follows from its deal alone."""

from dataclasses import replace
from itertools import pairwise

import pytest

from ddzbot.game import shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import candidates
from ddzbot.players.mctshs import SETTINGS
from ddzbot.rules import rule_set
from ddzbot.view import View
from tests.training.mcm.some_records import PLAN, decisions
from tools.training.making import Stopped
from tools.training.mcm.plan import THESIS, SearchSelfPlay
from tools.training.mcm.selfplay import Searched, searched_game

pytestmark = pytest.mark.whole


def test_every_candidate_has_its_share_of_visits(kernel: Kernel) -> None:
    for one in decisions(kernel):
        assert all(arm.visits >= PLAN.visits for arm in one.arms)
        assert one.playouts == sum(arm.visits for arm in one.arms) == PLAN.budget(len(one.arms)) >= PLAN.playouts


def test_all_candidates_of_the_search_are_records(kernel: Kernel) -> None:
    for one in decisions(kernel):
        view = one.view
        expected = candidates(kernel, view.rules, view.hand, view.to_beat, PLAN.options(1).root_margin)
        assert {arm.move for arm in one.arms} == {*expected}
        assert len(one.arms) > 1


def test_a_player_that_can_go_out_does_not_search(kernel: Kernel) -> None:
    for one in decisions(kernel):
        assert one.view.hand not in {move.cards for move in one.view.legal_moves()}


def test_the_choice_has_the_most_visits(kernel: Kernel) -> None:
    for one in decisions(kernel):
        assert one.arms[one.choice].visits == max(arm.visits for arm in one.arms)


def test_a_game_follows_from_its_deal(kernel: Kernel) -> None:
    assert list(searched_game(kernel, PLAN, 2)) == list(searched_game(kernel, PLAN, 2))
    assert list(searched_game(kernel, PLAN, 2)) != list(searched_game(kernel, replace(PLAN, seed=2), 2))


def test_deals_are_those_of_the_namespace_for_training(kernel: Kernel) -> None:
    first = next(searched_game(kernel, PLAN, 3)).view
    assert PLAN.deal_seed(3) == "train/1/000003"
    assert first == View.of(start(shuffled(rule_set("mini"), "train/1/000003")), 0)


def departures(found: list[Searched]) -> int:
    """Counts the decisions after which something else was played than the search chose."""
    count = 0
    for one, following in pairwise(found):
        if one.game == following.game:
            count += following.view.plays[len(one.view.plays)] != one.arms[one.choice].move
    return count


def test_worse_moves_are_played_only_when_exploring(kernel: Kernel) -> None:
    assert departures(decisions(kernel, replace(PLAN, explore=0.0))) == 0
    assert departures(decisions(kernel, replace(PLAN, explore=1.0))) > 0


@pytest.mark.parametrize(("candidates", "budget", "each"), [(2, 2000, 500), (6, 2000, 166), (30, 6000, 100)])
def test_half_of_the_budget_goes_to_all_candidates_alike(candidates: int, budget: int, each: int) -> None:
    plan = SearchSelfPlay(playouts=2000, visits=100)
    assert plan.budget(candidates) == budget
    assert plan.options(candidates).halving_visits == each


def test_the_thesis_teacher_searches_as_the_player_of_that_setting_does(kernel: Kernel) -> None:
    plan = SearchSelfPlay("mini", setting=THESIS, explore=0.0)
    assert [plan.budget(candidates) for candidates in (2, 20, 40)] == [50_000, 60_000, 100_000]
    assert plan.options(5) == SETTINGS[THESIS].options
    assert plan.about()["setting"] == THESIS and plan.about()["options"]["finish"]
    found = list(searched_game(kernel, plan, 0))
    assert found
    for one in found:
        assert one.playouts == plan.budget(len(one.arms))
        assert min(arm.visits for arm in one.arms) >= (700 if len(one.arms) > 4 else 1)
        assert one.arms[one.choice].mean == max(arm.mean for arm in one.arms)


def test_a_wish_to_stop_ends_a_game(kernel: Kernel) -> None:
    with pytest.raises(Stopped):
        list(searched_game(kernel, PLAN, 0, lambda: True))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"explore": 1.5}, r"explore 1\.5 must be a share"),
        ({"playouts": 0}, "playouts 0 must be at least 1"),
        ({"rules": "whist"}, "whist"),
        ({"setting": "report"}, "setting 'report' must be default or thesis"),
        ({"seed": -1}, "seed -1 must be at least 0"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        replace(PLAN, **changes).check()  # type: ignore[arg-type]
