"""
Reviews the decisions of a recorded game, one by one, each from what its seat knew.

A loss is what the best move is worth more than the move that was made, by the numbers of the analysis. It is proved if
another move would have won for certain, and this one loses with the hands that the others really had.
"""

from math import hypot
from typing import NamedTuple

from ddzbot.cards import size
from ddzbot.evaluation import Criterion, Method
from ddzbot.game import Game, final_bid
from ddzbot.rules import Move, RuleSet
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...records.record import GameRecord
from ..analyse.analyse import AnalysisError, analyse, glance
from ..analyse.model import Analysis, MoveAnalysis
from .model import Review, mark_of
from .reasons import why_of

SOLVER_NODES = 200_000
"""Positions that the solver may look at to prove that a move loses."""
PUZZLE_ERRORS = 3
"""A move is a puzzle's answer if every other one is a mistake, and worse by more than so many standard errors."""
FIRST_LEADS = 3
"""The opening lasts until the fourth lead of the game."""
LAST_CARDS = 8
"""With so many cards the mover is in its ending."""
EVERY_MOVE = 1000
"""As many moves as there may be."""


class Answer(NamedTuple):
    """A legal move of a decision, judged by the analysis alone."""

    move: Move
    loss: float
    """As of a :class:`tools.study.review.model.Review`."""
    error: float | None
    mark: str


class Reviewed(NamedTuple):
    """A decision, what it cost, and all that is known about the position."""

    review: Review
    analysis: Analysis
    answers: list[Answer]
    """Of every move, the best one first."""
    made: Move

    @property
    def is_puzzle(self) -> bool:
        """Tests whether one move alone is right, by more than :data:`PUZZLE_ERRORS` errors, and does not go out."""
        _, *others = self.answers
        clear = all(
            answer.mark and answer.error is not None and answer.loss > PUZZLE_ERRORS * answer.error for answer in others
        )
        return bool(others) and clear and self.analysis.moves[0].fewest > 0


def decisions(record: GameRecord) -> list[int]:
    """
    Lists the numbers of the moves, from 0, that can be reviewed.

    These are moves with a choice, by hands that are known; after an illegal move there is nothing to review.
    """
    numbers = []
    for ply in record.plies():
        if ply.problem is not None:
            break
        if ply.seat not in record.unknown_seats and len(ply.before.legal_moves()) > 1:
            numbers.append(ply.number)
    return numbers


def review_of(
    record: GameRecord, number: int, ply: int, limit: Limit | None, seed: int = 0, numbers_only: bool = False
) -> Reviewed | None:
    """
    Reviews move *ply*, one of :func:`decisions`; None if its position cannot be analysed.

    Without a *limit* the network alone judges, in a millisecond. With *numbers_only* the analysis has no lines and
    hidden cards, which only a page shows.
    """
    view = record.view(ply)
    replayed = next(step for step in record.plies() if step.number == ply)
    before, made = replayed.before, replayed.move
    try:
        if limit is None:
            analysis = glance(view, seed)
        else:
            analysis = analyse(view, limit, seed=seed, top=EVERY_MOVE, made=made, numbers_only=numbers_only)
    except AnalysisError:
        return None
    points = analysis.notes.source.decides is Criterion.POINTS
    swing = swing_of(before.rules, before.seat, final_bid(before.bids))
    scale = swing if points else 1.0
    answers = [_answer(analysis, candidate, points, scale) for candidate in analysis.moves]
    best = analysis.moves[0]
    mine, answer = next(pair for pair in zip(analysis.moves, answers, strict=True) if pair[0].move.cards == made.cards)
    proved = answer.loss > 0 and _is_proved(before, made, analysis)
    error = 0.0 if proved else answer.error
    mark = mark_of(answer.loss / scale, (error or 0.0) / scale, proved)
    scored = best.score is not None and mine.score is not None
    review = Review(
        game=number,
        ply=ply,
        phase=phase_of(view),
        seat=view.seat,
        name=record.names[record.position_of(view.seat)],
        made=made,
        best=best.move,
        loss=answer.loss,
        error=error,
        points=points,
        win_loss=best.win - mine.win if points else answer.loss,
        points_loss=answer.loss if points else (best.score or 0.0) - (mine.score or 0.0) if scored else None,
        cost=answer.loss if points else answer.loss * swing,
        mark=mark,
        proved=proved,
        why=why_of(view, made, best.move) if mark else "",
    )
    return Reviewed(review, analysis, answers, made)


def _answer(analysis: Analysis, candidate: MoveAnalysis, points: bool, scale: float) -> Answer:
    """Judges a move: its loss is the difference between its number and the best one's."""
    best = analysis.moves[0]
    loss = _deciding(best, points) - _deciding(candidate, points)
    error = 0.0 if candidate is best else _error(best, candidate, analysis)
    return Answer(candidate.move, loss, error, mark_of(loss / scale, (error or 0.0) / scale, False))


def _deciding(candidate: MoveAnalysis, points: bool) -> float:
    return (candidate.score or 0.0) if points else candidate.win


def _error(best: MoveAnalysis, mine: MoveAnalysis, analysis: Analysis) -> float | None:
    if _is_exact(analysis):
        return 0.0
    if mine.gap_error is not None:
        return mine.gap_error
    return None if best.error is None or mine.error is None else hypot(best.error, mine.error)


def reviewer_of(reviewed: Reviewed) -> str:
    """Names the player that analysed a decision in the champion's place; empty for the champion, and for a proof."""
    source = reviewed.analysis.notes.source
    return source.method.value if source.no_champion and not _is_exact(reviewed.analysis) else ""


def _is_exact(analysis: Analysis) -> bool:
    return analysis.notes.source.method is Method.EXACT


def _is_proved(game: Game, made: Move, analysis: Analysis) -> bool:
    """Checks if another move wins whatever the others hold, while this one loses to what they really held."""
    if _is_exact(analysis):
        return True
    certain = analysis.notes.source.certain
    if certain is None or certain.cards == made.cards:
        return False
    after = Endgame.of(game).played(made)
    if after.winner is not None or any(hand == 0 for hand in after.hands):
        return False
    winner = Solver(game.rules).winner(after, Deadline(Limit(playouts=SOLVER_NODES)))
    return winner is not None and winner != Endgame.of(game).side


def swing_of(rules: RuleSet, seat: int, stake: int) -> float:
    """Gets the points between winning and losing for a seat, without bombs and springs."""
    return abs(rules.scoring.landlord_wins[seat] - rules.scoring.peasants_win[seat]) * stake


def phase_of(view: View) -> str:
    """Names the part of the game for the player to move, one of :data:`.model.PHASES`."""
    if size(view.hand) <= LAST_CARDS:
        return "ending"
    return "opening" if _leads(view) <= FIRST_LEADS else "middle"


def _leads(view: View) -> int:
    """Counts the leads of the game, the next move too if it is one."""
    passed = [True, True, *(move.is_pass for move in view.plays)]
    followers = [*view.plays, None] if view.to_beat is None else view.plays
    return sum(earlier and latest for earlier, latest, _ in zip(passed, passed[1:], followers, strict=False))
