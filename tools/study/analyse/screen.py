"""Shows an analysis to people: the best moves, how the game may continue, and where the hidden cards are."""

from collections.abc import Iterable, Sequence

from rich.table import Column
from rich.text import Text

from ddzbot.cards import RANKS, count, hand_text, size
from ddzbot.evaluation import Criterion, Method
from ddzbot.rules import Move
from ddzbot.split import fewest_moves
from ddzbot.view import BidView, View

from ...shared.language import kind_word, padded, seat_word, tr, translate
from ...shared.message import English, Message, clauses, joined, prose
from ...shared.terminal import Console, print_line, print_table, seat_cell, seat_name, styled
from .model import RANKED_BY, Analysis, BidAnalysis, Counts, MoveAnalysis, percent

BAR = 10
"""Characters of a full bar."""
WORD = 8
LABEL, CELL = 14, 4
"""Columns of a row's label, and of a cell behind it."""
AT_LEAST = (Message("1 or more"), Message("2 or more"), Message("3 or more"), Message("all 4"))
METHODS = {
    Method.CHAMPION: "champion",
    Method.NETWORK: Message("champion, its network alone"),
    Method.MCTSHS: "mctshs",
    Method.RULES: Message("playouts by rules"),
    Method.EXACT: Message("exact"),
}
"""Names of players, or messages."""
_UNKNOWN = "-"


def show(console: Console, view: View | BidView, analysis: Analysis | BidAnalysis, made: Move | None = None) -> None:
    """Shows the analysis of *view*, in which a move was *made*; colour only marks what is in the words, too."""
    if isinstance(view, BidView):
        assert isinstance(analysis, BidAnalysis)
        _show_bids(console, view, analysis)
        return
    assert isinstance(analysis, Analysis)
    _show_view(console, view)
    print_line(console, tr("moves, {ranked}", ranked=RANKED_BY[analysis.notes.source.decides]))
    _show_moves(console, view, analysis, made)
    _show_lines(console, analysis.moves)
    print_line(console, "")
    _show_hidden(console, view, analysis)
    print_line(console, "")
    print_line(console, _made_by(analysis), "dim")


def bar(share: float) -> str:
    """Draws a probability. For example, 0.42 is ``####......``."""
    filled = min(BAR, max(0, int(share * BAR + 0.5)))
    return "#" * filled + "." * (BAR - filled)


def _hand(cards: str) -> str:
    return padded(tr("hand"), WORD) + cards


# The position.


def _show_view(console: Console, view: View) -> None:
    if view.to_beat is None or view.table_seat is None:
        turn = tr("to lead")
    else:
        beaten = {"kind": kind_word(view.to_beat.kind), "name": seat_word(view.table_seat)}
        turn = tr("to beat {move} ({kind}) of {name}", move=view.to_beat, **beaten)
    values = {"rules": (view.rules.name, ""), "seat": seat_name(view.seat), "turn": (turn, "")}
    print_line(console, styled("rules {rules}: {seat} {turn}", **values))
    cards, fewest = size(view.hand), fewest_moves(view.rules, view.hand)
    held = (
        tr("({cards} cards, {moves} move at the fewest)", cards=cards, moves=fewest)
        if fewest == 1
        else tr("({cards} cards, {moves} moves at the fewest)", cards=cards, moves=fewest)
    )
    print_line(console, _hand(f"{hand_text(view.hand)}  {held}"))
    print_line(console, padded(tr("bottom"), WORD) + (hand_text(view.bottom) or tr("unknown", "cards")))
    print_line(console, "")


# The moves.


def _show_moves(console: Console, view: View, analysis: Analysis, made: Move | None) -> None:
    columns = [
        _right(""),
        Column(tr("move"), style="bold"),
        _right(tr("win")),
        Column(""),
        _right(tr("score")),
        _right("+-"),
        _right(tr("worlds" if analysis.notes.source.method is Method.CHAMPION else "playouts")),
        _right(tr("prior")),
        _right(tr("moves left")),
    ]
    before = fewest_moves(view.rules, view.hand)
    points = analysis.notes.source.decides is Criterion.POINTS
    rows = [
        (
            str(candidate.rank),
            _named(candidate.move) if candidate.move != made else tr("{move}, played", move=_word(made)),
            percent(candidate.win),
            bar(candidate.win),
            _UNKNOWN if candidate.score is None else f"{candidate.score:+.2f}",
            _error(candidate.error, points),
            f"{candidate.visits:,}" if candidate.visits else _UNKNOWN,
            _UNKNOWN if candidate.prior is None else percent(candidate.prior),
            f"{before} -> {candidate.fewest}",
        )
        for candidate in analysis.moves
    ]
    print_table(console, columns, rows, keys=2)


def _right(heading: str) -> Column:
    return Column(heading, justify="right")


def _named(move: Move) -> str:
    return translate(_word(move))


def _word(move: Move) -> str:
    return Message("pass") if move.is_pass else str(move)


def _error(error: float | None, points: bool) -> str:
    """Writes a standard error in the unit of what decides."""
    if error is None:
        return _UNKNOWN
    return f"{error:.2f}" if points else tr("{share} %", share=f"{100 * error:.1f}")


def _show_lines(console: Console, moves: Sequence[MoveAnalysis]) -> None:
    print_line(console, "")
    print_line(console, tr("possible continuations"))
    for candidate in moves:
        print_line(console, f"{candidate.rank:>2}  " + "  ".join(map(_named, candidate.line)))


# The hidden cards.


def _show_hidden(console: Console, view: View, analysis: Analysis) -> None:
    ranks = [rank for rank in range(len(RANKS)) if count(view.unseen, rank)]
    print_line(console, tr("hidden cards, in per cent of what may be (. cannot be, 100 is certain)"))
    across = max(1, (console.width - LABEL) // CELL)
    for start in range(0, len(ranks), across):
        _show_ranks(console, view, analysis, ranks[start : start + across])


def _show_ranks(console: Console, view: View, analysis: Analysis, ranks: Sequence[int]) -> None:
    def row(label: str, cells: Iterable[str]) -> None:
        print_line(console, padded(label, LABEL) + "".join(cell.rjust(CELL) for cell in cells))

    row("", (RANKS[rank] for rank in ranks))
    row(tr("unseen"), (str(count(view.unseen, rank)) for rank in ranks))
    for seat, shares in analysis.hidden.items():
        cards = view.cards_left(seat)
        left = tr("{count} card", count=cards) if cards == 1 else tr("{count} cards", count=cards)
        print_line(console, Text.assemble(seat_cell(seat), f"  {left}"))
        for least, label in enumerate(AT_LEAST, 1):
            cells = [_at_least(shares[rank], least) for rank in ranks]
            if any(cell != "." for cell in cells):
                row(f"  {translate(label)}", cells)


def _at_least(shares: Counts, least: int) -> str:
    """Writes the probability of *least* cards or more in whole per cent; only what is certain is 100."""
    if all(share == 0.0 for share in shares[least:]):
        return "."
    if all(share == 0.0 for share in shares[:least]):
        return "100"
    return str(min(99, max(1, round(100 * sum(shares[least:])))))


def _made_by(analysis: Analysis) -> str:
    source = analysis.notes.source
    method, count, seconds = METHODS[source.method], f"{analysis.playouts:,}", f"{analysis.seconds:.2f}"
    parts: list[str] = [
        Message("{method}, {count} playouts in {seconds} s", method=method, count=count, seconds=seconds)
    ]
    if source.no_champion:
        parts.insert(0, Message("not the champion ({why})", why=English(source.no_champion)))
    if source.certain is not None:
        parts.append(Message("{move} wins for certain", move=source.certain))
    return translate(clauses([*parts, analysis.notes.more["network"]]))


# The auction.


def _show_bids(console: Console, view: BidView, analysis: BidAnalysis) -> None:
    earlier = joined(map(str, view.bids)) or Message("none")
    turn = "rules {rules}: position {number} to bid; earlier bids: {bids}"
    print_line(console, tr(turn, rules=view.rules.name, number=len(view.bids), bids=earlier))
    worth = tr("(worth {points} points)", points=analysis.points)
    print_line(console, _hand(f"{hand_text(view.hand)}  {worth}"))
    print_line(console, "")
    heads = (tr("bid"), tr("win"), "", tr("score"), tr("landlord"), "")
    columns = [_right(head) if head else Column("") for head in heads]
    rows = [
        (
            str(worth.bid),
            _UNKNOWN if worth.win is None else percent(worth.win),
            "" if worth.win is None else bar(worth.win),
            _UNKNOWN if worth.score is None else f"{worth.score:+.2f}",
            _UNKNOWN if worth.landlord is None else percent(worth.landlord),
            tr("recommended") if worth.bid == analysis.bid else "",
        )
        for worth in analysis.bids
    ]
    print_table(console, columns, rows, keys=1)
    print_line(console, "")
    method, seconds = prose(analysis.notes["method"]), f"{analysis.seconds:.2f}"
    made = tr("{method}, {count} deals in {seconds} s", method=method, count=analysis.deals, seconds=seconds)
    print_line(console, made, "dim")
