"""
The 30-card game against the solver, which proves its whole deals with open hands: no player throws away a sure win.
"""

from collections.abc import Iterator
from itertools import islice

import pytest

from ddzbot.belief.certain import what_is_certain
from ddzbot.cards import size
from ddzbot.game import Game, shuffled, start
from ddzbot.players.registry import make_player
from ddzbot.rules import MINI, Move
from ddzbot.search.certain import MOST_CARDS, MOST_WORLDS, always_winning, worlds_of
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tools.lab.cheating import CheatingChampion

ENOUGH = 20_000_000
"""Positions of the solver for one question; the proof of a whole deal takes some 20,000."""


pytestmark = pytest.mark.usefixtures("with_kernel")


def wins(game: Game, solver: Solver) -> bool:
    """Tells whether the side to move wins with open hands."""
    position = Endgame.of(game)
    winner = solver.winner(position, Deadline(Limit(playouts=ENOUGH)))
    assert winner is not None, "the solver proves every position of these deals"
    return winner == position.side


def keeps(game: Game, move: Move, solver: Solver) -> bool:
    """Tells whether the side that makes *move* still wins after it."""
    after = game.played(move)
    if after.finished:
        return True
    same_side = (after.seat == 0) == (game.seat == 0)
    return wins(after, solver) == same_side


def test_whole_deals_are_proved_and_perfect_play_ends_as_proved() -> None:
    champion = make_player("champion", 1, search="none")
    for number in range(5):
        game, solver = start(shuffled(MINI, f"solved/{number}")), Solver(MINI)
        sides = (0,) if wins(game, solver) else (1, 2)
        while not game.finished:
            view = View.of(game, game.seat)
            if game.seat in sides:
                move = next(move for move in view.legal_moves() if keeps(game, move, solver))
            else:
                move = champion.choose(view, Limit()).move
            game = game.played(move)
        assert (game.winner == 0) == (sides == (0,)), number


@pytest.mark.whole
def test_a_player_that_knows_all_hands_never_throws_a_won_game_away() -> None:
    checked, player = 0, CheatingChampion(2, nodes=ENOUGH)
    for number in range(5):
        game, solver = start(shuffled(MINI, f"known/{number}")), Solver(MINI)
        while not game.finished:
            player.sees_hands(game.hands)
            move = player.choose(View.of(game, game.seat), Limit(playouts=100)).move
            if wins(game, solver):
                assert keeps(game, move, solver), (number, len(game.plays))
                checked += 1
            game = game.played(move)
    assert checked > 25


def sure_positions(deals: int) -> Iterator[tuple[View, list[Move]]]:
    """Yields views in which some moves win in every world that is left, but not all, and those moves."""
    rule = make_player("rule", 1)
    for number in range(deals):
        game = start(shuffled(MINI, f"sure/{number}"))
        while not game.finished:
            view = View.of(game, game.seat)
            few, certain = size(view.hand) + size(view.unseen) <= MOST_CARDS, what_is_certain(view)
            if few and len(list(islice(worlds_of(certain), MOST_WORLDS + 1))) <= MOST_WORLDS:
                winning = always_winning(view, certain, Deadline(Limit(playouts=ENOUGH)))
                if 0 < len(winning) < len(view.legal_moves()):
                    yield view, winning
            game = game.played(rule.choose(view, Limit()).move)


@pytest.mark.parametrize("player", ["champion", "mctshs", "mcm"])
def test_a_move_that_wins_in_every_world_is_found(player: str) -> None:
    chosen = make_player(player, 3)
    positions = list(sure_positions(25))
    assert len(positions) > 20
    for view, winning in positions:
        assert chosen.choose(view, Limit(playouts=100_000)).move in winning, str(view)
