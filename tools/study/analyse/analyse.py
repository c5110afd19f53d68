"""
The analysis of a position, and of a turn in the auction: how good each move is, and where the hidden cards are.

For example ``analyse(view, Limit(playouts=20000)).moves[0]`` is the best move with everything that is known about it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp
from typing import Any

from ddzbot.belief.certain import BeliefError
from ddzbot.belief.ways import World
from ddzbot.belief.worlds import Worlds
from ddzbot.evaluation import Estimate, Evaluation, among, evaluate, finished, network_alone
from ddzbot.game import SEATS
from ddzbot.kernel import describe, native
from ddzbot.kernel.fast_records import MoveValue
from ddzbot.kernel.library import KernelError
from ddzbot.less_split import fewest_after
from ddzbot.net import fast_net
from ddzbot.net.loading import Loaded
from ddzbot.players.base import CannotPlay
from ddzbot.rules import Move
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...shared.message import Message
from .auction import analyse_bid
from .estimates import without_network
from .hidden import BELIEF, heaviest_world, hidden_by_weights, hidden_cards, likeliest_world
from .lines import LONGEST_LINE, Follower, play_on
from .model import Analysis, BidAnalysis, Counts, MoveAnalysis, Notes
from .named_moves import searched_too

GLANCE = 200
"""Playouts of a fallback where the network alone was asked."""
HEAT = 0.3
"""Logits of this difference make one move e times as likely: what explains searches with noisy playouts best."""


class AnalysisError(ValueError):
    """Raised for a view that cannot be analysed; the message has the reason."""


def analyse(
    view: View,
    limit: Limit,
    *,
    seed: int = 0,
    top: int = 5,
    only: Sequence[Move] = (),
    made: Move | None = None,
    numbers_only: bool = False,
) -> Analysis:
    """
    Analyses a view of any rule set within *limit*, by default with the playouts of the player ``champion``.

    The numbers of its moves are those of :func:`ddzbot.evaluation.evaluate`; here stand only lines and hidden cards.

    *top* is the most moves in the analysis. With *only*, legal moves, these alone are analysed. The move that
    was *made* is in it wherever it ranks; if no playout met it, a search of it and the best move values it. With
    *numbers_only*, lines and hidden cards are left out: they take as long as a small search. The same view, seed and
    playouts give the same analysis but for its seconds; a limit of seconds gives what there was time for.

    :raises AnalysisError: for a view that contradicts itself or is not a game, or of a seat that is not to move.
    """
    deadline = Deadline(limit)
    if view.seat != len(view.plays) % SEATS:
        played = len(view.plays)
        turn = "after {moves} moves it is the turn of seat {to_move}, not of seat {seat}"
        raise AnalysisError(Message(turn, moves=played, to_move=played % SEATS, seat=view.seat))
    try:
        worlds = Worlds(view, BELIEF)
    except BeliefError as error:
        raise AnalysisError(str(error)) from None
    loaded, worths = _network_values(view)
    follower = Follower(loaded)
    try:
        evaluation = _evaluation(view, worlds, follower, deadline, seed, only)
        if made is not None:
            evaluation = evaluation._replace(estimates=searched_too(view, evaluation.estimates, made, limit, seed))
    except KernelError as error:
        raise AnalysisError(f"the kernel refuses this view: {error}") from None
    estimates, weighed = evaluation
    told = [
        (rank, estimate)
        for rank, estimate in enumerate(estimates.moves, 1)
        if rank <= max(1, top) or (made and estimate.move.cards == made.cards)
    ]
    moves = _described(view, told, priors(worths))
    hidden: dict[int, tuple[Counts, ...]] = {}
    if not numbers_only:
        world = heaviest_world(weighed) if weighed else likeliest_world(worlds)
        moves = [replace(move, line=move.line or _line(view, world, move.move, follower)) for move in moves]
        hidden = hidden_by_weights(worlds, weighed) if weighed else hidden_cards(worlds)
    return Analysis(
        moves=tuple(moves),
        win=moves[0].win,
        score=moves[0].score,
        playouts=estimates.playouts,
        seconds=deadline.elapsed(),
        hidden=hidden,
        notes=Notes(
            estimates.source,
            {"belief": "worlds that explain the play" if weighed else BELIEF, **_notes(loaded, follower)},
        ),
    )


def glance(view: View, seed: int = 0) -> Analysis:
    """
    Asks the network alone, in a millisecond: every move, without lines and hidden cards.

    Where there is no network, the fallback takes a little longer.

    :raises AnalysisError: as :func:`analyse` does.
    """
    try:
        estimates = finished(view, network_alone(view, seed))
    except (CannotPlay, KernelError):
        return analyse(view, Limit(playouts=GLANCE), seed=seed, top=len(view.legal_moves()))
    moves = _described(view, [*enumerate(estimates.moves, 1)], {})
    return Analysis(tuple(moves), moves[0].win, moves[0].score, 0, 0.0, {}, Notes(estimates.source, {}))


def _evaluation(
    view: View, worlds: Worlds, follower: Follower, deadline: Deadline, seed: int, only: Sequence[Move]
) -> Evaluation:
    """Asks for the estimates, or for those of the fallback where there is no network."""
    try:
        return evaluate(view, deadline.left(), seed, only)
    except (CannotPlay, KernelError) as why:
        estimates = without_network(view, worlds, follower, deadline, seed, only)
        source = estimates.source._replace(no_champion=str(why))
        return Evaluation(among(finished(view, estimates._replace(source=source)), only), [])


def analyse_any(
    view: View | BidView,
    limit: Limit,
    *,
    seed: int = 0,
    top: int = 5,
    only: Sequence[Move] = (),
    made: Move | None = None,
) -> Analysis | BidAnalysis:
    """
    Analyses a view of the play, or of the auction, of which all bids are always told.

    :raises AnalysisError: as :func:`analyse` does.
    """
    if isinstance(view, BidView):
        return analyse_bid(view, limit, seed=seed)
    return analyse(view, limit, seed=seed, top=top, only=only, made=made)


def _network_values(view: View) -> tuple[Loaded, Sequence[MoveValue]]:
    """Has the network value the moves; without one that can, there are no values and no network."""
    loaded = fast_net.LOADER.load(native(), view.rules.name)
    if loaded.net is None:
        return loaded, []
    try:
        return loaded, loaded.net.values(view)
    except KernelError as error:
        return Loaded(None, f"no network: it refuses these moves ({error})"), []


def _notes(loaded: Loaded, follower: Follower) -> dict[str, Any]:
    """Describes where the numbers come from, and what was missing."""
    notes: dict[str, Any] = {"line": follower.name, "network": loaded.description}
    if native() is None:
        notes["kernel"] = describe()
    return notes


def _described(view: View, estimates: Sequence[tuple[int, Estimate]], prior: Mapping[int, float]) -> list[MoveAnalysis]:
    """Makes the analyses of moves of their estimates, by rank; a line is there where the estimate has one."""
    left = fewest_after(view.rules, view.hand, [estimate.move.cards for _, estimate in estimates])
    return [
        MoveAnalysis(
            move=estimate.move,
            win=estimate.win,
            score=estimate.score,
            visits=estimate.visits,
            error=estimate.error,
            gap_error=estimate.gap_error,
            rank=rank,
            prior=prior.get(estimate.move.cards),
            fewest=fewest,
            line=estimate.line,
        )
        for (rank, estimate), fewest in zip(estimates, left, strict=True)
    ]


def _line(view: View, world: World, move: Move, follower: Follower) -> tuple[Move, ...]:
    return play_on(view, world, move, follower, LONGEST_LINE).moves


def priors(worths: Sequence[MoveValue]) -> dict[int, float]:
    """
    Computes the probability that the network chooses each move, by its cards: a softmax of its logits by :data:`HEAT`.

    For example, of two moves 0.3 units of logit apart the better one has ``e / (1 + e)``, 0.73.
    """
    best = max((worth.win for worth in worths), default=0.0)
    shares = {worth.move.cards: exp((worth.win - best) / HEAT) for worth in worths}
    total = sum(shares.values())
    return {cards: share / total for cards, share in shares.items()}
