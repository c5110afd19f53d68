"""
The evaluation of every legal move of a position, for all commands and pages that show numbers.

A player's search drops a move as soon as another is surely better, and leaves a rough value for it. Here no move is
dropped: all are played out in the same worlds, so that more playouts make every number more precise, and luck in the
hidden cards is the same for all. Where no card is hidden the solver decides.
"""

from enum import Enum
from itertools import islice
from math import hypot, inf, sqrt
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ddzbot.belief.certain import what_is_certain
from ddzbot.belief.ways import World
from ddzbot.cards import Hand
from ddzbot.game import SEATS, scores
from ddzbot.kernel import native
from ddzbot.kernel.fast_records import MoveValue
from ddzbot.kernel.library import KernelError
from ddzbot.kernel.rollout import MOST_ARMS
from ddzbot.players.base import CannotPlay
from ddzbot.players.champion import ChampionPlayer, Deliberation
from ddzbot.readable import described
from ddzbot.rules import Move
from ddzbot.search.certain import Proved, open_endgame, worlds_of
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult, SearchResult
from ddzbot.split import fewest_moves
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.search.rollout import RolloutSearch

USUAL_PLAYOUTS = 1000
"""Playouts for the other moves where the player needs none to choose, and the limit has no number."""
FARTHEST = 1000
"""The option ``near`` of a search in which moves take part however bad the network thinks them."""
UNSEEN = 2
"""Playouts that won, and that lost, which are thought to have been missed: few equal ones are no certainty."""
DRIFT = 1.05
"""Errors are so much greater than those of playouts: later worlds are drawn by what earlier ones have taught."""
SOLVER_NODES = 100_000
REFERENCE_NODES = 3_000
"""Positions that the solver may look at, with the kernel and without: well under a second."""
SUREST = 0.999
"""The surest value of what is not proved."""


@described(
    move="The move.",
    win="The probability that the mover's side wins, 0 to 1.",
    visits="The number of worlds in which it was played out, 0 or more; a world that was drawn twice counts twice.",
    score="The mover's expected points by the scoring of the rule set; None where no network has learned them.",
    line="The continuation of the game, move first; empty where the method finds none.",
    error="The standard error of what decides, the win or the score.",
    gap_error="The standard error of how far it is behind the first move, which met the same worlds.",
)
class Estimate(NamedTuple):
    """A legal move with its evaluation, from the view of the player to move."""

    move: Move
    win: float
    visits: int = 0
    score: Optional[float] = None
    line: Tuple[Move, ...] = ()
    error: Optional[float] = None
    gap_error: Optional[float] = None


class Method(Enum):
    """The method behind the numbers; a value is its name in the notes."""

    CHAMPION = "champion"
    NETWORK = "champion, its network alone"
    MCTSHS = "mctshs"
    RULES = "playouts by rules"
    EXACT = "exact"


class Criterion(Enum):
    """The quantity that moves are ranked by: the probability of winning, expected points, or a proof."""

    WIN = "win"
    POINTS = "points"
    PROOF = "proof"


class Source(NamedTuple):
    """The origin of the numbers: method, criterion and proofs."""

    method: Method
    decides: Criterion
    certain: Optional[Move] = None
    """The move that wins whatever the hidden hands are."""
    open_wins: Tuple[Move, ...] = ()
    """The moves that win in every world that was looked at if all hands were open."""
    nodes: Optional[int] = None
    """The positions that the exact solver visited."""
    no_champion: str = ""
    """Why the champion falls back to another method."""

    def as_json(self) -> Dict[str, Any]:
        """Makes the JSON form, without what is not known."""
        fields = {
            "method": self.method.value,
            "decides": self.decides.value,
            "certain": None if self.certain is None else str(self.certain),
            "wins_with_open_hands": [str(move) for move in self.open_wins] or None,
            "nodes": self.nodes,
            "no_champion": self.no_champion or None,
        }
        return {field: fact for field, fact in fields.items() if fact is not None}


@described(
    moves="The best first.",
    playouts="How many playouts were made.",
    source="The method behind the numbers, and what decides.",
)
class Estimates(NamedTuple):
    """All moves that were looked at."""

    moves: List[Estimate]
    playouts: int
    source: Source

    @property
    def notes(self) -> Dict[str, Any]:
        """The origin of the numbers as small JSON values."""
        return self.source.as_json()


class Evaluation(NamedTuple):
    """The estimates of all moves, and the worlds that they were made in."""

    estimates: Estimates
    worlds: List[Tuple[World, float]]
    """The hidden hands, in the order of :attr:`ddzbot.belief.certain.Certain.seats`, with weights that add up to 1."""


def evaluate(view: View, limit: Limit, seed: int, only: Sequence[Move] = ()) -> Evaluation:
    """
    Estimates every legal move within *limit*: exactly where no card is hidden, else by the champion, or by its network
    alone without the kernel. The same view, seed and playouts give the same numbers.

    With *only*, legal moves, no other move is looked at: the search plays out these, however bad the network thinks
    them.

    :raises CannotPlay: without a network.
    :raises KernelError: for a view that the network refuses.
    """
    deadline = Deadline(limit)
    exact = _decided(view, deadline)
    if exact is not None:
        return Evaluation(among(exact, only), [])
    try:
        evaluation = (
            _searched_among(view, deadline.left(), seed, only) if only else _searched(view, deadline.left(), seed)
        )
    except (CannotPlay, KernelError) as why:
        estimates = network_alone(view, seed)
        evaluation = Evaluation(estimates._replace(source=estimates.source._replace(no_champion=str(why))), [])
    return evaluation._replace(estimates=among(finished(view, evaluation.estimates), only))


def among(estimates: Estimates, only: Sequence[Move]) -> Estimates:
    """Leaves out all moves but these, if any are named."""
    named = {move.cards for move in only}
    moves = [estimate for estimate in estimates.moves if estimate.move.cards in named or not only]
    return estimates._replace(moves=moves)


def _searched_among(view: View, limit: Limit, seed: int, only: Sequence[Move]) -> Evaluation:
    """
    Searches these moves alone; proofs are left out, as they may be about other moves.

    A single one is played out beside the network's best other move, without which it has no rival to search against.
    """
    player = _champion(view, seed, max_moves=MOST_ARMS, margin=FARTHEST, prune_z=0)
    thought = _champion(view, seed, search="none").consider(view, Limit())
    others = (worth.move for worth in thought.worths if worth.move != only[0] and worth.move.cards != view.hand)
    search = player.search_of(view)
    search.only([*only, *islice(others, int(len(only) == 1))])
    search.run(Deadline(Limit(playouts=USUAL_PLAYOUTS) if limit == Limit() else limit))
    return _evaluated(player, view, thought, search)


def _searched(view: View, limit: Limit, seed: int) -> Evaluation:
    player = _champion(view, seed, max_moves=MOST_ARMS, margin=FARTHEST, prune_z=0)
    deadline = Deadline(limit)
    thought = player.consider(view, limit)
    search = thought.search
    if search is None:
        # A proof needs no search, but the caller wants numbers for the other moves and the hidden cards as well.
        search = player.search_of(view)
        left = deadline.left()
        search.run(Deadline(Limit(playouts=USUAL_PLAYOUTS) if left == Limit() else left))
    return _evaluated(player, view, thought, search)


def _evaluated(player: ChampionPlayer, view: View, thought: Deliberation, search: "RolloutSearch") -> Evaluation:
    """Gets what a search found, and the worlds that it drew."""
    result = search.result()
    drawn = search.worlds()
    total = sum(weight for _, _, weight in drawn)  # the kernel's floats have fewer digits
    worlds = [(World(first, second), weight / total) for first, second, weight in drawn]
    return Evaluation(Estimates(_ranked(player, view, thought, result), result.playouts, _source(thought)), worlds)


def _champion(view: View, seed: int, **options: Any) -> ChampionPlayer:
    """Makes the champion. Points that its network learned under other payments decide nothing here: chances do."""
    player = ChampionPlayer(seed, **options)
    return player if player.tells_points(view) else ChampionPlayer(seed, objective="wp", **options)


def _points_of(player: ChampionPlayer, view: View, worths: List[MoveValue]) -> Dict[Hand, Optional[float]]:
    """Gets the points that the network expects, by the cards of each move; None where they are of other payments."""
    if not player.tells_points(view):
        return {worth.move.cards: None for worth in worths}
    least = _least_points(view)
    return {worth.move.cards: max(worth.score, least) for worth in worths}


def _least_points(view: View) -> float:
    """Gets what the mover is paid in any case, which a network that is trained on many games may not know."""
    if view.rules.scoring.bombs_double:
        return -inf
    return min(scores(view.rules, view.plays, winner, view.stake)[view.seat] for winner in range(SEATS))


def _decided(view: View, deadline: Deadline) -> Optional[Estimates]:
    """Decides every move if only one world is left; None if there are more, or the solver would take too long."""
    certain = what_is_certain(view)
    if certain.least != certain.most:
        return None
    (world,) = worlds_of(certain)
    endgame = open_endgame(view, world)
    share = deadline.part(1 / 2, REFERENCE_NODES if native() is None else SOLVER_NODES)
    solver = Solver(view.rules)
    solution = solver.solve(endgame, share)
    if solution.undecided:
        return None
    moves = []
    for move in endgame.legal_moves():
        after = endgame.played(move)
        line = (move,) if after.winner is not None else (move, *solver.solve(after, share).line)
        moves.append(Estimate(move, float(move in solution.winning), 0, _score_of(view, endgame, line), line))
    moves.sort(key=lambda known: (-known.win, len(known.line), fewest_moves(view.rules, view.hand - known.move.cards)))
    return Estimates(moves, 0, Source(Method.EXACT, Criterion.WIN, nodes=share.spent))


def _score_of(view: View, endgame: Endgame, line: Tuple[Move, ...]) -> Optional[float]:
    """Gets what a line to the end of the game pays; one that the solver's budget broke off has no score."""
    for move in line:
        endgame = endgame.played(move)
    if endgame.winner is None:
        return None
    return scores(view.rules, (*view.plays, *line), endgame.hands.index(0), view.stake)[view.seat]


def network_alone(view: View, seed: int) -> Estimates:
    """
    Asks the champion's network alone.

    :raises CannotPlay: without a network.
    """
    player = _champion(view, seed, search="none")
    thought = player.consider(view, Limit())
    points = _points_of(player, view, thought.worths)
    moves = [Estimate(worth.move, worth.chance, 0, points[worth.move.cards]) for worth in thought.worths]
    return Estimates(moves, 0, Source(Method.NETWORK, _decides(thought)))


def finished(view: View, estimates: Estimates) -> Estimates:
    """Puts the move that empties the hand first, and what it is worth for certain."""
    winning = next((move for move in view.legal_moves() if move.cards == view.hand), None)
    if winning is None:
        return estimates
    visits = sum(estimate.visits for estimate in estimates.moves if estimate.move.cards == winning.cards)
    paid = scores(view.rules, (*view.plays, winning), view.seat, view.stake)[view.seat]
    surest = Estimate(winning, 1.0, visits, paid, (winning,))
    others = [estimate for estimate in estimates.moves if estimate.move.cards != winning.cards]
    return estimates._replace(moves=[surest, *others])


def _is_proved(thought: Deliberation) -> bool:
    return thought.wins is not None and thought.wins.proved is not Proved.NOTHING


def _decides(thought: Deliberation) -> Criterion:
    if _is_proved(thought):
        return Criterion.PROOF
    return Criterion.POINTS if thought.by_score else Criterion.WIN


def _source(thought: Deliberation) -> Source:
    source, wins = Source(Method.CHAMPION, _decides(thought)), thought.wins
    if wins is None or wins.proved is Proved.NOTHING:
        return source
    if wins.proved is Proved.CERTAIN:
        return source._replace(certain=wins.move)
    return source._replace(open_wins=tuple(wins.moves))


def _ranked(player: ChampionPlayer, view: View, thought: Deliberation, found: SearchResult) -> List[Estimate]:
    """Lists all legal moves, the best first; those that were never played out end the list, as the network has them."""
    errors = _Errors(player, next(arm for arm in found.moves if arm.move == found.move))
    scores_of = _points_of(player, view, thought.worths)
    moves = []
    for arm in found.moves:
        score = scores_of.pop(arm.move.cards)  # the network's, for where the win decides
        score = arm.value if thought.by_score else score
        moves.append(Estimate(arm.move, _unsure(arm.win), arm.visits, score, (), errors.of(arm), errors.of_gap(arm)))
    moves.sort(key=lambda known: _deciding(known, thought.by_score), reverse=True)
    best = moves[0]
    for worth in thought.worths:
        if worth.move.cards in scores_of:  # never above the best one that was played out
            score = min(best.score or 0.0, worth.score) if thought.by_score else scores_of[worth.move.cards]
            moves.append(Estimate(worth.move, min(best.win, _unsure(worth.chance)), 0, score))
    return _settled(moves, thought) if _is_proved(thought) else moves


class _Errors:
    """
    The standard errors of a search in which no move is given up; docs/lab/experiments.md has how true they are.

    The bias that the network's evaluation adds through ``prior``, which many playouts outvote, is included.
    """

    def __init__(self, player: ChampionPlayer, best: MoveResult) -> None:
        self._prior, self._blend = float(player.options.prior), float(player.options.blend)
        self._best = best
        self._swing = 1.0 if best.points is None else 2 * max(1.0, abs(best.points))

    def of(self, one: MoveResult) -> Optional[float]:
        """Gets the standard error of a move's own value, as a probability or in points; None without playouts."""
        if one.own_error is None:
            return None
        won = (one.wins + UNSEEN) / (one.visits + 2 * UNSEEN)
        least = self._swing * sqrt(won * (1 - won) / one.visits)
        return hypot(DRIFT * max(one.own_error, least) * self._share(one), self._leaning(one))

    def of_gap(self, one: MoveResult) -> Optional[float]:
        """Gets the standard error of a move's distance to the best move; 0.0 for the best, None without playouts."""
        if one.move == self._best.move or one.error is None:
            return None if one.error is None else 0.0
        least = self._swing * sqrt(UNSEEN / (one.visits + 2 * UNSEEN) / one.visits)
        playouts = DRIFT * max(one.error, least * self._share(one))
        return hypot(playouts, self._leaning(one) - self._leaning(self._best))

    def _share(self, one: MoveResult) -> float:
        """Gets the part of the playouts in a move's value."""
        return one.visits / (one.visits + self._prior + self._blend * one.visits)

    def _leaning(self, one: MoveResult) -> float:
        """Gets how far the value leans to the network's evaluation, compared to the value after endless playouts."""
        beyond = 1 / (1 + self._blend) - self._share(one)
        return beyond * ((one.mean if one.points is None else one.points) - one.expected)


def _settled(moves: List[Estimate], thought: Deliberation) -> List[Estimate]:
    """Puts what is proved first: it is won for certain, or nearly so if in every world; nothing else is above it."""
    certain = thought.wins is not None and thought.wins.proved is Proved.CERTAIN
    chosen = next(estimate for estimate in moves if estimate.move.cards == thought.decision.move.cards)
    chosen = chosen._replace(win=1.0 if certain else SUREST, error=0.0, gap_error=0.0)
    others = [estimate for estimate in moves if estimate.move != chosen.move]
    return [
        chosen,
        *(estimate._replace(win=min(estimate.win, chosen.win), gap_error=estimate.error) for estimate in others),
    ]


def _deciding(known: Estimate, by_score: bool) -> float:
    return (known.score or 0.0) if by_score else known.win


def _unsure(win: float) -> float:
    return min(SUREST, max(1 - SUREST, win))
