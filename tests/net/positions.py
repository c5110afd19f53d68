"""Views of random games, the same in every run."""

import random

from ddzbot.game import shuffled, start
from ddzbot.rules import rule_set
from ddzbot.view import View


def random_views(count: int, rules: str = "botzone") -> list[View]:
    """Gets the views of the seats in turn, one after another through as many random games as it takes."""
    views: list[View] = []
    game_number = 0
    while len(views) < count:
        game, chance = start(shuffled(rule_set(rules), f"test/{game_number}")), random.Random(game_number)
        while not game.finished:
            views.append(View.of(game, game.seat))
            game = game.play(chance.choice(game.legal_moves()))
        game_number += 1
    return views[:count]
