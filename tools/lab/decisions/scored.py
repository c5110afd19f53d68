"""Asks players for the decisions of a bench: what they choose, and what they think that each move is worth."""

import time
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ddzbot.players.base import CannotPlay, Player
from ddzbot.players.champion import ChampionPlayer, Deliberation
from ddzbot.players.registry import checked_player
from ddzbot.search.limit import parse_limit
from ddzbot.search.slices import MoveResult

from ...shared.contestants import parse_contestant
from ...shared.errors import InputError
from .decision import Decision, ValuedMove
from .precise import values_of
from .recipe import Recipe, network_of


class Scored(NamedTuple):
    """A player that is scored, and what it may spend on a decision."""

    player: str
    limit: str

    @property
    def name(self) -> str:
        """As one writes it, with its limit: ``champion@400p``, or ``champion:search=none``, which has none."""
        alone = checked_player(self.player).options.get("search") == "none"
        return self.player if alone or not self.limit else f"{self.player}@{self.limit}"


class ScoredChoice(NamedTuple):
    """The choice and the values of a player for a decision."""

    choice: str
    chosen: ValuedMove | None
    """The suite's value of its choice; None where that is too far from what the network would play."""
    worth: Mapping[str, float]
    """Its values of the suite's moves, in the criterion; only of the moves that it values."""
    network: float | None
    """The probability of winning after the move that was played, by its network."""
    search: float | None
    """The same by its search."""
    milliseconds: float


def parse_scored(text: str, limit: str) -> Scored:
    """
    Reads a player as ``champion``, with the *limit* of all, or with one of its own as ``champion@400p``.

    :raises ValueError: for an unknown player, a limit that is none, and a program.
    """
    parse_limit(limit)
    contestant = parse_contestant(text)
    if contestant.player is None:
        raise ValueError(f"player {text!r} is a program: only players of this process are scored")
    return Scored(contestant.player.text, text.rpartition("@")[2] if contestant.limit else limit)


@lru_cache(maxsize=8)
def _player_of(player: str, seed: int) -> Player:
    return checked_player(player).make(seed)


def answer_of(scored: Scored, decision: Decision, recipe: Recipe, seed: int) -> ScoredChoice:
    """
    Asks a player for a decision.

    :raises InputError: if it cannot play.
    """
    player, limit = _player_of(scored.player, seed), parse_limit(scored.limit)
    began = time.perf_counter()
    thought = None
    try:
        if isinstance(player, ChampionPlayer):
            thought = player.consider(decision.view, limit)
        choice = str((thought.decision if thought else player.choose(decision.view, limit)).move)
    except CannotPlay as error:
        raise InputError(f"{scored.name}: {error}") from None
    spent = 1000 * (time.perf_counter() - began)
    chosen = decision.valued(choice) or _valued_now(decision, recipe, choice)
    values = NO_VALUES
    if thought is not None and isinstance(player, ChampionPlayer):
        values = champion_values(thought, float(player.options.prior))
    competing = {valued.move for valued in decision.moves}
    return ScoredChoice(
        choice,
        chosen,
        {move: worth for move, worth in values.worth.items() if move in competing},
        values.network.get(decision.played),
        values.search.get(decision.played),
        spent,
    )


def _valued_now(decision: Decision, recipe: Recipe, choice: str) -> ValuedMove | None:
    """Values a move that the bench has not, in the same worlds; None if it is too far away, or the network is gone."""
    if recipe.network != network_of(recipe.rules):
        return None
    values = values_of(recipe, decision.deal, decision.view, decision.hands, choice)
    return next((valued for valued in values.moves if valued.move == choice), None) if values else None


class ChampionValues(NamedTuple):
    """A champion's values of moves."""

    worth: Mapping[str, float]
    """Their values in the criterion, by its search, or by the network where that decides alone."""
    network: Mapping[str, float]
    """The probability of winning, by the network."""
    search: Mapping[str, float]
    """The same by the search, the network's evaluation included as it counts there."""


NO_VALUES = ChampionValues({}, {}, {})


def champion_values(thought: Deliberation, prior: float) -> ChampionValues:
    """
    Gets what a champion thinks; *prior* is how many playouts its network's evaluation counts as.

    Of its search: the best move's value, less how far each move is behind. A move that was given up met other worlds
    than the best; its own mean would tell more about these.
    """
    network = {str(worth.move): worth.chance for worth in thought.worths}
    if thought.search is None:
        worth = {str(valued.move): valued.score for valued in thought.worths} if thought.by_score else network
        # Without a search there is a proof, or the network is all that there is.
        return ChampionValues(worth if thought.wins is None else {}, network, {})
    result = thought.search.result()
    shares = {str(valued.move): _share(valued, prior) for valued in result.moves}
    best = next(valued for valued in result.moves if valued.move == result.move)
    top = best.points if best.points is not None else shares[str(best.move)]
    worth = {str(valued.move): top - valued.behind for valued in result.moves}
    return ChampionValues(worth, network, shares if thought.by_score else worth)


def _share(one: MoveResult, prior: float) -> float:
    weight = one.visits + prior
    return (one.wins + prior * (one.prior or 0.0)) / weight if weight else one.prior or 0.0
