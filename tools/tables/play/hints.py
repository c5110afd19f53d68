"""The lines of a hint: the best moves or bids by tools.study.analyse, from what the person knows."""

from ddzbot.evaluation import Criterion
from ddzbot.rules import Move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...shared.language import kind_word, tr
from ...shared.message import Message, joined
from ...study.analyse.analyse import analyse_any
from ...study.analyse.model import RANKED_BY, Analysis, BidAnalysis, percent

TOLD_MOVES = 3


def hint_lines(view: View | BidView, limit: Limit) -> list[str]:
    """
    Makes the lines of a hint within *limit*; where points rank, they stand first. For example::

        hint: 33 (pair), wins 61.2 %, then 4 moves to go out
          or: pass, wins 55.0 %, then 5 moves to go out
              ranked by the chance to win; 5,000 playouts
    """
    analysis = analyse_any(view, limit, top=TOLD_MOVES)
    if isinstance(analysis, BidAnalysis):
        return _bid_lines(analysis)
    return move_lines(analysis)


def move_lines(analysis: Analysis) -> list[str]:
    """Makes the lines of the best moves of an analysis."""
    lines, decides = [], analysis.notes.source.decides
    for rank, move in enumerate(analysis.moves[:TOLD_MOVES]):
        scored = decides is Criterion.POINTS and move.score is not None
        points = [Message("{points} points", points=f"{move.score:+.2f}")] if scored else []
        wins = Message("wins {win}", win=percent(move.win))
        described = joined([_named(move.move), *points, wins, _rest(move.fewest)])
        lines.append("  " + tr("or: {move}", move=described) if rank else tr("hint: {moves}", moves=described))
    count = f"{analysis.playouts:,}"
    return [*lines, "      " + tr("{ranked}; {count} playouts", ranked=RANKED_BY[decides], count=count)]


def _rest(fewest: int) -> Message:
    if fewest == 1:
        return Message("then {count} move to go out", count=fewest)
    return Message("then {count} moves to go out", count=fewest) if fewest else Message("and out")


def _bid_lines(analysis: BidAnalysis) -> list[str]:
    lines = [tr("hint: {moves}", moves=_bid(analysis.bid))]
    for worth in analysis.bids:
        if worth.win is not None:
            parts = [Message("wins {win}", win=percent(worth.win))]
            if worth.score is not None:
                parts.append(Message("{points} points", points=f"{worth.score:+.2f}"))
            lines.append("      " + tr("{bid}: {worth}", bid=_bid(worth.bid), worth=joined(parts)))
    return lines


def _bid(bid: int) -> Message:
    return Message("bid {points}", points=bid) if bid else Message("do not bid")


def _named(move: Move) -> Message:
    if move.is_pass:
        return Message("pass")
    return Message("{move} ({kind})", move=str(move), kind=kind_word(move.kind))
