"""The search with the fast network: what it chooses, how its playouts are counted, and its limits."""

import random
from math import comb, exp, prod
from operator import mul
from statistics import fmean

import pytest

from ddzbot.belief.certain import what_is_certain
from ddzbot.belief.worlds import Worlds
from ddzbot.cards import count, parse_hand, size
from ddzbot.game import Deal, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import AVX2, FastNet, codes_of
from ddzbot.kernel.fast_records import chance
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.rollout import NativeRollout, RolloutArm, RolloutOptions
from ddzbot.net.fast_features import GROUPS
from ddzbot.rules import PASS_KIND, RULE_SETS, UNKNOWN, Move
from ddzbot.search.certain import worlds_of
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.rollout import RolloutSearch
from ddzbot.view import View
from tests.net.fast_models import random_seats, wishing_seat
from tests.net.positions import random_views
from tests.search.likelihood import log_likelihood
from tests.search.positions import endgame, move_of
from tests.search.test_tree import SlowClock
from tests.support import require_avx2

NAMES = sorted(RULE_SETS)
ALL = RolloutOptions(max_moves=8, margin=100_000, prior=0, prune_z=0)
USUAL = RolloutOptions(max_moves=8, margin=100_000, prior=16, prune_z=250)
WEIGHED = USUAL._replace(oversample=4)
KIND = next(group.first for group in GROUPS if group.meaning == "kind of the move")


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def native(net: FastNet, view: View, options: RolloutOptions, playouts: int = 0, seed: int = 7) -> NativeRollout:
    search = NativeRollout(net, view, options, seed, Worlds(view, "uniform").in_kernel(net.kernel))
    search.run(playouts)
    return search


def searching(net: FastNet, view: View, options: RolloutOptions = USUAL, seed: int = 7) -> RolloutSearch:
    return RolloutSearch(net, view, options, seed, Worlds(view, "uniform").in_kernel(net.kernel))


def opening() -> View:
    return random_views(1)[0]


# What it chooses.


@pytest.mark.parametrize("name", NAMES)
def test_the_moves_that_compete_are_the_networks_best(net: FastNet, name: str) -> None:
    for view in random_views(40, name)[::4]:
        best = sorted(net.values(view), key=lambda worth: worth.win, reverse=True)[:8]
        arms = native(net, view, ALL).arms()
        out = [worth for worth in net.values(view) if worth.move.cards == view.hand]
        assert [(arm.move, arm.win, arm.score) for arm in arms] == [tuple(worth) for worth in out or best]


def test_moves_that_are_too_far_behind_do_not_compete(net: FastNet) -> None:
    view = opening()
    for near in (0, 50, 300):
        wins = [arm.win for arm in native(net, view, ALL._replace(margin=near)).arms()]
        within = sum(worth.win >= wins[0] - near / 1000 for worth in net.values(view))
        assert len(wins) == min(8, within)


@pytest.mark.parametrize("options", [ALL, USUAL, WEIGHED])
def test_a_move_that_goes_out_is_chosen_at_once(kernel: Kernel, options: RolloutOptions) -> None:
    # The network would rather play anything else.
    net = FastNet(kernel, [wishing_seat({KIND + move_of("3334").kind: -5.0})] * 3)
    result = searching(net, endgame(("3334", "55667788", "9TJQK"), 0), options).run(Deadline(Limit(playouts=500)))
    assert (str(result.move), result.playouts, len(result.moves)) == ("3334", 0, 1)
    assert result.moves[0].prior == pytest.approx(chance(-5.0))


def test_a_loss_is_avoided_where_one_move_decides(net: FastNet) -> None:
    # Both others hold one card that beats every solo; a pair cannot be answered, and then the 5 goes out.
    view = endgame(("577", "K", "A"), 0)
    result = searching(net, view, ALL).run(Deadline(Limit(playouts=200)))
    assert result.move == move_of("77")
    assert {str(arm.move): arm.mean for arm in result.moves} == {"77": 1.0, "7": 0.0, "5": 0.0}


def test_a_peasant_wins_when_its_partner_goes_out(net: FastNet) -> None:
    view = endgame(("55667", "34TJ", "2"), 1)
    arms = {str(arm.move): arm for arm in searching(net, view, ALL).run(Deadline(Limit(playouts=300))).moves}
    assert arms["3"].mean > 0.9


def test_the_networks_opinion_counts_as_playouts(kernel: Kernel) -> None:
    # All moves lose alike; the network likes the pair, and with no prior the first of equal ones is taken.
    net = FastNet(kernel, [wishing_seat({KIND + move_of("3").kind: 1.0})] * 3)
    view = endgame(("577", "K", "A"), 0)
    for prior, best in ((0, "77"), (100_000, "5")):
        assert str(searching(net, view, ALL._replace(prior=prior)).run(Deadline(Limit(playouts=60))).move) == best


@pytest.mark.parametrize("blend", [0, 300, 3000])
def test_for_each_playout_the_networks_opinion_counts_as_so_many_more(net: FastNet, blend: int) -> None:
    for view in random_views(20)[::5]:
        search = native(net, view, ALL._replace(prior=16, blend=blend), 600)
        arms = search.arms()
        sums = [arm.wins + (16 + arm.visits * blend / 1000) * chance(arm.win) for arm in arms]
        worlds = arms[0].visits + 16 + arms[0].visits * blend / 1000
        assert sums[search.best] == pytest.approx(max(sums), rel=1e-5)
        behind = [(max(sums) - one) / worlds for one in sums]
        assert [arm.behind for arm in arms] == pytest.approx(behind, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [USUAL, WEIGHED], ids=["alike", "weighed"])
def test_it_chooses_legal_moves_under_every_rule_set(net: FastNet, name: str, options: RolloutOptions) -> None:
    for view in random_views(30, name)[::6]:
        assert searching(net, view, options).run(Deadline(Limit(playouts=40))).move in view.legal_moves()


def test_cards_that_are_no_move_are_answered(net: FastNet) -> None:
    view = random_views(2)[1]
    view = view._replace(
        hand=parse_hand("3333444455556688L"), bottom=0, plays=(Move(parse_hand("79TJ"), UNKNOWN, -1, 0),)
    )
    for options in (USUAL, WEIGHED):
        result = searching(net, view, options).run(Deadline(Limit(playouts=40)))
        assert [str(arm.move) for arm in result.moves if arm.move not in view.legal_moves()] == []
        assert len(result.moves) == 4


# How playouts are counted.


def test_every_world_is_played_once_after_every_move(net: FastNet) -> None:
    search = native(net, opening(), ALL, 100)
    arms = search.arms()
    assert [arm.visits for arm in arms] == [13] * 8
    assert search.playouts == 13 * 8
    assert all(0 <= arm.wins <= arm.visits for arm in arms)


# Points.


def late_view(name: str, seed: int) -> View:
    """Plays at random until the others hold at most six cards, and gets what the next seat sees, with a choice."""
    rules, chance = RULE_SETS[name], random.Random(seed)
    while True:
        game = start(shuffled(rules, f"rollout/{chance.random()}"), (3,) if rules.bidding else ())
        while not game.finished:
            view = View.of(game, game.seat)
            if size(view.unseen) <= 6 and len(view.legal_moves()) > 1 and size(view.hand) > 2:
                return view
            game = game.play(chance.choice(game.legal_moves()))


def payoff(net: FastNet, view: View, world: tuple[int, int], move: Move) -> tuple[float, int]:
    """Plays a move and then the network's moves for points, by the readable rules: what it pays, and if it wins."""
    held = {view.seat: view.hand, (view.seat + 1) % 3: world[0], (view.seat + 2) % 3: world[1]}
    first, second, third = (held[seat] + view.played(seat) for seat in range(3))
    deal = Deal(view.rules, (first - view.bottom, second, third), view.bottom)
    game = start(deal, (3,) if view.rules.bidding else ())
    for played in (*view.plays, move):
        game = game.play(played)
    while not game.finished:
        now = View.of(game, game.seat)
        worths = net.values(now)
        out = [worth for worth in worths if worth.move.cards == now.hand]
        game = game.play((out or [max(worths, key=lambda worth: worth.score)])[0].move)
    return game.scores()[view.seat], (game.winner == 0) == (view.seat == 0)


def is_same(one: tuple[float, int], other: tuple[float, int]) -> bool:
    return abs(one[0] - other[0]) < 1e-4 and one[1] == other[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["botzone", "botzone2", "mini"])
def test_points_are_those_of_the_rules(net: FastNet, name: str, seed: int) -> None:
    view = late_view(name, seed)
    search = native(net, view, ALL._replace(by_score=1))
    worlds = set(Worlds(view, "uniform").samples(Generator(3), 300))
    expected = {tuple(payoff(net, view, world, arm.move) for arm in search.arms()) for world in worlds}
    before = search.arms()
    for _ in range(8):
        search.run(1)
        now = search.arms()
        paid = [(new.points - old.points, new.wins - old.wins) for new, old in zip(now, before, strict=True)]
        assert any(all(map(is_same, paid, each)) for each in expected)
        before = now


def test_for_points_the_moves_that_compete_are_those_of_the_best_score(net: FastNet) -> None:
    for view in random_views(40, "botzone2")[::4]:
        worths = net.values(view)
        best = sorted(worths, key=lambda worth: worth.score, reverse=True)[:8]
        arms = native(net, view, ALL._replace(by_score=1)).arms()
        out = [worth for worth in worths if worth.move.cards == view.hand]
        assert [arm.move for arm in arms] == [worth.move for worth in out or best]


def test_a_player_for_points_chooses_the_most_points(net: FastNet) -> None:
    for view in random_views(20, "botzone2")[::5]:
        search = native(net, view, ALL._replace(by_score=1), 400)
        arms = search.arms()
        assert arms[search.best].points == max(arm.points for arm in arms)
        assert all(arm.mean_points == pytest.approx(arm.points / arm.visits) for arm in arms if arm.visits)


def test_a_move_that_was_given_up_is_not_played_again(net: FastNet) -> None:
    view = endgame(("577", "K", "A"), 0)
    search = native(net, view, USUAL._replace(prior=0), 30)
    assert search.alive == 3  # nothing is given up before 16 worlds
    search.run(100)
    visits = {str(arm.move): arm.visits for arm in search.arms()}
    assert (visits["5"], visits["7"], search.alive) == (16, 16, 1)
    search.run(100)
    assert {str(arm.move): arm.visits for arm in search.arms()} == visits


def test_the_visits_add_up_to_the_playouts(net: FastNet) -> None:
    for view in random_views(20)[::5]:
        search = native(net, view, USUAL, 400)
        arms = search.arms()
        assert sum(arm.visits for arm in arms) == search.playouts
        assert all(arm.visits % 16 == 0 or arm.visits == max(each.visits for each in arms) for arm in arms)
        assert arms[search.best].visits == max(arm.visits for arm in arms)


def test_a_move_without_a_rival_is_not_played_out(net: FastNet) -> None:
    result = searching(net, opening(), USUAL._replace(max_moves=1)).run(Deadline(Limit(playouts=500)))
    assert (result.playouts, result.moves[0].visits, len(result.moves)) == (0, 0, 1)


def test_a_search_ends_when_there_is_no_room_for_more_worlds(net: FastNet) -> None:
    two = ALL._replace(max_moves=2)
    result = searching(net, endgame(("57", "K", "A"), 0), two).run(Deadline(Limit(playouts=100_000)))
    assert result.playouts == 2 * 8192


# Worlds that come again.


def search_of_two_worlds(kernel: Kernel, options: RolloutOptions) -> NativeRollout:
    """
    A peasant with 57 must answer the landlord's 4; the landlord's other card is the 3 or the Q.

    The 5 wins against the 3, the 7 loses against both. The landlord's logit for a lead of the 3 is 1.0.
    """
    plays_a_three = next(group.first for group in GROUPS if group.meaning == "the move's cards")
    net = FastNet(kernel, [wishing_seat({plays_a_three: 1.0}), *[wishing_seat({})] * 2])
    search = native(net, endgame(("4Q", "57", "3"), 0, (move_of("4"),)), options)
    search.run(100_000)
    search.arms()
    return search


TWO_WORLDS = ALL._replace(oversample=16, temperature=1000)


def test_a_world_that_comes_again_counts_but_is_not_played_again(kernel: Kernel) -> None:
    search = search_of_two_worlds(kernel, TWO_WORLDS)
    arms = search.arms()
    assert search.playouts == 2 * len(arms)
    assert all(512 < arm.visits <= 512 + 32 for arm in arms)


def test_worlds_count_as_often_as_the_play_is_likely_in_them(kernel: Kernel) -> None:
    # With the Q the landlord had no better lead. With the 3 the third seat passed with a Q, one of two moves. What the
    # landlord likes decides at one of three temperatures.
    with_the_queen = 0.5
    with_the_three = fmean(0.98 / (1 + exp(1 / heat)) + 0.02 / 2 for heat in (1, 2, 4)) / 2
    expected = with_the_three / (with_the_three + with_the_queen)
    search = search_of_two_worlds(kernel, TWO_WORLDS)
    share = {str(arm.move): arm.mean for arm in search.arms()}
    assert share["5"] == pytest.approx(expected, abs=0.02)


def test_a_world_that_comes_again_makes_nothing_surer(kernel: Kernel) -> None:
    # One of two worlds is won more: that is one standard error, however often they count.
    search = search_of_two_worlds(kernel, TWO_WORLDS._replace(prune_z=250))
    assert search.alive == len(search.arms())


@pytest.mark.parametrize("seed", range(6))
def test_wherever_worlds_are_drawn_from_they_count_as_likely_as_they_are(net: FastNet, seed: int) -> None:
    # Thousands of draws from six tables, the later ones drawn to what explains the play, over all worlds there are.
    view = late_view("botzone", seed)
    search = native(net, view, ALL._replace(oversample=16, temperature=2000, by_score=1), 10**6)
    worlds = list(worlds_of(what_is_certain(view)))
    ways = [prod(comb(count(view.unseen, rank), count(first, rank)) for rank in range(15)) for first, _ in worlds]
    likely = [exp(log_likelihood(net.values, view, world, 2.0)) for world in worlds]
    shares = list(map(mul, ways, likely))
    for arm in search.arms():
        paid = [payoff(net, view, world, arm.move) for world in worlds]
        points, won = (sum(map(mul, shares, parts)) / sum(shares) for parts in zip(*paid, strict=True))
        assert (arm.mean, arm.mean_points) == pytest.approx((won, points), abs=0.05)


def test_a_pool_of_worlds_that_is_full_is_enough(net: FastNet) -> None:
    # Every batch of 16 draws 256 worlds; there is room for 4,096 that differ.
    search = native(net, opening(), ALL._replace(max_moves=2, oversample=16), 2 * 16 * 40)
    assert all(arm.visits >= 16 * 40 for arm in search.arms())


# Determinism.


def found(search: NativeRollout) -> tuple[list[RolloutArm], int, int, int]:
    return search.arms(), search.playouts, search.alive, search.best


@pytest.mark.parametrize("options", [ALL, USUAL, WEIGHED])
def test_slices_change_nothing(net: FastNet, options: RolloutOptions) -> None:
    view = random_views(9)[8]
    whole, sliced = found(native(net, view, options, 300)), native(net, view, options)
    while sliced.playouts < whole[1]:
        sliced.run(1)
        sliced.arms()
    assert whole[1] >= 300
    assert found(sliced) == whole


def test_every_processor_gives_the_same_answer(kernel: Kernel) -> None:
    codes = codes_of(kernel.library)
    require_avx2(AVX2 in codes)
    nets = [FastNet(kernel, random_seats(), code) for code in codes]
    portable, *others = (found(native(net, random_views(9)[8], WEIGHED, 100)) for net in nets)
    assert all(other == portable for other in others)


def test_another_seed_draws_other_worlds(net: FastNet) -> None:
    one, other = (native(net, opening(), ALL, 300, seed).arms() for seed in (1, 2))
    assert [arm.wins for arm in one] != [arm.wins for arm in other]


@pytest.mark.parametrize("step", [0.02, 3.0])
def test_the_speed_of_the_machine_changes_no_result_of_a_limit_of_playouts(net: FastNet, step: float) -> None:
    view, limit = random_views(9)[8], Limit(playouts=300)
    assert searching(net, view).run(Deadline(limit, SlowClock(step))) == searching(net, view).run(
        Deadline(limit, SlowClock(0.001))
    )


# Limits.


@pytest.mark.parametrize("playouts", [1, 8, 101, 777])
def test_a_limit_of_playouts_is_kept_to_a_world(net: FastNet, playouts: int) -> None:
    result = searching(net, opening(), ALL).run(Deadline(Limit(playouts=playouts)))
    assert playouts <= result.playouts < playouts + len(result.moves)


def test_a_limit_that_is_over_already_gives_the_networks_best_move(net: FastNet) -> None:
    view = opening()
    result = searching(net, view, ALL).run(Deadline(Limit(seconds=0.0)))
    assert (result.playouts, result.move) == (0, max(net.values(view), key=lambda worth: worth.win).move)


def test_a_pass_is_played_out_as_well(net: FastNet) -> None:
    # The landlord led a 4 and holds a Q or a 3. A lower answer than the 2, or a pass, loses if it is the Q.
    view = endgame(("4Q", "5552", "33"), 0, (move_of("4"),))
    result = searching(net, view, ALL).run(Deadline(Limit(playouts=600)))
    assert result.move == move_of("2")
    assert PASS_KIND in {arm.move.kind for arm in result.moves}
