"""The player mctshs: legal, deterministic, within its limit, and honest about what it did."""

import pytest

from ddzbot.kernel.searching import LESS_SPLIT, MINI_SPLIT, SearchOptions
from ddzbot.mini_split import mini_candidates
from ddzbot.players.mctshs import SETTINGS, USUAL_PLAYOUTS, MctshsPlayer, thesis_playouts
from ddzbot.players.registry import make_player
from ddzbot.rules import MINI
from ddzbot.search.limit import Limit
from tests.search.positions import endgame, opening


@pytest.mark.parametrize(("number", "playouts"), [(1, 50000), (16, 50000), (20, 60000), (40, 100000)])
def test_the_thesis_gives_3000_playouts_to_a_candidate_within_bounds(number: int, playouts: int) -> None:
    assert thesis_playouts(number) == playouts


@pytest.mark.usefixtures("with_kernel")
def test_the_thesis_setting_without_a_limit_has_the_budget_of_the_thesis() -> None:
    view = opening("budget")
    assert MctshsPlayer(3, setting="thesis").choose(view, Limit()).debug["playouts"] >= 50000


@pytest.mark.usefixtures("with_kernel")
def test_debug_tells_the_best_moves_with_visits_and_share_of_wins() -> None:
    decision = MctshsPlayer(3).choose(opening("debug"), Limit(playouts=1500))
    first, (visits, mean) = next(iter(decision.debug["moves"].items()))
    assert first == str(decision.move)
    assert decision.debug["nodes"] > 1
    assert 0 < visits <= decision.debug["playouts"]
    assert 0 <= mean <= 1


# Certain wins.


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("setting", sorted(SETTINGS))
def test_a_certain_win_is_played_but_not_proved_with_the_settings_of_others(setting: str) -> None:
    for seed in range(4):
        player = MctshsPlayer(seed, setting=setting)
        decision = player.choose(endgame(("3AA", "5K9J", "68Q5"), 0), Limit(playouts=50))
        assert (str(decision.move), decision.debug.get("search")) == ("AA", "certain win") or setting != "default"
        assert ("search" in decision.debug) == (setting == "default")


# The bot of the report.


def test_the_report_is_one_tree_over_one_guess_of_pruned_moves_and_random_games() -> None:
    report = SETTINGS["report"]
    options = report.options
    assert (report.belief, report.playouts(30)) == ("report", USUAL_PLAYOUTS)
    assert (options.worlds, options.expand_at, options.pruning) == (1, 1, MINI_SPLIT)
    assert (options.long_list, options.quick, options.finish, options.halving_visits) == (5, False, False, 0)


@pytest.mark.usefixtures("with_kernel")
def test_the_report_plays_the_most_visited_of_its_candidates() -> None:
    view = opening("candidates", "mini")
    decision = MctshsPlayer(3, setting="report").choose(view, Limit(playouts=3000))
    kept = mini_candidates(MINI, view.hand)
    assert 1 < len(kept) < len(view.legal_moves())
    visits = [numbers[0] for numbers in decision.debug["moves"].values()]
    assert visits == sorted(visits, reverse=True)
    assert str(decision.move) == next(iter(decision.debug["moves"]))
    assert {*decision.debug["moves"]} <= {*map(str, kept)}


@pytest.mark.usefixtures("with_kernel")
def test_other_candidates_can_be_asked_for() -> None:
    view = opening("candidates", "mini")
    kept = {*map(str, mini_candidates(MINI, view.hand))}
    few = MctshsPlayer(3, candidates="mini").choose(view, Limit(playouts=3000)).debug["moves"]
    all_moves = MctshsPlayer(3, setting="thesis", k=255).choose(view, Limit(playouts=3000)).debug["moves"]
    assert {*few} <= kept
    assert not {*all_moves} <= kept


# Several trees.


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("name", ["mctshs", "mcm"])
def test_several_trees_have_the_playouts_of_one(name: str) -> None:
    view, limit = opening("debug"), Limit(playouts=2000)
    alone, several = (make_player(name, 3, trees=trees).choose(view, limit).debug for trees in ("1", "8"))
    assert alone == make_player(name, 3).choose(view, limit).debug
    assert several["moves"] != alone["moves"]
    assert 1000 <= several["playouts"] <= 2000


@pytest.mark.parametrize("name", ["mctshs", "mcm"])
@pytest.mark.parametrize("trees", ["0", "65", "many"])
def test_a_number_of_trees_that_is_out_of_range_is_refused(name: str, trees: str) -> None:
    with pytest.raises(ValueError, match="trees"):
        make_player(name, 3, trees=trees)


# Options.


def test_options_change_one_thing_of_the_setting() -> None:
    default, report = SETTINGS["default"].options, SETTINGS["report"].options
    changes: list[tuple[dict[str, object], SearchOptions]] = [
        ({"worlds": "8", "k": "1", "c": "0.5"}, default._replace(worlds=8, root_margin=1, exploration=500)),
        ({"candidates": "mini"}, default._replace(pruning=MINI_SPLIT)),
        ({"setting": "report", "candidates": "less_split", "k": 0}, report._replace(pruning=LESS_SPLIT, root_margin=0)),
        ({"setting": "report", "long_list": "65536"}, report._replace(long_list=65536)),
    ]
    for given, wanted in changes:
        changed = make_player("mctshs", 3, **given)
        assert isinstance(changed, MctshsPlayer)
        assert changed.setting.options == wanted
