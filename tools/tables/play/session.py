"""The course of one game between a person in the terminal and the others at the table."""

from collections.abc import Callable
from pathlib import Path

from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...records.files import write_records
from ...records.record import RecordError
from ...shared.language import tr
from ...shared.message import Message
from ...study.analyse.analyse import AnalysisError
from ..table.events import GameOver, MoveMade
from ..table.table import Table, TableError
from . import words
from .hints import hint_lines
from .listing import ListingError, history_table, moves_table
from .screen import PlayScreen
from .words import Order, WordError


def show_asked(screen: PlayScreen, order: Order, view: View | BidView) -> None:
    """
    Draws the table, the moves or the history, as the person asked.

    :raises ListingError: for a kind of moves that there is not.
    """
    if order.what == words.TABLE:
        screen.position(view)
    elif isinstance(view, BidView):
        earlier = ", ".join(map(str, view.bids)) or Message("none")
        legal = ", ".join(map(str, view.legal_bids))
        screen.line(tr("earlier bids: {bids}; you may bid {legal}", bids=earlier, legal=legal))
    elif order.what == words.MOVES:
        screen.table(moves_table(view.legal_moves(), order.rest))
    elif order.what == words.HISTORY:
        screen.table(history_table(view))
    else:
        screen.fault(Message("{word} means nothing here", word=order.what))


class Session:
    """
    One game at *table* with a person at *position*.

    *ask* shows its argument and gets a line; *saved* is called whenever there is something new to keep. What the
    person types is answered until it is a move; a wrong line changes nothing.
    """

    def __init__(
        self,
        table: Table,
        position: int,
        screen: PlayScreen,
        limit: Limit,
        ask: Callable[[str], str],
        saved: Callable[[], None],
    ) -> None:
        self._table = table
        self._position = position
        self._screen = screen
        self._limit = limit
        self._ask = ask
        self._saved = saved
        self._shown = 0

    def play(self) -> None:
        """
        Plays to the end.

        :raises EOFError: when the person quits, which is the same as no more lines.
        """
        self._catch_up()
        self._saved()
        while not self._table.over:
            if self._table.position_to_move == self._position:
                self._persons_turn()
            else:
                self._others_turn()
            self._show_news()
            self._saved()
        end = self._table.events[-1]
        if isinstance(end, GameOver):
            self._screen.end(self._table.record(), end, self._table.seat_of(self._position))

    def _catch_up(self) -> None:
        """Shows what happened before, the moves of a game that continues as one table."""
        view = self._table.view(self._position)
        events = self._table.events_for(self._position)
        for event in events:
            if not isinstance(event, MoveMade):
                self._screen.event(event, view)
        self._shown = len(events)
        if isinstance(view, View) and view.plays:
            self._screen.line("")
            self._screen.table(history_table(view))

    def _show_news(self) -> None:
        events = self._table.events_for(self._position)
        for event in events[self._shown :]:
            self._screen.event(event, self._table.view(self._position))
        self._shown = len(events)

    def _others_turn(self) -> None:
        with self._screen.thinking():
            self._table.advance_one(self._limit)

    def _persons_turn(self) -> None:
        view = self._table.view(self._position)
        self._screen.position(view)
        while True:
            try:
                if self._obey(self._order(view), view):
                    return
            except (WordError, ListingError, AnalysisError, TableError, RecordError) as error:
                self._screen.fault(str(error))

    def _order(self, view: View | BidView) -> Order:
        if isinstance(view, BidView):
            legal = ", ".join(map(str, view.legal_bids))
            return words.read_bid(self._ask(tr("your bid ({bids})>", bids=legal) + " "))
        return words.read_move(self._ask(tr("your move>") + " "))

    def _obey(self, order: Order, view: View | BidView) -> bool:
        """Does what was asked for; True if the game is another one now."""
        if order.what == words.PLAY:
            self._table.play(self._position, order.cards)
            return True
        if order.what == words.BID:
            self._table.bid(self._position, order.bid)
            return True
        if order.what == words.BACK:
            self._take_back()
            return True
        self._answer(order, view)
        return False

    def _take_back(self) -> None:
        acts = self._table.last_act(self._position)
        self._table.take_back(-1 if acts is None else acts)
        self._shown = len(self._table.events_for(self._position))

    def _answer(self, order: Order, view: View | BidView) -> None:
        if order.what == words.QUIT:
            raise EOFError
        if order.what == words.HINT:
            with self._screen.thinking():
                lines = hint_lines(view, self._limit)
            self._screen.lines(lines)
        elif order.what == words.SAVE:
            self._save(Path(order.rest))
        elif order.what == words.WORDS:
            self._screen.help()
        else:
            show_asked(self._screen, order, view)

    def _save(self, file: Path) -> None:
        if file.exists():
            raise RecordError(Message("{file}: this file exists already; name a new one", file=file))
        write_records(file, [self._table.record()])
        self._screen.line(tr("The game so far is in {file}.", file=file))
