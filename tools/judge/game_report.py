"""A match in a terminal: the drawing of each turn, and the table of results."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from ddzbot.game import SEATS, Game

from ..records.terminal_thoughts import LEGEND, NO_CHOICE, fallback_lines, has_no_choice, thought_lines
from ..shared.json_text import points_text
from ..shared.language import seat_word, tr
from ..shared.message import Message
from ..shared.terminal import Console, GameScreen
from .game import JudgeGame, Turn

AUTO_PILOT = Message("auto-pilot")

_COLUMNS: dict[Message, dict[str, Any]] = {
    Message("player"): {},
    Message("seat"): {},
    Message("bot"): {"ratio": 1, "no_wrap": True},
    Message("score"): {"justify": "right"},
    Message("turns"): {"justify": "right"},
    Message("slowest"): {"justify": "right"},
}


class JudgeScreen:
    """
    Draws a game as its turns come in; a game without an auction is opened at once.

    With *thoughts* it draws the bots' comments on their moves, too.
    """

    def __init__(self, console: Console, names: Sequence[str], match: JudgeGame, thoughts: bool = False) -> None:
        self._screen = GameScreen(console, names)
        self._thoughts = thoughts
        self._moves = 0
        self._fallback_lines: dict[int | None, list[str]] = {}
        """By player, the last lines on its fallback."""
        self._opened = match.referee.game is not None
        if match.referee.game is not None:
            self._open(match.referee.game)

    def draw(self, turn: Turn) -> None:
        """Draws one turn: its fault, and then the bid or the move that counts."""
        for fault in turn.faults:
            self._screen.fault(fault.sentence)
        if not self._opened:
            self._screen.bid(len(turn.bids) - 1, turn.bids[-1], self._fallbacks(turn))
            if turn.game is not None and turn.output.command == "request":
                self._opened = True
                self._open(turn.game)
        elif turn.game is not None and len(turn.game.plays) > self._moves:
            self._moves = len(turn.game.plays)
            self._move(turn, turn.game)
            if turn.game.finished:
                self._screen.result(turn.game)

    def _open(self, game: Game) -> None:
        self._screen.opening(game)
        if self._thoughts:
            self._screen.remark(*LEGEND)

    def _move(self, turn: Turn, game: Game) -> None:
        comment = self._comment(turn)
        if turn.faults or turn.answer is None:
            self._screen.move(game, AUTO_PILOT)
        elif has_no_choice(comment):
            self._screen.move(game, NO_CHOICE)
        else:
            thoughts = thought_lines(comment, game.plays[-1].cards, turn.answer.seconds)
            self._screen.move(game, below=[*self._fallbacks(turn), *thoughts])

    def _fallbacks(self, turn: Turn) -> list[Text]:
        """Names the fallback of a player, and why it plays: once, and again when that changes."""
        lines = fallback_lines(self._comment(turn))
        texts = [line.plain for line in lines]
        if self._fallback_lines.get(turn.asked, []) == texts:
            return []
        self._fallback_lines[turn.asked] = texts
        return lines

    def _comment(self, turn: Turn) -> Any:
        """Gets the bot's comment on its answer; None if it is not shown."""
        return turn.answer.debug if self._thoughts and turn.answer is not None else None


def result_table(match: JudgeGame, names: Sequence[str]) -> Table:
    """Gets a table of the seats, the scores, and how long the bots took."""
    table = Table(box=box.SIMPLE, width=80)
    for heading, options in _COLUMNS.items():
        table.add_column(heading, **options)
    for player in range(SEATS):
        seconds = [answer.seconds for answer in match.answers[player]]
        table.add_row(
            str(player),
            _seat(match.referee.game, player),
            names[player],
            points_text(match.scores[player], sign=True),
            str(len(seconds)),
            tr("{seconds} s", seconds=f"{max(seconds):.2f}") if seconds else "-",
        )
    return table


def _seat(game: Game | None, player: int) -> str:
    return "-" if game is None else seat_word((player - game.landlord_position) % SEATS)
