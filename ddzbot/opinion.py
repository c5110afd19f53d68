"""
What the player ``champion`` thinks of a position: its own choice first, and how far behind the other moves are.

The search, its seed and its playouts are those of the player, so that the first move is the one that it would play.
Values of the other moves are the best one's, less what they are behind it by the same playouts and the network: a move
that was given up early met other worlds, and its plain mean would tell more about these.
"""

from enum import Enum
from math import sqrt
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ddzbot.belief.ways import World
from ddzbot.cards import Hand
from ddzbot.game import scores
from ddzbot.kernel import native
from ddzbot.kernel.rollout import MOST_ARMS
from ddzbot.net.fast_net import reigning_net
from ddzbot.players.champion import ChampionPlayer, Thought
from ddzbot.rules import Move
from ddzbot.search.certain import Proved
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult, SearchResult
from ddzbot.view import View

USUAL_PLAYOUTS = 1000
"""Playouts that tell about the other moves where the player needs none to choose, and no limit says how many."""
FARTHEST = 1000
"""The option ``near`` of a search in which moves take part however bad the network thinks them."""
SUREST = 0.999
"""The surest value of what is not proved."""


class Estimate(NamedTuple):
    """A move and what was found out about it."""

    move: Move
    win: float
    """The probability that the mover's side wins, 0 to 1."""
    visits: int = 0
    """The playouts behind it."""
    score: Optional[float] = None
    """The mover's points, where this method tells them."""
    line: Tuple[Move, ...] = ()
    """How the game goes on, where this method tells it."""
    error: Optional[float] = None
    """The standard error of what decides: of the first move its own, of the others that of the difference to it."""


class Method(Enum):
    """Who made the numbers, as the notes say it."""

    CHAMPION = "champion"
    NETWORK = "champion, its network alone"
    MCTSHS = "mctshs"
    RULES = "playouts by rules"
    EXACT = "exact"


class Decides(Enum):
    """What the best move is the best in."""

    WIN = "win"
    POINTS = "points"
    PROOF = "proof"


class Source(NamedTuple):
    """How the numbers were made."""

    method: Method
    decides: Decides
    certain: Optional[Move] = None
    """The move that wins whatever the hidden hands are."""
    open_wins: Tuple[Move, ...] = ()
    """The moves that win in every world that was looked at if all hands were open."""
    nodes: Optional[int] = None
    """What the exact solver looked at."""
    no_search: str = ""
    """Why the network answers alone."""
    no_champion: str = ""
    """Why somebody stands in for the champion."""

    def as_json(self) -> Dict[str, Any]:
        """Makes the JSON form, without what is not known."""
        known = {
            "method": self.method.value,
            "decides": self.decides.value,
            "certain": None if self.certain is None else str(self.certain),
            "wins_with_open_hands": [str(move) for move in self.open_wins] or None,
            "nodes": self.nodes,
            "no_search": self.no_search or None,
            "no_champion": self.no_champion or None,
        }
        return {name: value for name, value in known.items() if value is not None}


class Estimates(NamedTuple):
    """All moves that were looked at."""

    moves: List[Estimate]
    """The best first."""
    playouts: int
    source: Source

    @property
    def notes(self) -> Dict[str, Any]:
        """How the numbers were made; small JSON values."""
        return self.source.as_json()


class Opinion(NamedTuple):
    """What the champion thinks, and the worlds that it thinks it in."""

    estimates: Estimates
    worlds: List[Tuple[World, float]]
    """The hidden hands, in the order of :attr:`ddzbot.belief.certain.Certain.seats`, with weights that add up to 1."""


def champions_opinion(view: View, limit: Limit, seed: int) -> Opinion:
    """
    Asks the champion within *limit*.

    :raises CannotPlay: without a network, or without the kernel.
    """
    player = ChampionPlayer(seed)
    deadline = Deadline(limit)
    thought = player.consider(view, limit)
    search = thought.search
    if search is None:
        # A proof needs no search, but whoever asks wants to hear of the other moves and of the hidden cards as well.
        search = player.search_of(view)
        left = deadline.left()
        search.run(Deadline(Limit(playouts=USUAL_PLAYOUTS) if left == Limit() else left))
    found = search.result()
    drawn = search.worlds()
    total = sum(weight for _, _, weight in drawn)  # the kernel's floats have fewer digits
    worlds = [(World(first, second), weight / total) for first, second, weight in drawn]
    return Opinion(Estimates(_ranked(player, thought, found), found.playouts, _source(thought)), worlds)


class Comparison(NamedTuple):
    """A move beside the champion's choice, after a search that gave up neither."""

    estimate: Estimate
    """What the move is worth; its error is that of how far it is behind."""
    behind: float
    """How far it is behind the choice, in what decides; below 0 where it is better."""


def compare_moves(
    view: View, choice: Move, move: Move, limit: Limit, seed: int, by_score: bool
) -> Optional[Comparison]:
    """
    Compares a move with the champion's choice in a second search, in which no move is given up.

    A search that only has to choose stops as soon as it can, and tells less about what it left out. The moves that the
    network ranks above the two take part as well. None without the champion, or if more than :data:`MOST_ARMS` would.
    """
    loaded = reigning_net(native(), view.rules.name)
    if loaded.net is None or native() is None:
        return None
    worths = sorted(loaded.net.values(view), key=lambda one: one.score if by_score else one.win, reverse=True)
    arms = max(place for place, worth in enumerate(worths, 1) if worth.move in (choice, move))
    if arms > MOST_ARMS:
        return None
    player = ChampionPlayer(seed, aims="score" if by_score else "win", arms=arms, near=FARTHEST, sure=0)
    deadline = Deadline(limit)
    found = player.search_of(view).run(deadline.with_playouts(USUAL_PLAYOUTS) if deadline.is_endless else deadline)
    known = {one.move.cards: one for one in found.moves}
    prior = float(player.options.prior)
    top = _level(next(one for one in found.moves if one.move == found.move), prior, by_score)
    mine, theirs = known.get(move.cards), known.get(choice.cards)
    if mine is None or theirs is None or not mine.visits:
        return None
    return Comparison(_estimate(mine, prior, top, by_score), mine.behind - theirs.behind)


def network_alone(view: View, seed: int) -> Estimates:
    """
    Asks the champion's network alone.

    :raises CannotPlay: without a network.
    """
    thought = ChampionPlayer(seed, search="none").consider(view, Limit())
    moves = [Estimate(worth.move, worth.chance, 0, worth.score) for worth in thought.worths]
    return Estimates(moves, 0, Source(Method.NETWORK, _decides(thought)))


def finished(view: View, estimates: Estimates) -> Estimates:
    """Puts the move that empties the hand first, and what it is worth for certain."""
    last = next((move for move in view.legal_moves() if move.cards == view.hand), None)
    if last is None:
        return estimates
    visits = sum(known.visits for known in estimates.moves if known.move.cards == last.cards)
    paid = scores(view.rules, (*view.plays, last), view.seat, view.stake)[view.seat]
    first = Estimate(last, 1.0, visits, paid, (last,))
    others = [known for known in estimates.moves if known.move.cards != last.cards]
    return estimates._replace(moves=[first, *others])


def _is_proved(thought: Thought) -> bool:
    return thought.wins is not None and thought.wins.proved is not Proved.NOTHING


def _decides(thought: Thought) -> Decides:
    if _is_proved(thought):
        return Decides.PROOF
    return Decides.POINTS if thought.by_score else Decides.WIN


def _source(thought: Thought) -> Source:
    source, wins = Source(Method.CHAMPION, _decides(thought)), thought.wins
    if wins is None or wins.proved is Proved.NOTHING:
        return source
    if wins.proved is Proved.CERTAIN:
        return source._replace(certain=wins.move)
    return source._replace(open_wins=tuple(wins.moves))


def _ranked(player: ChampionPlayer, thought: Thought, found: SearchResult) -> List[Estimate]:
    """Lists all legal moves, the chosen one first, the others by what decides; the network's opinion ends the list."""
    best = next(one for one in found.moves if one.move == found.move)
    prior = float(player.options.prior)
    top = _level(best, prior, thought.by_score)
    played = {one.move.cards: _estimate(one, prior, top, thought.by_score) for one in found.moves}
    opinions = {worth.move.cards: worth for worth in thought.worths}
    shift_win = played[best.move.cards].win - opinions[best.move.cards].chance
    shift_score = top - opinions[best.move.cards].score
    for worth in thought.worths:
        if worth.move.cards not in played:
            # It was never played out: as far behind as the network thinks, and never above the best one that was.
            win = min(played[best.move.cards].win, _unsure(worth.chance + shift_win))
            score = min(top, worth.score + shift_score) if thought.by_score else worth.score
            played[worth.move.cards] = Estimate(worth.move, win, 0, score)
    for cards, worth in opinions.items():
        if played[cards].score is None:
            played[cards] = played[cards]._replace(score=worth.score)
    chosen = _settled(played, thought)
    others = [known for cards, known in played.items() if cards != chosen.move.cards]
    others.sort(key=lambda known: (known.visits > 0, _deciding(known, thought.by_score)), reverse=True)
    if _is_proved(thought):  # what is not proved is below what is, whatever the playouts say
        others = [known._replace(win=min(known.win, chosen.win)) for known in others]
    return [chosen, *others]


def _deciding(known: Estimate, by_score: bool) -> float:
    return (known.score or 0.0) if by_score else known.win


def _settled(played: Dict[Hand, Estimate], thought: Thought) -> Estimate:
    """Gets the move that was chosen; what is proved is won for certain, and what wins in every world nearly so."""
    move: Move = thought.decision.move
    known = played[move.cards]
    if thought.wins is None or not _is_proved(thought):
        return known
    return known._replace(win=1.0 if thought.wins.proved is Proved.CERTAIN else SUREST, error=0.0)


def _level(best: MoveResult, prior: float, by_score: bool) -> float:
    """Gets what the best move is worth, in points or as a chance; the others are measured from there."""
    return (best.points or 0.0) if by_score else _win(best, prior)


def _win(one: MoveResult, prior: float) -> float:
    """Gets the chance of winning: halfway between what the playouts say and the network, whose errors differ."""
    opinion = one.prior or 0.0
    weight = one.visits + prior
    return between((one.wins + prior * opinion) / weight, opinion) if weight else opinion


def between(searched: float, opinion: float) -> float:
    """
    Gets the probability whose logit is halfway between what the search found and what the network says.

    Playouts are too hopeful, since the others' later moves in them are the network's; the network sees no further than
    one move. The middle predicts the winners better than either; docs/lab/bench.md has the numbers.
    """
    odds = sqrt(_unsure(searched) / (1 - _unsure(searched)) * _unsure(opinion) / (1 - _unsure(opinion)))
    return odds / (1 + odds)


def _estimate(one: MoveResult, prior: float, top: float, by_score: bool) -> Estimate:
    if by_score:
        return Estimate(one.move, _win(one, prior), one.visits, top - one.behind, error=one.error)
    return Estimate(one.move, _unsure(top - one.behind), one.visits, error=one.error)


def _unsure(win: float) -> float:
    return min(SUREST, max(1 - SUREST, win))
