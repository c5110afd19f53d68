"""The player that draws from its legal moves."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import parse_hand
from ddzbot.game import is_legal_bid, shuffled, start
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player, player_names
from ddzbot.rules import RULE_SETS, RuleSet, rule_set
from ddzbot.search.limit import Limit
from ddzbot.testing.strategies import bids, hands, views
from ddzbot.view import BidView, View

BOTZONE, BOTZONE2 = rule_set("botzone"), rule_set("botzone2")
NO_LIMIT = Limit()


def played_out(seed: int) -> str:
    game = start(shuffled(BOTZONE, "x"))
    while not game.finished:
        game = game.play(RandomPlayer(seed).choose(View.of(game, game.seat), NO_LIMIT).move)
    return " ".join(map(str, game.plays))


def test_the_random_player_is_found_by_its_name() -> None:
    assert "random" in player_names()
    assert isinstance(make_player("random", seed=3), RandomPlayer)


@given(rules=st.sampled_from(list(RULE_SETS.values())), data=st.data(), seed=st.integers(0, 5))
def test_the_chosen_move_is_legal(rules: RuleSet, data: st.DataObject, seed: int) -> None:
    view = data.draw(views(rules))
    assert RandomPlayer(seed).choose(view, NO_LIMIT).move in view.legal_moves()


@given(hands(BOTZONE2, 17, 17), bids(over=False), st.integers(0, 5))
def test_the_chosen_bid_is_legal(hand: int, calls: tuple[int, ...], seed: int) -> None:
    assert is_legal_bid(calls, RandomPlayer(seed).bid(BidView(BOTZONE2, hand, calls)))


def test_different_seeds_play_different_games() -> None:
    assert len({played_out(seed) for seed in range(5)}) == 5


def test_every_legal_move_is_drawn_about_equally_often() -> None:
    hand = parse_hand("33344LB")
    view = View.of(start(shuffled(BOTZONE, "x")), 0)._replace(hand=hand)
    moves = view.legal_moves()
    drawn = Counter(RandomPlayer(seed).choose(view, NO_LIMIT).move for seed in range(50 * len(moves)))
    assert set(drawn) == set(moves)
    assert max(drawn.values()) < 100
