"""A person plays an endgame in the terminal: all hands are open, and the other side never errs."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from ddzbot.cards import size
from ddzbot.rules import Move, RuleSet
from ddzbot.search.endgame_position import NOTHING, Endgame, seat_name
from ddzbot.search.limit import Limit

from ...look.solve import endgame_of
from ...shared.interrupts import INTERRUPTED
from ...shared.language import padded, told
from ...shared.terminal import SEAT_STYLES, Console, named, print_line
from ..table.endgames import EXACT, PUZZLES, EndgameTable, puzzle
from ..table.table import TableError
from . import words
from .asking import ask
from .listing import ListingError, moves_table
from .screen import print_help, spaced
from .session import sentence_of
from .words import WordError

__all__ = ["EndgameSitting", "endgame_named", "puzzle_list"]

HELP = (
    *(row for row in words.HELP if row[0].split()[0] in ("334455", "10", "back", "moves", "table", "history", "quit")),
    ("pass", "pass; also p, 过, 不要 or an empty line"),
    ("hint", "the moves that win"),
)


def puzzle_list() -> str:
    """Lists the puzzles, the easiest first."""
    head = "  #", told("landlord, leads"), told("peasant")
    rows = [head, *((str(at), *hands.split()) for at, hands in enumerate(PUZZLES, 1))]
    return "\n".join(f"{number:>3}  {padded(landlord, 15)}  {peasant}" for number, landlord, peasant in rows)


def endgame_named(text: str, rules: RuleSet | None) -> Endgame:
    """
    Gets the puzzle of that number, or the endgame of those hands; without *rules*, under ``standard``.

    :raises InputError: for hands that cannot be.
    :raises ValueError: for a number that no puzzle has.
    """
    if " " not in text.strip():
        if not text.strip().isdecimal() or not 1 <= int(text) <= len(PUZZLES):
            raise ValueError(f"--endgame {text}: give a number from 1 to {len(PUZZLES)}, or hands as in '345B 345L'")
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
        self._say(f"An endgame, rules {rules}, against {EXACT}. 'help' lists what you can type.")
        try:
            while self._table.winner is None:
                if self._table.persons_turn:
                    self._show_position()
                    self._persons_turn()
                else:
                    with self._console.status(told("thinking ...")):
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
                line = ask(f"{told(seat_name(self._table.position, self._table.position.seat))}> ")
                order = words.read_move(line)
                if order.what == words.BACK:
                    self._table.take_back()
                    return
                if order.what == words.LAY:
                    self._table.play(order.cards)
                    self._show_move(len(self._table.moves))
                    return
                self._answer(order)
            except (WordError, ListingError, TableError) as error:
                self._line(f"  ! {told(sentence_of(error))}")

    def _answer(self, order: words.Order) -> None:
        if order.what == words.QUIT:
            raise EOFError
        if order.what == words.HINT:
            winning = self._table.solution().winning
            self._say(f"hint: {_either(winning)}" if winning else "hint: no move wins any more")
        elif order.what == words.MOVES:
            self._console.print(moves_table(self._table.position.legal_moves(), order.rest), highlight=False)
        elif order.what == words.TABLE:
            self._show_position()
        elif order.what == words.HISTORY:
            for number in range(1, len(self._table.moves) + 1):
                self._show_move(number)
        elif order.what == words.WORDS:
            print_help(self._console, HELP)
        else:
            self._line(f"  ! {told('an endgame is not saved')}")

    def _show_position(self) -> None:
        position = self._table.position
        self._line("")
        for seat, hand in enumerate(position.hands):
            self._print("    ", self._who(seat, self._width), f"  {size(hand):2}  ", (spaced(hand), "bold"))
        if position.to_beat is None or position.table_seat is None:
            self._say("  You lead: lay what you like.")
        else:
            whose = told(" of "), self._who(position.table_seat), told(".")
            self._print(told("  To beat: "), *_named(position.to_beat), *whose)

    def _show_move(self, number: int) -> None:
        before, move = self._table.history()[number - 1]
        left = "" if move.is_pass else told(f", {size(before.hands[before.seat] - move.cards)} left")
        self._print(f"{number:3} ", self._who(before.seat, self._width), "  ", *_named(move), left)

    def _show_end(self) -> None:
        won, slip = self._table.winner == self._table.side, self._table.slip()
        self._line("")
        self._line(told("You win!" if won else "You lose."), "bold")
        if slip is not None:
            lost = f"Move {slip.number}, {slip.move}, threw the win away"
            self._say(f"{lost}: {_either(slip.winning)} would have won.")
        self._console.print(f"{told('Once more:')}    {self._command}", highlight=False, soft_wrap=True)

    def _who(self, seat: int, width: int = 0) -> tuple[str, str]:
        name = told(seat_name(self._table.position, seat)) + (told(" (you)") if self._table.is_persons(seat) else "")
        return padded(name, width), SEAT_STYLES[seat]

    def _print(self, *parts: str | tuple[str, str]) -> None:
        print_line(self._console, Text.assemble(*parts))

    def _say(self, sentence: str) -> None:
        self._line(told(sentence))

    def _line(self, text: str, style: str = "") -> None:
        print_line(self._console, text, style)


def _named(move: Move) -> list[str | tuple[str, str]]:
    return [told("pass")] if move.is_pass else named(move)


def _either(moves: Sequence[Move]) -> str:
    """Writes alternatives. For example ``6, 8 or J``."""
    texts = list(map(str, moves))
    return " or ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
