"""What the command line tells people about a match: the drawing of each turn, and the table of results."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ddzbot.game import SEATS
from tools.judge.match import Match, Turn, seat_name
from tools.terminal import GameScreen

__all__ = ["MatchScreen", "result_table"]

AUTO_PILOT = "auto-pilot"

_COLUMNS: dict[str, dict[str, Any]] = {
    "player": {},
    "seat": {},
    "bot": {"ratio": 1, "overflow": "fold"},
    "score": {"justify": "right"},
    "turns": {"justify": "right"},
    "slowest": {"justify": "right"},
}


class MatchScreen:
    """Draws a match as its turns come in; a game without an auction is opened at once."""

    def __init__(self, console: Console, names: Sequence[str], match: Match) -> None:
        self._screen = GameScreen(console, names)
        self._moves = 0
        self._opened = match.referee.game is not None
        if match.referee.game is not None:
            self._screen.opening(match.referee.game)

    def draw(self, turn: Turn) -> None:
        """Draws one turn: its fault, and then the bid or the move that counts."""
        for fault in turn.faults:
            self._screen.fault(fault.sentence)
        if not self._opened:
            self._screen.bid(len(turn.bids) - 1, turn.bids[-1])
            if turn.game is not None and turn.output.command == "request":
                self._opened = True
                self._screen.opening(turn.game)
        elif turn.game is not None and len(turn.game.plays) > self._moves:
            self._moves = len(turn.game.plays)
            self._screen.move(turn.game, AUTO_PILOT if turn.faults or turn.asked is None else "")
            if turn.game.finished:
                self._screen.result(turn.game)


def result_table(match: Match, names: Sequence[str]) -> Table:
    """Gets a table of who sat where, the scores, and how long the bots took."""
    table = Table(box=box.SIMPLE, width=80)
    for heading, options in _COLUMNS.items():
        table.add_column(heading, **options)
    for player in range(SEATS):
        seconds = [answer.seconds for answer in match.answers[player]]
        table.add_row(
            str(player),
            seat_name(match.referee.game, player) or "-",
            names[player],
            f"{match.scores[player]:+g}",
            str(len(seconds)),
            f"{max(seconds):.2f} s" if seconds else "-",
        )
    return table
