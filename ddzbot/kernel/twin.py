"""
What the kernel does, in readable Python: the same answers, a few hundred times slower.

:class:`Twin` is used where there is no kernel, and is what the kernel is tested against.
"""

from typing import List, NamedTuple, Optional, Tuple

from ddzbot import rules as specification
from ddzbot.cards import Hand
from ddzbot.game import Game
from ddzbot.kernel.chance import Generator
from ddzbot.rules import BOMB, ROCKET, Move, RuleSet


class Totals(NamedTuple):
    """Sums over finished games."""

    games: int
    wins: Tuple[int, int, int]
    """In how many games each seat went out first."""
    plies: int
    """Moves and passes, those from before the playouts too."""
    bombs: int
    """Bombs and rockets laid, likewise."""
    scores: Tuple[int, int, int]
    """Two-hundredths of a point by seat: the unit in which every platform's score is a whole number."""

    def mean_score(self, seat: int) -> float:
        """Gets the mean points per game of *seat*. For example, 2.01."""
        return self.scores[seat] / (200 * self.games)


class Twin:
    """The kernel's functions in Python. It has no state: one object serves everybody."""

    name = "twin"

    def legal_moves(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
        """Lists the legal moves, as :func:`ddzbot.rules.legal_moves` does."""
        return specification.legal_moves(rules, hand, to_beat)

    def classify(self, rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
        """Lists the readings of *cards*, as :func:`ddzbot.rules.classify` does."""
        return specification.classify(rules, cards, recognised)

    def random_move(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move], generator: Generator) -> Move:
        """
        Draws one legal move, each set of cards with the same probability.

        :raises ValueError: if there is no legal move.
        """
        moves = specification.legal_moves(rules, hand, to_beat)
        return moves[generator.below(len(moves))]

    def playouts(self, game: Game, count: int, generator: Generator) -> Totals:
        """
        Plays *count* games from where *game* stands to the end, every move drawn by :meth:`random_move`.

        :raises ValueError: if *game* is over.
        """
        if game.finished:
            raise ValueError("the game is over: no playouts")
        wins, scores = [0, 0, 0], [0, 0, 0]
        plies = bombs = 0
        for _ in range(count):
            end = self._play_on(game, generator)
            wins[end.seat_that_went_out] += 1
            plies += len(end.game.plays)
            bombs += sum(move.kind in (BOMB, ROCKET) for move in end.game.plays)
            for seat, points in enumerate(end.game.scores()):
                scores[seat] += round(200 * points)
        return Totals(count, (wins[0], wins[1], wins[2]), plies, bombs, (scores[0], scores[1], scores[2]))

    def _play_on(self, game: Game, generator: Generator) -> "_End":
        winner = game.winner
        while winner is None:
            game = game.played(self.random_move(game.rules, game.hands[game.seat], game.to_beat, generator))
            winner = game.winner
        return _End(game, winner)


class _End(NamedTuple):
    game: Game
    seat_that_went_out: int
