"""Shows an analysis to people: the best moves, how the game may go on, and where the hidden cards are."""

from collections.abc import Iterable, Sequence

from rich.table import Column
from rich.text import Text

from ddzbot.cards import RANKS, count, hand_text, size
from ddzbot.game import SEAT_NAMES
from ddzbot.opinion import Decides, Method
from ddzbot.rules import KIND_NAMES
from ddzbot.split import fewest_moves
from ddzbot.view import BidView, View

from ...shared.language import padded, told
from ...shared.terminal import Console, print_line, print_table, seat_cell, seat_name
from .model import RANKED_BY, Analysis, BidAnalysis, Counts, MoveAnalysis, percent

BAR = 10
"""Characters of a full bar."""
WORD = 8
LABEL, CELL = 14, 4
"""Columns of a row's label, and of a cell behind it."""
_UNKNOWN = "-"


def show(console: Console, view: View | BidView, analysis: Analysis | BidAnalysis) -> None:
    """Shows the analysis of *view*; colour only marks what the words say too."""
    if isinstance(view, BidView):
        assert isinstance(analysis, BidAnalysis)
        _show_bids(console, view, analysis)
        return
    assert isinstance(analysis, Analysis)
    _show_view(console, view)
    _say(console, f"moves, {RANKED_BY[analysis.notes.source.decides]}")
    _show_moves(console, view, analysis)
    _show_lines(console, analysis.moves)
    print_line(console, "")
    _show_hidden(console, view, analysis)
    print_line(console, "")
    print_line(console, _made_by(analysis), "dim")


def bar(share: float) -> str:
    """Draws a probability. For example, 0.42 is ``####......``."""
    filled = min(BAR, max(0, int(share * BAR + 0.5)))
    return "#" * filled + "." * (BAR - filled)


def _say(console: Console, sentence: str, style: str = "") -> None:
    print_line(console, told(sentence), style)


def _word(word: str) -> str:
    """Gets the first word of a line, as wide as all are."""
    return padded(told(word), WORD)


# The position.


def _show_view(console: Console, view: View) -> None:
    if view.to_beat is None or view.table_seat is None:
        turn = "to lead"
    else:
        turn = f"to beat {view.to_beat} ({KIND_NAMES[view.to_beat.kind]}) of {SEAT_NAMES[view.table_seat]}"
    print_line(console, Text.assemble(told(f"rules {view.rules.name}: "), seat_name(view.seat), told(f" {turn}")))
    fewest = fewest_moves(view.rules, view.hand)
    held = told(f"({size(view.hand)} cards, {_moves(fewest)} at the fewest)")
    print_line(console, f"{_word('hand')}{hand_text(view.hand)}  {held}")
    print_line(console, f"{_word('bottom')}{hand_text(view.bottom) or told('unknown')}")
    print_line(console, "")


def _moves(number: int) -> str:
    return f"{number} move" if number == 1 else f"{number} moves"


# The moves.


def _show_moves(console: Console, view: View, analysis: Analysis) -> None:
    counted = "worlds" if analysis.notes.source.method is Method.CHAMPION else "playouts"
    columns = [
        _right(""),
        Column(told("move"), style="bold"),
        _right("win"),
        Column(""),
        *map(_right, ("score", "+-", counted, "prior", "moves left")),
    ]
    before = fewest_moves(view.rules, view.hand)
    points = analysis.notes.source.decides is Decides.POINTS
    rows = [
        (
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
        for number, known in enumerate(analysis.moves, 1)
    ]
    print_table(console, columns, rows, keys=2)


def _right(heading: str) -> Column:
    return Column(told(heading), justify="right")


def _error(error: float | None, points: bool) -> str:
    """Writes a standard error in the unit of what decides."""
    if error is None:
        return _UNKNOWN
    return f"{error:.2f}" if points else f"{100 * error:.1f} %"


def _show_lines(console: Console, moves: Sequence[MoveAnalysis]) -> None:
    print_line(console, "")
    _say(console, "how it may go on")
    for number, known in enumerate(moves, 1):
        print_line(
            console, f"{number:>2}  " + "  ".join(told("pass") if move.is_pass else str(move) for move in known.line)
        )


# The hidden cards.


def _show_hidden(console: Console, view: View, analysis: Analysis) -> None:
    ranks = [rank for rank in range(len(RANKS)) if count(view.unseen, rank)]
    _say(console, "hidden cards, in per cent of what may be (. cannot be, 100 is certain)")
    across = max(1, (console.width - LABEL) // CELL)
    for first in range(0, len(ranks), across):
        _show_ranks(console, view, analysis, ranks[first : first + across])


def _show_ranks(console: Console, view: View, analysis: Analysis, ranks: Sequence[int]) -> None:
    def row(label: str, cells: Iterable[str]) -> None:
        print_line(console, padded(told(label), LABEL) + "".join(cell.rjust(CELL) for cell in cells))

    row("", (RANKS[rank] for rank in ranks))
    row("unseen", (str(count(view.unseen, rank)) for rank in ranks))
    for seat, shares in analysis.hidden.items():
        cards = view.cards_left(seat)
        print_line(console, Text.assemble(seat_cell(seat), told(f"  {cards} card{'s' if cards != 1 else ''}")))
        for least, words in ((1, "1 or more"), (2, "2 or more"), (3, "3 or more"), (4, "all 4")):
            found = [_at_least(shares[rank], least) for rank in ranks]
            if any(cell != "." for cell in found):
                row(f"  {words}", found)


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
    return "; ".join([*map(told, parts), str(analysis.notes.more["network"])])


# The auction.


def _show_bids(console: Console, view: BidView, analysis: BidAnalysis) -> None:
    earlier = ", ".join(map(str, view.bids)) or "none"
    _say(console, f"rules {view.rules.name}: position {len(view.bids)} to bid; earlier bids: {earlier}")
    print_line(console, f"{_word('hand')}{hand_text(view.hand)}  {told(f'(worth {analysis.points} points)')}")
    print_line(console, "")
    columns = [_right("bid"), _right("win"), Column(""), _right("score"), _right("landlord"), Column("")]
    rows = [
        (
            str(worth.bid),
            _UNKNOWN if worth.win is None else percent(worth.win),
            "" if worth.win is None else bar(worth.win),
            _UNKNOWN if worth.score is None else f"{worth.score:+.2f}",
            _UNKNOWN if worth.landlord is None else percent(worth.landlord),
            told("recommended") if worth.bid == analysis.bid else "",
        )
        for worth in analysis.bids
    ]
    print_table(console, columns, rows, keys=1)
    print_line(console, "")
    _say(console, f"{analysis.notes['method']}, {analysis.deals} deals in {analysis.seconds:.2f} s", "dim")
