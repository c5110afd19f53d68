"""Many games side by side, so that a network is asked for all of them at once; what all learners learn from."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.players.base import Player
from ddzbot.rules import Move, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import View


class Situation(NamedTuple):
    """A decision with more than one legal move."""

    view: View
    legal: list[Move]


class Choice(NamedTuple):
    """The move that was chosen, and whatever the learner wants to keep of the decision."""

    move: Move
    kept: Any = None


Policy = Callable[[Sequence[Situation]], Sequence[Choice]]
"""Type alias: decides several decisions, each of another game."""


class Finished(NamedTuple):
    """A game that is over."""

    winner: int
    """The seat that went out."""
    kept: tuple[list[Any], ...]
    """By seat, what the learner kept of its decisions, in order."""

    def reward(self, seat: int) -> float:
        """Gets 1 for a seat whose side won, and -1 for the others."""
        return 1.0 if (self.winner == 0) == (seat == 0) else -1.0


def play_games(kernel: Kernel, rules: RuleSet, deals: Sequence[str], policies: Sequence[Policy]) -> list[Finished]:
    """
    Plays a game of each of the *deals*, in step; *policies* are by seat, and one that has several seats is asked once.

    A seat with only one legal move plays it without a question.
    """
    games = [start(shuffled(rules, deal)) for deal in deals]
    decisions: list[tuple[list[Any], ...]] = [tuple([] for _ in range(SEATS)) for _ in games]
    running = list(range(len(games)))
    while running:
        asked: dict[Policy, list[int]] = {}
        choices: dict[int, Situation] = {}
        for index in running:
            game, choice = _to_next_choice(kernel, games[index])
            games[index] = game
            if choice is not None:
                choices[index] = choice
                asked.setdefault(policies[game.seat], []).append(index)
        for policy, numbers in asked.items():
            answers = policy([choices[index] for index in numbers])
            for index, answer in zip(numbers, answers, strict=True):
                decisions[index][games[index].seat].append(answer.kept)
                games[index] = games[index].played(answer.move)
        running = [index for index in running if not games[index].finished]
    return [Finished(_winner(game), own) for game, own in zip(games, decisions, strict=True)]


def _to_next_choice(kernel: Kernel, game: Game) -> tuple[Game, Situation | None]:
    """Makes forced moves; no choice is left when the game is over."""
    while not game.finished:
        legal = kernel.legal_moves(game.rules, game.hands[game.seat], game.to_beat)
        if len(legal) > 1:
            return game, Situation(View.of(game, game.seat), legal)
        game = game.played(legal[0])
    return game, None


def _winner(game: Game) -> int:
    assert game.winner is not None
    return game.winner


def policy_of(player: Player) -> Policy:
    """Lets a player without a search decide, one decision after the other."""
    return lambda choices: [Choice(player.choose(choice.view, Limit()).move) for choice in choices]
