"""Plays the games of a unit, and draws its decisions: of each game and seat one, if there is any."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ddzbot.game import SEATS, Game, shuffled
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import rule_set
from ddzbot.search.limit import parse_limit
from ddzbot.view import View

from ...arena.matches.faults import fallbacks_in
from ...arena.matches.outcome import GameOutcome
from ...arena.matches.table import PlayerTable
from ...shared.contestants import parse_contestant
from ...shared.errors import InputError
from ...shared.seeds import deal_seed, player_seed
from ...training.kernel import needed_kernel
from ...training.making import Stopped
from .decision import Decision
from .precise import is_open, values_of
from .recipe import NAMESPACE, UNIT, UNIT_DEALS, Recipe


class Drawn(NamedTuple):
    """A decision that was drawn, and the move that was made there."""

    game: Game
    """As it was then."""
    played: str


def decisions_of(recipe: Recipe, unit: int, stopped: Callable[[], bool] = lambda: False) -> list[Decision]:
    """
    Makes the decisions of a unit, which follow from the recipe and the unit's number.

    :raises Stopped: once *stopped* says so.
    :raises InputError: if another player had to choose in the place of the recipe's, or the deals run out.
    """
    kernel, table = needed_kernel("a bench"), _table_of(recipe)
    decisions: list[Decision] = []
    for index in range(UNIT_DEALS * unit, UNIT_DEALS * (unit + 1)):
        deal = deal_seed(recipe.seed, NAMESPACE, index)
        outcome = _played(recipe, table, deal)
        for drawn in drawn_from(kernel, outcome, random.Random(f"{deal}/drawn")):
            if stopped():
                raise Stopped
            decisions.append(_valued(recipe, deal, drawn, outcome))
            if len(decisions) == UNIT:
                return decisions
    raise InputError(f"{UNIT_DEALS:,} games under rules {recipe.rules} have fewer than {UNIT} open decisions")


def _table_of(recipe: Recipe) -> PlayerTable:
    engine = parse_contestant(recipe.player).engine()
    return PlayerTable(rule_set(recipe.rules), parse_limit(recipe.limit), {"A": engine})


def _played(recipe: Recipe, table: PlayerTable, deal: str) -> GameOutcome:
    seeds = [player_seed(deal, 0, position) for position in range(SEATS)]
    outcome = table.play(shuffled(rule_set(recipe.rules), deal), "A" * SEATS, seeds)
    for _, _, sentence in fallbacks_in(outcome.asked):
        raise InputError(f"game {deal}: {sentence}")
    return outcome


def drawn_from(kernel: Kernel, outcome: GameOutcome, chance: random.Random) -> Iterator[Drawn]:
    """Yields one decision of each seat that had an open one, each of these as likely as the other."""
    game = outcome.game
    assert game is not None  # players of this process end every game
    for seat in range(SEATS):
        plies = [asked.ply for asked in outcome.asked if asked.ply is not None and asked.ply % SEATS == seat]
        for ply in chance.sample(plies, len(plies)):
            before = game_at(game, ply)
            if is_open(kernel, View.of(before, seat)):
                yield Drawn(before, str(game.plays[ply]))
                break


def game_at(game: Game, ply: int) -> Game:
    """Gets a game as it was before the move of that number."""
    landlord, down, up = (
        game.hands[seat]
        + sum(move.cards for index, move in enumerate(game.plays) if index % SEATS == seat and index >= ply)
        for seat in range(SEATS)
    )
    return game._replace(hands=(landlord, down, up), plays=game.plays[:ply])


def _valued(recipe: Recipe, deal: str, drawn: Drawn, outcome: GameOutcome) -> Decision:
    game = drawn.game
    view = View.of(game, game.seat)
    values = values_of(recipe, deal, view, game.hands)
    assert values is not None and outcome.game is not None and outcome.game.winner is not None
    paid = round(outcome.scores[game.seat], 6)
    return Decision(deal, view, game.hands, drawn.played, outcome.game.winner, paid, values.worlds, values.moves)
