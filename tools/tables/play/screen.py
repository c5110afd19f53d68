"""
Draws a game for one of those who play it: own cards open, of the others only how many they are.

Everything before the end is drawn from a View and from public events, which know no more than the person may.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from rich.console import RenderableType
from rich.text import Text

from ddzbot.cards import RANKS, Hand, counts, hand_text, size
from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.rules import BOMB, KIND_NAMES, ROCKET, Move, RuleSet
from ddzbot.view import BidView, View

from ...records.record import GameRecord
from ...shared.json_text import number_text
from ...shared.terminal import NAME_WIDTH, SEAT_STYLES, STRONG, Console
from ..table.events import BidMade, Event, GameOver, LandlordNamed, MoveMade
from .words import HELP

__all__ = ["PlayScreen", "spaced"]

FEW = 2
"""So few cards of somebody else are drawn as a warning."""

HELP_WIDTH = 11


class PlayScreen:
    """Draws one game for the person at *position*; *names* are by position."""

    def __init__(self, console: Console, position: int, names: Sequence[str]) -> None:
        self.console = console
        self._position = position
        self._names = ["you" if place == position else name for place, name in enumerate(names)]

    def title(self, rules: RuleSet, seed: int) -> None:
        """Draws what is played; the same *seed* deals the same cards."""
        self.line(f"Dou Dizhu, rules {rules.name}, deal {seed}. 'help' lists what you can type.")

    def event(self, event: Event, view: View | BidView) -> None:
        """Draws what just happened; *view* is the person's, after it."""
        if isinstance(event, BidMade):
            who = "you" if event.position == self._position else f"player {event.position}"
            verb = ("bid", "do not bid") if event.position == self._position else ("bids", "does not bid")
            self.line(f"{who} {verb[0]} {event.bid}" if event.bid else f"{who} {verb[1]}")
        elif isinstance(event, LandlordNamed):
            self._seating(event, view)
        elif isinstance(event, MoveMade) and isinstance(view, View):
            self._move(event, view)

    def position(self, view: View | BidView) -> None:
        """Draws the table as the person sees it before a decision."""
        self.line("")
        if isinstance(view, BidView):
            self._print(Text.assemble("    your hand   ", (spaced(view.hand), "bold")))
            return
        for seat in range(SEATS):
            if seat != view.seat:
                self._print(Text.assemble("    ", _seat(seat), *self._others_cards(view, seat)))
        own = Text.assemble("    ", _seat(view.seat), f"  {size(view.hand):2}  ", (spaced(view.hand), "bold"))
        self._print(own)
        seat_to_beat, to_beat = view.table_seat, view.to_beat
        if to_beat is None or seat_to_beat is None:
            self.line("  You lead: lay what you like.")
        else:
            self._print(Text.assemble("  To beat: ", *_named(to_beat), " of ", _name(seat_to_beat), "."))

    def end(self, record: GameRecord, event: GameOver, own_seat: int) -> None:
        """Draws the end, with all hands open."""
        wins = (event.seat == 0) == (own_seat == 0)
        side = "the peasants win" if event.seat else "the landlord wins"
        verdict = "You win!" if wins else "You lose."
        self.line("")
        self._print(Text.assemble(_name(event.seat), f" is out: {side}. ", (verdict, "bold")))
        game = record.game()
        for seat in range(SEATS):
            points = number_text(round(event.scores[seat], 2))
            shown = f"  {spaced(game.hands[seat]) or '-':<38}  {'' if points.startswith('-') else '+'}{points}"
            self._print(Text.assemble("    ", _seat(seat), shown, "  (you)" if seat == own_seat else ""))

    def fault(self, sentence: str) -> None:
        """Says what was wrong."""
        self._print(Text.assemble("  ! ", sentence), wrap=True)

    def help(self, rows: Sequence[tuple[str, str]] = HELP) -> None:
        """Draws what can be typed."""
        for word, meaning in rows:
            self.line(f"  {word:<{HELP_WIDTH}}{meaning}")

    def table(self, table: RenderableType) -> None:
        """Draws a table."""
        self.console.print(table, highlight=False)

    def lines(self, lines: Iterable[str]) -> None:
        """Draws lines of text."""
        for line in lines:
            self.line(line)

    def line(self, text: str) -> None:
        """Draws one line of text; what is too long for the terminal goes on in the next one."""
        self._print(Text(text), wrap=True)

    def thinking(self) -> AbstractContextManager[object]:
        """Shows in a terminal that somebody thinks, for as long as the context lasts."""
        return self.console.status("thinking ...") if self.console.is_terminal else nullcontext()

    def _seating(self, event: LandlordNamed, view: View | BidView) -> None:
        stake = f"  at {event.stake}" if view.rules.bidding else ""
        for seat in range(SEATS):
            position = (event.position + seat) % SEATS
            said = f"  player {position}: {self._names[position]}{'' if seat else stake}"
            self._print(Text.assemble("  ", _seat(seat), said))
        self._print(Text.assemble("  ", "bottom".ljust(NAME_WIDTH), "  ", spaced(event.bottom)))

    def _move(self, event: MoveMade, view: View) -> None:
        number = f"{len(view.plays):3} "
        own = event.position == self._position
        who: tuple[str, str] = ("you" if own else SEAT_NAMES[event.seat], SEAT_STYLES[event.seat])
        if event.move.is_pass:
            self._print(Text.assemble(number, who, (" pass" if own else " passes", "dim")))
            return
        left = view.cards_left(event.seat)
        verb = " lay " if own else " lays "
        self._print(Text.assemble(number, who, verb, *_named(event.move), f", {left} left" if left else ""))

    def _others_cards(self, view: View, seat: int) -> list[str | tuple[str, str]]:
        left = view.cards_left(seat)
        name = self._names[(view.landlord_position + seat) % SEATS]
        partner = ", your partner" if view.is_partner(seat) else ""
        cards = "card" if left == 1 else "cards"
        return [(f"  {left:2}", STRONG if left <= FEW else ""), f"  {cards:<5} ({name}{partner})"]

    def _print(self, text: Text, wrap: bool = False) -> None:
        self.console.print(text, no_wrap=not wrap, overflow="fold" if wrap else "ellipsis", highlight=False)


def spaced(hand: Hand) -> str:
    """Gets the cards with a blank between the ranks. For example, ``33 4 55 L``."""
    return " ".join(RANKS[rank] * number for rank, number in enumerate(counts(hand)) if number)


def _seat(seat: int) -> tuple[str, str]:
    return SEAT_NAMES[seat].ljust(NAME_WIDTH), SEAT_STYLES[seat]


def _name(seat: int) -> tuple[str, str]:
    return SEAT_NAMES[seat], SEAT_STYLES[seat]


def _named(move: Move) -> list[str | tuple[str, str]]:
    style = STRONG if move.kind in (BOMB, ROCKET) else "bold"
    return [(hand_text(move.cards), style), f" ({KIND_NAMES[move.kind]})"]
