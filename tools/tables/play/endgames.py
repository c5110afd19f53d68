"""A person plays an endgame in the terminal: all hands are open, and the other side never errs."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from ddzbot.cards import size
from ddzbot.rules import Move, RuleSet
from ddzbot.search.endgame_position import NOTHING, Endgame
from ddzbot.search.limit import Limit

from ...shared.interrupts import INTERRUPTED
from ...shared.language import padded, seat_word, tr, translate
from ...shared.message import Message, joined
from ...shared.terminal import SEAT_STYLES, Console, named, print_line, styled
from ...study.solve import endgame_of
from ..table.endgames import EXACT, PUZZLES, EndgameTable, puzzle
from ..table.table import TableError
from . import words
from .asking import ask
from .listing import ListingError, moves_table
from .screen import print_help, spaced
from .words import WordError

SIDES = 2
"""So many hands when the peasants' are one."""

HELP = (
    *(row for row in words.HELP if row[0].split()[0] in ("334455", "10", "back", "moves", "table", "history", "quit")),
    ("pass", Message("pass; also p, 过, 不要 or an empty line")),
    ("hint", Message("the moves that win")),
)


def puzzle_list() -> str:
    """Lists the puzzles, the easiest first."""
    head = "  #", tr("landlord, leads"), tr("peasant")
    rows = [head, *((str(number), *hands.split()) for number, hands in enumerate(PUZZLES, 1))]
    return "\n".join(f"{number:>3}  {padded(landlord, 15)}  {peasant}" for number, landlord, peasant in rows)


def endgame_named(text: str, rules: RuleSet | None) -> Endgame:
    """
    Gets the puzzle of that number, or the endgame of those hands; without *rules*, under ``standard``.

    :raises InputError: for hands that cannot be.
    :raises ValueError: for a number that no puzzle has.
    """
    if " " not in text.strip():
        if not text.strip().isdecimal() or not 1 <= int(text) <= len(PUZZLES):
            problem = "--endgame {text}: give a number from 1 to {most}, or hands as in '345B 345L'"
            raise ValueError(Message(problem, text=text, most=len(PUZZLES)))
        text = PUZZLES[int(text) - 1]
    return endgame_of(rules or puzzle(1).rules, NOTHING, tuple(text.split()), 0, "", None)


class EndgameSitting:
    """
    One game of *endgame*, which *command* begins again; *side* is the person's, by default the one that wins.

    :raises TableError: if the endgame is too large for the limit.
    """

    def __init__(self, console: Console, endgame: Endgame, side: int | None, limit: Limit, command: str) -> None:
        self._console = console
        self._table = EndgameTable(endgame, side, limit)
        self._command = command
        self._width = max(cell_len(self._who(seat)[0]) for seat in range(len(endgame.hands)))

    def play(self) -> int:
        """Plays to the end, or until the person has had enough; gets the exit status."""
        rules = self._table.position.rules.name
        title = "An endgame, rules {rules}, against {name}. 'help' lists what you can type."
        self._line(tr(title, rules=rules, name=EXACT))
        try:
            while self._table.winner is None:
                if self._table.persons_turn:
                    self._show_position()
                    self._persons_turn()
                else:
                    with self._console.status(tr("thinking ...")):
                        self._table.reply()
                    self._show_move(len(self._table.moves))
            self._show_end()
        except KeyboardInterrupt:
            return INTERRUPTED
        except EOFError:
            self._line("")
        return 0

    def _persons_turn(self) -> None:
        """Answers what the person types until it is a move, or takes one back."""
        while True:
            try:
                command = ask(f"{translate(self._seat(self._table.position.seat))}> ")
                order = words.read_move(command)
                if order.what == words.BACK:
                    self._table.take_back()
                    return
                if order.what == words.PLAY:
                    self._table.play(order.cards)
                    self._show_move(len(self._table.moves))
                    return
                self._answer(order)
            except (WordError, ListingError, TableError) as error:
                self._line(f"  ! {translate(str(error))}")

    def _answer(self, order: words.Order) -> None:
        if order.what == words.QUIT:
            raise EOFError
        if order.what == words.HINT:
            winning = self._table.solution().winning
            hint = tr("hint: {moves}", moves=_either(winning)) if winning else tr("hint: no move wins any more")
            self._line(hint)
        elif order.what == words.MOVES:
            self._console.print(moves_table(self._table.position.legal_moves(), order.rest))
        elif order.what == words.TABLE:
            self._show_position()
        elif order.what == words.HISTORY:
            for number in range(1, len(self._table.moves) + 1):
                self._show_move(number)
        elif order.what == words.WORDS:
            print_help(self._console, HELP)
        else:
            self._line(f"  ! {tr('an endgame is not saved')}")

    def _show_position(self) -> None:
        position = self._table.position
        self._line("")
        for seat, hand in enumerate(position.hands):
            self._print("    ", self._who(seat, self._width), f"  {size(hand):2}  ", (spaced(hand), "bold"))
        if position.to_beat is None or position.table_seat is None:
            self._line("  " + tr("You lead: play what you like."))
        else:
            to_beat = styled(
                "To beat: {move} of {name}.", move=_named(position.to_beat), name=self._who(position.table_seat)
            )
            self._print("  ", to_beat)

    def _show_move(self, number: int) -> None:
        before, move = self._table.history()[number - 1]
        left = "" if move.is_pass else tr(", {count} left", count=size(before.hands[before.seat] - move.cards))
        self._print(f"{number:3} ", self._who(before.seat, self._width), "  ", _named(move), left)

    def _show_end(self) -> None:
        won, slip = self._table.winner == self._table.side, self._table.slip()
        self._line("")
        self._line(tr("You win!" if won else "You lose."), "bold")
        if slip is not None:
            lost = "Move {number}, {cards}, threw the win away: {moves} would have won."
            self._line(tr(lost, number=slip.number, cards=_said(slip.move), moves=_either(slip.winning)))
        self._console.print(f"{tr('Once more:')}    {self._command}", soft_wrap=True)

    def _who(self, seat: int, width: int = 0) -> tuple[str, str]:
        seat_name = self._seat(seat)
        label = tr("{name} (you)", name=seat_name) if self._table.is_persons(seat) else translate(seat_name)
        return padded(label, width), SEAT_STYLES[seat]

    def _seat(self, seat: int) -> Message:
        """Gets the name of a seat; the second of two is just a peasant."""
        return Message("peasant") if seat and len(self._table.position.hands) == SIDES else seat_word(seat)

    def _print(self, *parts: str | Text | tuple[str, str]) -> None:
        print_line(self._console, Text.assemble(*parts))

    def _line(self, text: str, style: str = "") -> None:
        print_line(self._console, text, style)


def _named(move: Move) -> Text:
    return Text(tr("pass")) if move.is_pass else named(move)


def _said(move: Move) -> str:
    return Message("pass") if move.is_pass else str(move)


def _either(moves: Sequence[Move]) -> str:
    """Writes alternatives. For example ``6, 8 or J``."""
    *some, final = map(_said, moves)
    return Message("{one} or {other}", one=joined(some), other=final) if some else final
