"""
The way to the terminal, and on it a game with all hands open.

Made for 80 columns. Colour only marks what the words say too, and rich leaves it out where no terminal is.
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import click
import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Span, Text

from ddzbot.cards import hand_text, size
from ddzbot.game import SEAT_NAMES, SEATS, Game, final_bid
from ddzbot.rules import BOMB, KIND_NAMES, ROCKET, Move

from .plain import plain, plain_lines

__all__ = ["Console", "GameScreen", "PlainFormatter", "say"]

SEAT_STYLES = ("bold yellow", "cyan", "green")
STRONG = "bold red"
FAULT = "bold red"
QUIET = "dim"
NAME_WIDTH = max(map(len, SEAT_NAMES))


class Console(rich.console.Console):
    """
    The one way by which commands print more than a line of their own: a terminal obeys nothing that a stranger wrote.

    Texts are no markup, and control characters in them are shown as escapes, before anything is measured.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Makes a text of what is printed, or stands in a cell."""
        return super().render_str(plain_lines(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Makes segments of whatever is printed; only rich's own ones are for the terminal to obey."""
        shown = _plain_text(renderable) if isinstance(renderable, Text) else renderable
        for segment in super().render(shown, options):
            yield segment if segment.control else segment._replace(text=plain_lines(segment.text))

    def out(self, *objects: Any, **options: Any) -> None:
        """Prints without a layout."""
        super().out(*(plain_lines(str(one)) for one in objects), **options)


def say(line: str, err: bool = False) -> None:
    """Prints one line, however wide the terminal is."""
    click.echo(plain(line), err=err)


class PlainFormatter(logging.Formatter):
    """Writes what is logged as a terminal may have it."""

    def format(self, record: logging.LogRecord) -> str:
        """Writes one record, whose traceback may have many lines."""
        return plain_lines(super().format(record))


def _plain_text(text: Text) -> Text:
    """Gets *text* with escapes; what was in a style stays in it."""
    shown = plain_lines(text.plain)
    if shown == text.plain:
        return text
    begins = [0, *accumulate(len(plain_lines(character)) for character in text.plain)]
    copy = text.blank_copy(shown)
    copy.spans = [Span(begins[one.start], begins[min(one.end, len(text.plain))], one.style) for one in text.spans]
    return copy


class GameScreen:
    """
    Draws one game, part by part, as it goes on.

    *names* says who sits at the table, by position. For example::

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
        self._line(f"player {position} " + (f"bids {bid}" if bid else "does not bid"))
        self._print_all(below)

    def opening(self, game: Game) -> None:
        """Draws who sits where, the bottom and the hands, before the first move."""
        rules = Text(f"rules {game.rules.name}")
        if game.rules.bidding:
            rules.append(f", bid {final_bid(game.bids)}")
        self._print(rules)
        for seat in range(SEATS):
            position = (game.landlord_position + seat) % SEATS
            self._print(Text.assemble("  ", _seat(seat), f"  player {position}: {self._names[position]}"))
        self._print(Text.assemble("  ", "bottom".ljust(NAME_WIDTH), "  ", hand_text(game.bottom)))
        self._line("")
        self._hands(game, None)

    def move(self, game: Game, remark: str = "", below: Sequence[Text] = ()) -> None:
        """
        Draws the last move of *game* and what it leaves; a pass is one line, as it leaves everything.

        *remark* is added to the line of the move, the lines *below* follow it.
        """
        number = len(game.plays)
        move = game.plays[-1]
        seat = (number - 1) % SEATS
        line = Text.assemble(f"{number:3} ", (SEAT_NAMES[seat], SEAT_STYLES[seat]), " ", _said(move))
        if remark:
            line.append(f"  [{plain(remark)}]")
        self._print(line)
        self._print_all(below)
        if not move.is_pass:
            self._hands(game, seat)

    def remark(self, *lines: str) -> None:
        """Draws lines that explain what is drawn, between two blank ones."""
        self._print_all(Text(line, QUIET) for line in ("", *lines, ""))

    def fault(self, sentence: str) -> None:
        """Draws what a player did wrong."""
        self._print(Text(f"  ! {plain(sentence)}", FAULT))

    def result(self, game: Game) -> None:
        """Draws the end of a game; nothing while nobody is out."""
        winner = game.winner
        if winner is None:
            return
        side = "the peasants win" if winner else "the landlord wins"
        self._print(Text.assemble((f"{SEAT_NAMES[winner]} is out: {side}", SEAT_STYLES[winner])))
        self._line("scores: " + ", ".join(f"{SEAT_NAMES[seat]} {score:+g}" for seat, score in enumerate(game.scores())))

    def _hands(self, game: Game, mover: int | None) -> None:
        for seat in range(SEATS):
            hand = game.hands[seat]
            mark = "> " if seat == mover else "  "
            self._print(Text.assemble(f"    {mark}", _seat(seat), f"  {hand_text(hand) or '-':<20}  {size(hand):2}"))

    def _line(self, text: str) -> None:
        self._print(Text(text))

    def _print_all(self, texts: Iterable[Text]) -> None:
        for text in texts:
            self._print(text)

    def _print(self, text: Text) -> None:
        """Prints one line; what is too long for the terminal ends in dots."""
        self._console.print(text, no_wrap=True, overflow="ellipsis", highlight=False)


def _seat(seat: int) -> tuple[str, str]:
    return SEAT_NAMES[seat].ljust(NAME_WIDTH), SEAT_STYLES[seat]


def _said(move: Move) -> Text:
    if move.is_pass:
        return Text("passes", "dim")
    style = STRONG if move.kind in (BOMB, ROCKET) else "bold"
    return Text.assemble("lays ", (str(move), style), f" ({KIND_NAMES[move.kind]})")
