"""The reference implementation of the kernel in readable Python, a few hundred times slower, for its tests."""

from typing import NamedTuple

from ddzbot import rules_reference as specification
from ddzbot import split
from ddzbot.cards import Hand
from ddzbot.game import Game
from ddzbot.kernel.binding import Totals
from ddzbot.kernel.rng import Generator
from ddzbot.rules import BOMB, ROCKET, Move, RuleSet


class Reference:
    """The kernel's functions in Python. It has no state."""

    name = "reference"

    def legal_moves(self, rules: RuleSet, hand: Hand, to_beat: Move | None = None) -> list[Move]:
        """Lists the legal moves, as :func:`ddzbot.rules.legal_moves` does."""
        return specification.legal_moves(rules, hand, to_beat)

    def classify(self, rules: RuleSet, cards: Hand, recognised: bool = False) -> list[Move]:
        """Lists the readings of *cards*, as :func:`ddzbot.rules.classify` does."""
        return specification.classify(rules, cards, recognised)

    def fewest_moves(self, rules: RuleSet, hand: Hand) -> int:
        """Counts the fewest leads that empty *hand*, as :func:`ddzbot.split.fewest_moves` does."""
        return split.fewest_moves(rules, hand)

    def random_move(self, rules: RuleSet, hand: Hand, to_beat: Move | None, generator: Generator) -> Move:
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
