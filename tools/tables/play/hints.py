"""What a hint says: the best moves or bids by tools.look.analyse, from what the person knows."""

from ddzbot.opinion import Decides
from ddzbot.rules import KIND_NAMES, Move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...look.analyse.analyse import analyse_any
from ...look.analyse.model import RANKED_BY, Analysis, BidAnalysis, percent
from ...shared.language import told

__all__ = ["hint_lines", "move_lines"]

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
    for number, found in enumerate(analysis.moves[:TOLD_MOVES]):
        rest = f"then {found.fewest} move{'' if found.fewest == 1 else 's'} to go out" if found.fewest else "and out"
        points = [f"{found.score:+.2f} points"] if decides is Decides.POINTS and found.score is not None else []
        said = [_named(found.move), *map(told, (*points, f"wins {percent(found.win)}", rest))]
        lines.append(f"{told('  or:' if number else 'hint:')} {', '.join(said)}")
    return [*lines, told(f"      {RANKED_BY[decides]}; {analysis.playouts:,} playouts")]


def _bid_lines(analysis: BidAnalysis) -> list[str]:
    lines = [f"{told('hint:')} {_bid(analysis.bid)}"]
    for worth in analysis.bids:
        if worth.win is not None:
            points = [] if worth.score is None else [told(f"{worth.score:+.2f} points")]
            lines.append(f"      {_bid(worth.bid)}: {', '.join([told(f'wins {percent(worth.win)}'), *points])}")
    return lines


def _bid(bid: int) -> str:
    return told(f"bid {bid}" if bid else "do not bid")


def _named(move: Move) -> str:
    return told("pass") if move.is_pass else f"{move} ({told(KIND_NAMES[move.kind])})"
