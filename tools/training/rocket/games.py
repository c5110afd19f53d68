"""Games of the teacher against itself, and what it chose at each decision."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ddzbot.cards import Hand
from ddzbot.game import Game, shuffled, start
from ddzbot.net.rocket_features import State, state_of
from ddzbot.net.rocket_kickers import kicker_question
from ddzbot.net.rocket_moves import MainMove, by_output, going_out, kicker_output, kickers_of, output_of
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import Move, rule_set
from ddzbot.view import View

from ..making import Stopped
from .plan import TeacherSelfPlay

EXPLORED = 4
"""When exploring, one of so many best moves by the teacher's network is played, each as often."""


class Question(NamedTuple):
    """A kicker that the teacher chose among several."""

    row: tuple[int, ...]
    """As :func:`ddzbot.net.rocket_kickers.kicker_question` makes it."""
    label: int
    """The output of the lowest kicker that was still to come."""


class Chosen(NamedTuple):
    """A decision between several main moves."""

    ply: int
    state: State
    label: int
    """The output of the main move that the teacher chose."""
    questions: list[Question]


class TaughtGame(NamedTuple):
    """One game."""

    deal: int
    """Its index."""
    decisions: list[Chosen]
    settled: int
    """Decisions that no network is asked for: one main move alone, or one that goes out."""
    forced: int
    """Kickers that no network is asked for: nothing else could be played."""
    landlord_won: bool


def taught_game(
    plan: TeacherSelfPlay, player: ChampionPlayer, index: int, stopped: Callable[[], bool] = lambda: False
) -> TaughtGame:
    """
    Plays one game of the teacher, and notes its choices; when exploring it plays another move than it chose.

    :raises Stopped: once *stopped* says so.
    """
    deal = plan.deal_seed(index)
    chance = random.Random(f"{deal}/rocket")
    game: Game = start(shuffled(rule_set(plan.rules), deal))
    decisions: list[Chosen] = []
    asked = forced = 0
    while not game.finished:
        if stopped():
            raise Stopped
        view = View.of(game, game.seat)
        asked += 1
        state = state_of(view)
        mains = by_output(state.legal)
        if len(mains) == 1 or going_out(state.legal, view.hand):
            move = _settled(player, plan, view)
            forced += _kickers_in(state, move)
            game = game.played(move)
            continue
        thought = player.consider(view, plan.limit)
        move = thought.decision.move
        questions = list(_questions(state, mains, move))
        forced += _kickers_in(state, move) - len(questions)
        decisions.append(Chosen(len(view.plays), state, output_of(move), questions))
        if chance.random() < plan.explore:
            move = chance.choice(thought.worths[:EXPLORED]).move
        game = game.played(move)
    return TaughtGame(index, decisions, asked - len(decisions), forced, game.winner == 0)


def _settled(player: ChampionPlayer, plan: TeacherSelfPlay, view: View) -> Move:
    moves = view.legal_moves()
    out = [move for move in moves if move.cards == view.hand]
    if out or len(moves) == 1:
        return (out or moves)[0]
    return player.choose(view, plan.limit).move


def _kickers_in(state: State, move: Move) -> int:
    """Counts the kickers of a legal *move*."""
    reading = move.kind, move.rank, move.length
    return next(main.kickers for main in state.legal if (main.kind, main.rank, main.length) == reading)


def _questions(state: State, mains: dict[int, MainMove], move: Move) -> Iterator[Question]:
    """
    Asks for the kickers of a move one at a time, the lowest first; where only one may be chosen, no network is asked.
    """
    main = mains[output_of(move)]
    if main.kind != move.kind:  # a plane where the shuttle is the output's
        return
    left, chosen = main.choice(state.hand), list[Hand]()
    for kicker in kickers_of(move, main):
        if len(set(left)) > 1:
            yield Question(kicker_question(state, main, left, chosen), kicker_output(kicker))
        left.remove(kicker)
        chosen.append(kicker)
