"""
Draws a game for one of its players: own cards open, of the others only how many they are.

Everything before the end is drawn from a View and from public events, which know no more than the person may.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from rich.console import RenderableType
from rich.table import Column
from rich.text import Text

from ddzbot.cards import RANKS, Hand, counts, size
from ddzbot.game import SEATS
from ddzbot.rules import RuleSet
from ddzbot.view import BidView, View

from ...records.record import GameRecord
from ...shared.json_text import points_text
from ...shared.language import padded, tr, translate
from ...shared.message import Message, joined
from ...shared.terminal import (
    HUNDREDTHS,
    NAME_WIDTH,
    SEAT_STYLES,
    STRONG,
    Console,
    folding_table,
    named,
    print_line,
    seat_cell,
    seat_name,
    styled,
)
from ..table.events import BidMade, Event, GameOver, LandlordNamed, MoveMade
from ..table.levels import LEVELS, level_word
from .words import HELP

FEW = 2
"""So few cards of another player are drawn as a warning."""


class PlayScreen:
    """Draws one game for the person at *position*; *names* are by position."""

    def __init__(self, console: Console, position: int, names: Sequence[str]) -> None:
        self.console = console
        self._position = position
        self._names = [
            tr("you") if index == position else translate(level_word(name)) for index, name in enumerate(names)
        ]

    def title(self, rules: RuleSet, seed: int) -> None:
        """Draws what is played; the same *seed* deals the same cards."""
        self.line(
            tr("Dou Dizhu, rules {rules}, deal {seed}. 'help' lists what you can type.", rules=rules.name, seed=seed)
        )

    def levels(self) -> None:
        """Draws the levels that there are."""
        levels = joined(Message("{name} {elo}", name=level.word, elo=f"{level.elo:+}") for level in LEVELS)
        self.line(tr("Levels (--bot), Elo: {levels}", levels=levels))

    def event(self, event: Event, view: View | BidView) -> None:
        """Draws what just happened; *view* is the person's, after it."""
        if isinstance(event, BidMade):
            self.line(self._bid_text(event))
        elif isinstance(event, LandlordNamed):
            self._seating(event, view)
        elif isinstance(event, MoveMade) and isinstance(view, View):
            self._move(event, view)

    def position(self, view: View | BidView) -> None:
        """Draws the table as the person sees it before a decision."""
        self.line("")
        if isinstance(view, BidView):
            self._print(Text.assemble("    ", padded(tr("your hand"), 12), (spaced(view.hand), "bold")))
            return
        for seat in range(SEATS):
            if seat != view.seat:
                self._print(Text.assemble("    ", seat_cell(seat), *self._others_cards(view, seat)))
        own = Text.assemble("    ", seat_cell(view.seat), f"  {size(view.hand):2}  ", (spaced(view.hand), "bold"))
        self._print(own)
        seat_to_beat, to_beat = view.table_seat, view.to_beat
        if to_beat is None or seat_to_beat is None:
            self.line("  " + tr("You lead: play what you like."))
        else:
            sentence = styled("To beat: {move} of {name}.", move=named(to_beat), name=seat_name(seat_to_beat))
            self._print(Text.assemble("  ", sentence))

    def end(self, record: GameRecord, event: GameOver, own_seat: int) -> None:
        """Draws the end, with all hands open."""
        wins = (event.seat == 0) == (own_seat == 0)
        side = tr("the peasants win" if event.seat else "the landlord wins")
        verdict = tr("You win!" if wins else "You lose.")
        self.line("")
        values = {"name": seat_name(event.seat), "side": (side, ""), "verdict": (verdict, "bold")}
        self._print(styled("{name} went out: {side}. {verdict}", **values))
        game = record.game()
        for seat in range(SEATS):
            result = f"  {spaced(game.hands[seat]) or '-':<38}  {points_text(event.scores[seat], sign=True)}"
            self._print(Text.assemble("    ", seat_cell(seat), result, f"  {tr('(you)')}" if seat == own_seat else ""))
        if min(event.scores) > 0:
            self.line("  " + translate(HUNDREDTHS))

    def fault(self, sentence: str) -> None:
        """Prints what was wrong."""
        self._print(Text.assemble("  ! ", translate(sentence)))

    def help(self, rows: Sequence[tuple[str, str]] = HELP) -> None:
        """Draws what can be typed."""
        print_help(self.console, rows)

    def table(self, table: RenderableType) -> None:
        """Draws a table."""
        self.console.print(table)

    def lines(self, lines: Iterable[str]) -> None:
        """Draws lines of text."""
        for line in lines:
            self.line(line)

    def line(self, text: str) -> None:
        """Draws one line of text."""
        self._print(Text(text))

    def thinking(self) -> AbstractContextManager[object]:
        """Shows in a terminal that a bot thinks, for as long as the context lasts."""
        return self.console.status(tr("thinking ...")) if self.console.is_terminal else nullcontext()

    def _seating(self, event: LandlordNamed, view: View | BidView) -> None:
        stake = f"  {tr('at {points}', points=event.stake)}" if view.rules.bidding else ""
        for seat in range(SEATS):
            position = (event.position + seat) % SEATS
            player = tr("player {number}: {name}", number=position, name=self._names[position])
            self._print(Text.assemble("  ", seat_cell(seat), f"  {player}", "" if seat else stake))
        self.line(f"  {padded(tr('bottom'), NAME_WIDTH)}  {spaced(event.bottom)}")

    def _move(self, event: MoveMade, view: View) -> None:
        ply = f"{len(view.plays):3} "
        own = event.position == self._position
        player = (tr("you"), SEAT_STYLES[event.seat]) if own else seat_name(event.seat)
        if event.move.is_pass:
            self._print(Text.assemble(ply, player, " ", (tr("pass" if own else "passes"), "dim")))
            return
        move, left = named(event.move), view.cards_left(event.seat)
        verb = styled("play {move}", move=move) if own else styled("plays {move}", move=move)
        self._print(Text.assemble(ply, player, " ", verb, tr(", {count} left", count=left) if left else ""))

    def _bid_text(self, event: BidMade) -> str:
        if event.position == self._position:
            return tr("you bid {points}", points=event.bid) if event.bid else tr("you do not bid")
        bidder = Message("player {number}", number=event.position)
        return (
            tr("{name} bids {points}", name=bidder, points=event.bid)
            if event.bid
            else tr("{name} does not bid", name=bidder)
        )

    def _others_cards(self, view: View, seat: int) -> list[str | tuple[str, str]]:
        left = view.cards_left(seat)
        player = self._names[(view.landlord_position + seat) % SEATS]
        label = tr("{name}, your partner", name=player) if view.is_partner(seat) else player
        cards = padded(tr("card" if left == 1 else "cards"), 5)
        return [(f"  {left:2}", STRONG if left <= FEW else ""), f"  {cards} {tr('({name})', name=label)}"]

    def _print(self, text: Text) -> None:
        print_line(self.console, text)


def print_help(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Prints words and their meanings."""
    table = folding_table(Column(no_wrap=True), "", header=False)
    for word, meaning in rows:
        table.add_row(f"  {word}", translate(meaning))
    console.print(table)


def spaced(hand: Hand) -> str:
    """Gets the cards with a blank between the ranks. For example, ``33 4 55 L``."""
    return " ".join(RANKS[rank] * count for rank, count in enumerate(counts(hand)) if count)
