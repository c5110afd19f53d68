"""
How a game may continue: the principal line, and whole playouts by rules where there is no kernel.

Every seat plays what it thinks best, by the network's best move or else as the player ``rule`` does, and sees only its
own hand. A view of each seat is made from the view of one and a world.
"""

from typing import NamedTuple

from ddzbot.belief.ways import World
from ddzbot.game import SEATS, scores
from ddzbot.kernel.fast_records import MoveValue
from ddzbot.net.loading import Loaded
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import Move
from ddzbot.search.certain import open_endgame
from ddzbot.search.limit import Limit
from ddzbot.view import View

LONGEST_LINE = 15
"""Moves of a principal line, passes too: five rounds. Later ones follow from a guess about guesses."""


class Follower:
    """Plays on: by the network if there is one, else as ``rule`` does."""

    def __init__(self, loaded: Loaded) -> None:
        self._net = loaded.net
        self._rule = RulePlayer()
        self.name = "rule" if loaded.net is None else "network"
        """For people."""

    def choose(self, view: View) -> Move:
        """Chooses a move for the player with this *view*."""
        if self._net is None:
            return self._rule.choose(view, Limit()).move
        best: MoveValue = max(self._net.values(view), key=lambda worth: float(worth.win))
        return best.move


class Continuation(NamedTuple):
    """A game that was continued for a while."""

    moves: tuple[Move, ...]
    winner: int | None
    """The seat that went out."""


def play_on(view: View, world: World, move: Move, follower: Follower, longest: int | None = None) -> Continuation:
    """
    Plays *move*, and then what *follower* chooses for every seat, to the end or for *longest* moves.

    No player sees more than its own hand. The cards are those of *view* and *world*.
    """
    hands, moves, seat = list(open_endgame(view, world).hands), [move], view.seat
    hands[seat] -= move.cards
    while hands[seat] and (longest is None or len(moves) < longest):
        seat = (seat + 1) % SEATS
        seen = view._replace(seat=seat, hand=hands[seat], plays=(*view.plays, *moves))
        moves.append(follower.choose(seen))
        hands[seat] -= moves[-1].cards
    return Continuation(tuple(moves), None if hands[seat] else seat)


def score_of(view: View, played: Continuation) -> float:
    """Gets what the viewer is paid for a game that was played to its end."""
    assert played.winner is not None
    return scores(view.rules, (*view.plays, *played.moves), played.winner, view.stake)[view.seat]


def wins(view: View, played: Continuation) -> bool:
    """Checks if the viewer's side won a game that was played to its end."""
    assert played.winner is not None
    return played.winner == view.seat or view.is_partner(played.winner)
