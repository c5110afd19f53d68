"""What a person sees: a table of the matches that run and the sums so far, or where no terminal is plain lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.view import BidView, View

from ...records.record import RecordError
from ...shared.plain import plain
from ...shared.terminal import Console
from .account import Secret
from .client import Client
from .games import last_turn
from .match import Delivery, LiveMatch

SHORT = 10
"""Characters of the name of a match in the table."""
LOOKS_A_SECOND = 2
STATES = {
    Delivery.THINKING: "thinks",
    Delivery.READY: "has an answer",
    Delivery.SENT: "waits",
    Delivery.UNSURE: "asks if its answer arrived",
}


class Screen:
    """Prints what happens, each line with the time and without the secret. *quiet* leaves out the table."""

    def __init__(self, secret: Secret, quiet: bool = False, console: Console | None = None) -> None:
        self._secret = secret
        self._console = console or Console(file=sys.stdout)
        self._draws = self._console.is_terminal and not quiet

    def say(self, sentence: str) -> None:
        """Prints a sentence as one line."""
        row = f"{datetime.now():%H:%M:%S}  {plain(self._secret.out_of(sentence))}"
        self._console.print(row, soft_wrap=True)

    @contextmanager
    def showing(self, client: Client) -> Iterator[None]:
        """
        Makes a context manager that redraws the table of *client* while its block runs, if the screen draws at all.
        """
        if not self._draws:
            yield
            return
        with Live(
            get_renderable=lambda: picture(client),
            console=self._console,
            refresh_per_second=LOOKS_A_SECOND,
            transient=True,
        ):
            yield


def picture(client: Client) -> RenderableType:
    """Draws the matches that run, and below them the sums."""
    table = Table("match", "seat", "against", "cards left", "request", "", box=None, pad_edge=False)
    for match in list(client.matches.values()):
        table.add_row(*_row(match))
    rows: list[RenderableType] = [Text(f"{len(client.matches)} matches run"), table] if client.matches else []
    return Group(*rows, *map(Text, client.tally.lines()))


def _row(match: LiveMatch) -> list[str]:
    seat, left = "", ""
    try:
        view = last_turn(match).turn.view
    except RecordError:
        pass
    else:
        seat = f"position {len(view.bids)}" if isinstance(view, BidView) else SEAT_NAMES[view.seat]
        if isinstance(view, View):
            left = " ".join(str(view.cards_left(of_seat)) for of_seat in range(SEATS))
    others = ", ".join(sorted({player[:SHORT] for player in match.players if player != "me"}))
    doing = STATES[match.delivery] if match.requests else "has begun"
    return [match.id[:SHORT], seat, others, left, str(match.turn), doing]
