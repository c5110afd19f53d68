"""Moves that a user names: to analyse these alone, and the move that was made, wherever it ranks."""

from collections.abc import Iterable

from ddzbot.cards import CardsError
from ddzbot.evaluation import Criterion, Estimate, Estimates, Method, evaluate
from ddzbot.rules import Move, explain
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...shared.message import Message, prose
from ...shared.refusal_words import refusal_message
from ...shared.typed_cards import typed_hand

PART = 4
"""A move that no search has played out gets this part of the playouts, together with the best one."""


def named_moves(view: View, texts: Iterable[str]) -> tuple[Move, ...]:
    """
    Reads moves such as ``99`` and ``pass``, each once.

    :raises ValueError: for the first one that is no cards, or not legal in *view*, with why.
    """
    return tuple(dict.fromkeys(_named(view, text) for text in texts))


def _named(view: View, text: str) -> Move:
    try:
        cards = 0 if text == "pass" else typed_hand(text)
    except CardsError as error:
        raise ValueError(Message("move {move}: {why}", move=repr(text), why=prose(error))) from None
    if not cards and text != "pass":
        raise ValueError(Message("move {move}: it has no cards; a pass is written pass", move=repr(text)))
    legal = next((move for move in view.legal_moves() if move.cards == cards), None)
    if legal is None:
        refusal = explain(view.rules, view.hand, cards, view.to_beat)
        why = refusal_message(refusal) if refusal else Message("it is not legal here")
        raise ValueError(Message("move {move}: {why}", move=repr(text), why=why))
    return legal


def searched_too(view: View, estimates: Estimates, made: Move, limit: Limit, seed: int) -> Estimates:
    """
    Values a move by a search that the network alone has valued: against the best one, in the same worlds.

    Nothing changes where it was played out, or where no search is.
    """
    best = estimates.moves[0]
    estimate = next((candidate for candidate in estimates.moves if candidate.move.cards == made.cards), best)
    if (
        estimate is best
        or estimate.visits
        or estimate.error is not None
        or estimates.source.method is not Method.CHAMPION
    ):
        return estimates
    searched = evaluate(view, _part(limit), seed, (best.move, made)).estimates.moves
    best_again, made_again = (next(each for each in searched if each.move == move) for move in (best.move, made))
    valued = _behind(best, estimate, best_again, made_again, estimates.source.decides)
    moves = [each for each in estimates.moves if each is not estimate]
    index = sum(_deciding(each, estimates) >= _deciding(valued, estimates) for each in moves)
    return estimates._replace(moves=[*moves[: max(1, index)], valued, *moves[max(1, index) :]])


def _behind(
    best: Estimate, estimate: Estimate, best_again: Estimate, made_again: Estimate, decides: Criterion
) -> Estimate:
    """Puts the move as far behind the best one as it is in their own search, and never before it."""
    gap = best_again.gap_error or made_again.gap_error
    valued = estimate._replace(visits=made_again.visits, error=made_again.error, gap_error=gap)
    if decides is Criterion.POINTS:
        assert best.score is not None and best_again.score is not None and made_again.score is not None
        return valued._replace(win=made_again.win, score=best.score - max(0.0, best_again.score - made_again.score))
    if decides is Criterion.PROOF:
        return valued._replace(win=min(best.win, made_again.win), gap_error=made_again.error)
    return valued._replace(win=max(0.0, best.win - max(0.0, best_again.win - made_again.win)))


def _deciding(estimate: Estimate, estimates: Estimates) -> float:
    return (estimate.score or 0.0) if estimates.source.decides is Criterion.POINTS else estimate.win


def _part(limit: Limit) -> Limit:
    seconds = None if limit.seconds is None else limit.seconds / PART
    return Limit(seconds, None if limit.playouts is None else max(1, limit.playouts // PART))
