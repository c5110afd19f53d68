"""Shows an analysis to people: the best moves, how the game may go on, and where the hidden cards are."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ddzbot.cards import RANKS, count, hand_text, size
from ddzbot.game import SEAT_NAMES
from ddzbot.opinion import Decides, Method
from ddzbot.rules import KIND_NAMES
from ddzbot.split import fewest_moves
from ddzbot.view import BidView, View

from ...shared.terminal import NAME_WIDTH, SEAT_STYLES, Console
from .model import RANKED_BY, Analysis, BidAnalysis, Counts, MoveAnalysis, percent

BAR = 10
"""Characters of a full bar."""
LABEL = 14
_UNKNOWN = "-"


def show(console: Console, view: View | BidView, analysis: Analysis | BidAnalysis) -> None:
    """Shows the analysis of *view* in 80 columns; colour only marks what the words say too."""
    if isinstance(view, BidView):
        assert isinstance(analysis, BidAnalysis)
        _show_bids(console, view, analysis)
        return
    assert isinstance(analysis, Analysis)
    _show_view(console, view)
    _line(console, f"moves, {RANKED_BY[analysis.notes.source.decides]}")
    console.print(_moves_table(view, analysis))
    _show_lines(console, analysis.moves)
    _line(console, "")
    _show_hidden(console, view, analysis)
    _line(console, "")
    _line(console, _made_by(analysis), "dim")


def bar(share: float) -> str:
    """Draws a probability. For example, 0.42 is ``####......``."""
    filled = min(BAR, max(0, int(share * BAR + 0.5)))
    return "#" * filled + "." * (BAR - filled)


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style), no_wrap=True, overflow="ellipsis", highlight=False)


# The position.


def _show_view(console: Console, view: View) -> None:
    if view.to_beat is None or view.table_seat is None:
        turn = "to lead"
    else:
        turn = f"to beat {view.to_beat} ({KIND_NAMES[view.to_beat.kind]}) of {SEAT_NAMES[view.table_seat]}"
    name = SEAT_NAMES[view.seat]
    console.print(
        Text.assemble(f"rules {view.rules.name}: ", (name, SEAT_STYLES[view.seat]), f" {turn}"), highlight=False
    )
    fewest = fewest_moves(view.rules, view.hand)
    _line(console, f"hand    {hand_text(view.hand)}  ({size(view.hand)} cards, {_moves(fewest)} at the fewest)")
    _line(console, f"bottom  {hand_text(view.bottom) or 'unknown'}")
    _line(console, "")


def _moves(number: int) -> str:
    return f"{number} move" if number == 1 else f"{number} moves"


# The moves.


def _moves_table(view: View, analysis: Analysis) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("move", no_wrap=True, style="bold")
    table.add_column("win", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    counted = "worlds" if analysis.notes.source.method is Method.CHAMPION else "playouts"
    for name in ("score", "+-", counted, "prior", "moves left"):
        table.add_column(name, justify="right", no_wrap=True)
    before = fewest_moves(view.rules, view.hand)
    points = analysis.notes.source.decides is Decides.POINTS
    for number, known in enumerate(analysis.moves, 1):
        table.add_row(
            str(number),
            str(known.move),
            percent(known.win),
            bar(known.win),
            _UNKNOWN if known.score is None else f"{known.score:+.2f}",
            _error(known.error, points),
            f"{known.visits:,}" if known.visits else _UNKNOWN,
            _UNKNOWN if known.prior is None else percent(known.prior),
            f"{before} -> {known.fewest}",
        )
    return table


def _error(error: float | None, points: bool) -> str:
    """Writes a standard error in the unit of what decides."""
    if error is None:
        return _UNKNOWN
    return f"{error:.2f}" if points else f"{100 * error:.1f} %"


def _show_lines(console: Console, moves: Sequence[MoveAnalysis]) -> None:
    _line(console, "")
    _line(console, "how it may go on")
    for number, known in enumerate(moves, 1):
        _line(console, f"{number:>2}  " + "  ".join("pass" if move.is_pass else str(move) for move in known.line))


# The hidden cards.


def _show_hidden(console: Console, view: View, analysis: Analysis) -> None:
    ranks = [rank for rank in range(len(RANKS)) if count(view.unseen, rank)]
    _line(console, "hidden cards, in per cent of what may be (. cannot be, 100 is certain)")
    _line(console, "".ljust(LABEL) + "".join(RANKS[rank].rjust(4) for rank in ranks))
    _line(console, "unseen".ljust(LABEL) + "".join(str(count(view.unseen, rank)).rjust(4) for rank in ranks))
    for seat, shares in analysis.hidden.items():
        name = Text(SEAT_NAMES[seat].ljust(NAME_WIDTH), SEAT_STYLES[seat])
        cards = view.cards_left(seat)
        console.print(Text.assemble(name, f"  {cards} card{'s' if cards != 1 else ''}"), highlight=False)
        for least, words in ((1, "1 or more"), (2, "2 or more"), (3, "3 or more"), (4, "all 4")):
            row = [_at_least(shares[rank], least) for rank in ranks]
            if any(cell != "." for cell in row):
                _line(console, f"  {words}".ljust(LABEL) + "".join(cell.rjust(4) for cell in row))


def _at_least(shares: Counts, least: int) -> str:
    """Writes the probability of *least* cards or more in whole per cent; only what is certain is 100."""
    if all(share == 0.0 for share in shares[least:]):
        return "."
    if all(share == 0.0 for share in shares[:least]):
        return "100"
    return str(min(99, max(1, round(100 * sum(shares[least:])))))


def _made_by(analysis: Analysis) -> str:
    source = analysis.notes.source
    made = f"{source.method.value}, {analysis.playouts:,} playouts in {analysis.seconds:.2f} s"
    parts = [made]
    if source.no_champion:
        parts.insert(0, f"not the champion ({source.no_champion})")
    if source.certain is not None:
        parts.append(f"{source.certain} wins for certain")
    return "; ".join([*parts, str(analysis.notes.more["network"])])


# The auction.


def _show_bids(console: Console, view: BidView, analysis: BidAnalysis) -> None:
    earlier = ", ".join(map(str, view.bids)) or "none"
    _line(console, f"rules {view.rules.name}: position {len(view.bids)} to bid; earlier bids: {earlier}")
    _line(console, f"hand    {hand_text(view.hand)}  (worth {analysis.points} points)")
    _line(console, "")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bid", justify="right")
    table.add_column("win", justify="right")
    table.add_column("")
    table.add_column("score", justify="right")
    table.add_column("landlord", justify="right")
    table.add_column("")
    for worth in analysis.bids:
        table.add_row(
            str(worth.bid),
            _UNKNOWN if worth.win is None else percent(worth.win),
            "" if worth.win is None else bar(worth.win),
            _UNKNOWN if worth.score is None else f"{worth.score:+.2f}",
            _UNKNOWN if worth.landlord is None else percent(worth.landlord),
            "recommended" if worth.bid == analysis.bid else "",
        )
    console.print(table)
    _line(console, "")
    _line(console, f"{analysis.notes['method']}, {analysis.deals} deals in {analysis.seconds:.2f} s", "dim")
