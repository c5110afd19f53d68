"""Games side by side: the same games as those of the rules, one by one."""

import numpy as np
import pytest

from ddzbot.game import SEATS, Game
from ddzbot.kernel import native
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.view import View
from tests.support import require
from tools.programs.douzero_features import States, state_of
from tools.training.zero.games import Games, Lister, Menu, deals
from tools.training.zero.learner import results

pytestmark = pytest.mark.whole

GAMES = 12


class Reference:
    """Chooses at random, and plays the same games by the rules, one by one."""

    def __init__(self, rules: RuleSet, hands: np.ndarray) -> None:
        self.random = np.random.default_rng(5)
        self.games = [Game(rules, tuple(map(int, row)), 0, (), (), 0) for row in hands]
        self.shown = 0

    def __call__(self, states: States, menu: Menu) -> np.ndarray:
        self.go_on()
        waiting = [at for at, game in enumerate(self.games) if not game.finished and game.seat == states.seat]
        assert len(waiting) == len(states.cards)
        chosen = [self.decide(states, menu, row, at) for row, at in enumerate(waiting)]
        return np.array(chosen)

    def go_on(self) -> None:
        """Makes every forced move."""
        for at, game in enumerate(self.games):
            while not game.finished and len(moves := game.legal_moves()) == 1:
                game = game.played(moves[0])
            self.games[at] = game

    def decide(self, states: States, menu: Menu, row: int, at: int) -> int:
        """Compares what is shown and what is legal, and makes a move."""
        game = self.games[at]
        moves = game.legal_moves()
        assert menu.cards[menu.starts[row] : menu.starts[row + 1]].tolist() == [move.cards for move in moves]
        one = state_of(View.of(game, game.seat))
        for name in ("cards", "numbers", "history"):
            assert np.array_equal(getattr(one, name)[0], getattr(states, name)[row]), name
        self.shown += 1
        place = int(self.random.integers(len(moves)))
        self.games[at] = game.played(moves[place])
        return place


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_games_side_by_side_are_those_of_the_rules(rules: RuleSet) -> None:
    kernel = require(native(), "the kernel")
    hands = deals(rules, GAMES, np.random.default_rng(3))
    assert {int(total) for total in hands.sum(1)} == {rules.deck}
    reference = Reference(rules, hands)
    games = Games(rules, Lister(kernel, rules), hands)
    games.play(reference)
    reference.go_on()
    assert [game.winner for game in reference.games] == games.winners.tolist()
    ended = games.ended(results(games.winners, games.bombs, "wp"))
    assert ended.decisions == reference.shown == sum(len(one.moves) for one in ended.samples) > 50
    assert ended.plies == sum(len(game.plays) for game in reference.games)
    assert ended.landlord_wins == sum(game.winner == 0 for game in reference.games)
    assert [one.states.seat for one in ended.samples] == list(range(SEATS))


def test_peasants_have_what_the_landlord_loses_and_bombs_double_it() -> None:
    winners, bombs = np.array([0, 1, 2, 0], np.uint8), np.array([0, 1, 2, 3], np.uint8)
    assert results(winners, bombs, "wp").tolist() == [1, -1, -1, 1]
    assert results(winners, bombs, "adp").tolist() == [1, -2, -4, 8]
