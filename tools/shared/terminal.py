"""
The way to the terminal, and on it a game with all hands open.

Made for 80 columns; with fewer, lines and tables fold, and nothing is left out. Colour only marks what is in the
words, too, and rich leaves it out where no terminal is.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from string import Formatter
from typing import Any

import click
import rich.console
from rich.cells import cell_len
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Span, Text

from ddzbot.cards import Hand, hand_text, size
from ddzbot.game import SEAT_NAMES, SEATS, Game, final_bid
from ddzbot.rules import BOMB, ROCKET, Move

from .json_text import points_text
from .language import kind_word, padded, seat_word, template, tr, translate
from .message import Message, joined
from .plain import plain, plain_lines

SEAT_STYLES = ("bold yellow", "cyan", "green")
STRONG = "bold red"
FAULT = "bold red"
QUIET = "dim"
NAME_WIDTH = max(map(len, SEAT_NAMES))
HANG = 4
"""Columns before the rest of a folded line."""
GAP = 2
"""Columns literal two of a table."""


class Console(rich.console.Console):
    """
    The one way by which commands print more than a line of their own: a terminal obeys no text of a stranger.

    A message is translated. Texts are no markup, and control characters in them are shown as escapes, before anything
    is measured.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Makes a text of what is printed, or stands in a cell."""
        return super().render_str(plain_lines(translate(text)), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Makes segments of whatever is printed; only rich's own ones are for the terminal to obey."""
        escaped = _plain_text(renderable) if isinstance(renderable, Text) else renderable
        for segment in super().render(escaped, options):
            yield segment if segment.control else segment._replace(text=plain_lines(segment.text))

    def out(self, *objects: Any, **options: Any) -> None:
        """Prints without a layout."""
        super().out(*(plain_lines(str(item)) for item in objects), **options)


def say(line: str, err: bool = False) -> None:
    """Prints one line, which may be a message, however wide the terminal is."""
    click.echo(plain(translate(line)), err=err)


def print_line(console: Console, text: Text | str, style: str = "") -> None:
    """Prints one line; what is too long for the terminal is folded, a little from the left."""
    line = _plain_text(Text(text, style) if isinstance(text, str) else text)
    if line.cell_len <= console.width:
        console.print(line)
        return
    head = line.wrap(console, console.width, overflow="fold")[0]
    tail = line[len(head) + len(line.plain[len(head) :]) - len(line.plain[len(head) :].lstrip()) :]
    others = tail.wrap(console, max(1, console.width - HANG), overflow="fold")
    for part in (head, *(Text(" " * HANG) + folded for folded in others)):
        part.rstrip()
        console.print(part, no_wrap=True)


def print_table(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], keys: int) -> None:
    """Prints a table, or as many tables as the terminal is narrow; the first *keys* columns stand in each of them."""
    cells = [[str(column.header), *(row[index] for row in rows)] for index, column in enumerate(columns)]
    widths = [max(map(cell_len, column_cells)) for column_cells in cells]
    begin, room = keys, console.width - sum(widths[:keys]) - GAP * keys
    while begin < len(columns):
        end = begin + 1
        while end < len(columns) and sum(widths[begin : end + 1]) + GAP * (end + 1 - begin) <= room:
            end += 1
        columns_shown = [*range(keys), *range(begin, end)]
        table = folding_table(*(replace(columns[index], _cells=[]) for index in columns_shown))
        for row in rows:
            table.add_row(*(row[index] for index in columns_shown))
        console.print(table)
        begin = end


def folding_table(*columns: Column | str, header: bool = True) -> Table:
    """Makes a table without lines, with cells that are folded where they do not fit."""
    table = Table(*columns, box=None, show_header=header, pad_edge=False, padding=(0, GAP, 0, 0), header_style="")
    for column in table.columns:
        column.overflow = "fold"
    return table


class PlainFormatter(logging.Formatter):
    """Writes what is logged as a terminal may have it."""

    def format(self, record: logging.LogRecord) -> str:
        """Writes one record; its traceback may have many lines."""
        return plain_lines(super().format(record))


def _plain_text(text: Text) -> Text:
    """Gets *text* with escapes; what was in a style stays in it."""
    escaped = plain_lines(text.plain)
    if escaped == text.plain:
        return text
    begins = [0, *accumulate(len(plain_lines(character)) for character in text.plain)]
    copy = text.blank_copy(escaped)
    copy.spans = [Span(begins[span.start], begins[min(span.end, len(text.plain))], span.style) for span in text.spans]
    return copy


HUNDREDTHS = Message("These rules add hundredths for each move, won or lost.")
"""Why a player that loses gets points."""


class GameScreen:
    """
    Draws one game, part by part, as it is played.

    *names* are the players, by position. For example::

        screen = GameScreen(Console(), ["rule", "random", "random"])
        screen.opening(game)
        for move in moves:
            game = game.play(move)
            screen.move(game)
        screen.result(game)
    """

    def __init__(self, console: Console, names: Sequence[str]) -> None:
        self._console = console
        self._names = list(map(plain, names))

    def bid(self, position: int, bid: int, below: Sequence[Text] = ()) -> None:
        """Draws a bid, and lines *below* it."""
        player = Message("player {number}", number=position)
        self._line(
            tr("{name} bids {points}", name=player, points=bid) if bid else tr("{name} does not bid", name=player)
        )
        self._print_all(below)

    def opening(self, game: Game) -> None:
        """Draws the seats, the bottom and the hands, before the first move."""
        rules = game.rules.name
        if game.rules.bidding:
            self._line(tr("rules {rules}, bid {points}", rules=rules, points=final_bid(game.bids)))
        else:
            self._line(tr("rules {rules}", rules=rules))
        for seat in range(SEATS):
            position = (game.landlord_position + seat) % SEATS
            player = tr("player {number}: {name}", number=position, name=self._names[position])
            self._print(Text.assemble("  ", seat_cell(seat), f"  {player}"))
        self._line(f"  {padded(tr('bottom'), NAME_WIDTH)}  {hand_text(game.bottom)}")
        self._line("")
        self._hands(game, None)

    def move(self, game: Game, remark: str = "", below: Sequence[Text] = ()) -> None:
        """
        Draws the last move of *game* and what it leaves; a pass is one line, as it leaves everything.

        *remark* is added to the line of the move, the lines *below* follow it.
        """
        ply = len(game.plays)
        move = game.plays[-1]
        seat = (ply - 1) % SEATS
        drawn = Text.assemble(f"{ply:3} ", seat_name(seat), " ", _said(move))
        if remark:
            drawn.append(f"  [{plain(translate(remark))}]")
        self._print(drawn)
        self._print_all(below)
        if not move.is_pass:
            self._hands(game, seat)

    def remark(self, *lines: str) -> None:
        """Draws lines that explain what is drawn, literal two blank ones."""
        self._print_all(Text(translate(sentence), QUIET) for sentence in ("", *lines, ""))

    def fault(self, sentence: str) -> None:
        """Draws what a player did wrong."""
        self._print(Text(f"  ! {plain(translate(sentence))}", FAULT))

    def result(self, game: Game) -> None:
        """Draws the end of a game; nothing before a player is out."""
        winner = game.winner
        if winner is None:
            return
        side = Message("the peasants win" if winner else "the landlord wins")
        self._print(Text(tr("{name} went out: {side}", name=seat_word(winner), side=side), SEAT_STYLES[winner]))
        points = (points_text(score, sign=True) for score in game.scores())
        each = (Message("{name} {points}", name=seat_word(seat), points=paid) for seat, paid in enumerate(points))
        self._line(tr("scores: {scores}", scores=joined(each)))
        if min(game.scores()) > 0:
            self._line(translate(HUNDREDTHS))

    def _hands(self, game: Game, mover: int | None) -> None:
        for seat in range(SEATS):
            hand = game.hands[seat]
            mark = "> " if seat == mover else "  "
            self._print(
                Text.assemble(f"    {mark}", seat_cell(seat), f"  {self._shown(hand, seat):<20}  {size(hand):2}")
            )

    def _shown(self, hand: Hand, seat: int) -> str:
        return hand_text(hand) or "-"

    def _line(self, text: str) -> None:
        self._print(Text(text))

    def _print_all(self, texts: Iterable[Text]) -> None:
        for row in texts:
            self._print(row)

    def _print(self, text: Text) -> None:
        print_line(self._console, text)


def seat_name(seat: int) -> tuple[str, str]:
    """Gets the name of a seat, and its style."""
    return translate(seat_word(seat)), SEAT_STYLES[seat]


def seat_cell(seat: int) -> tuple[str, str]:
    """Gets the name of a seat as the first of several columns, and its style."""
    return padded(translate(seat_word(seat)), NAME_WIDTH), SEAT_STYLES[seat]


def named(move: Move) -> Text:
    """Gets the cards of a move, with their style, and their kind."""
    style = STRONG if move.kind in (BOMB, ROCKET) else "bold"
    return styled("{move} ({kind})", move=(hand_text(move.cards), style), kind=(translate(kind_word(move.kind)), ""))


def styled(key: str, /, **values: Text | tuple[str, str]) -> Text:
    """Translates a message with values that have styles of their own; they stand in it as they are."""
    parts: list[str | Text | tuple[str, str]] = []
    for literal, field, _, _ in Formatter().parse(template(key)):
        parts += [literal] if field is None else [literal, values[field]]
    return Text.assemble(*parts)


def _said(move: Move) -> Text:
    return Text(tr("passes"), "dim") if move.is_pass else styled("plays {move}", move=named(move))
