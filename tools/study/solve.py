"""
Solve endgames with open hands: the winner, every winning move, and a line that wins.

    python -m tools solve 4667788QK2 334455QK2
    python -m tools solve 47TQB 456AA2 6669K --to-move 1 --to-beat TT --played-by 0
    python -m tools solve --endgames tests/data/endgames/puzzles.jsonl.gz --json
"""

import sys
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple

import click
from msgspec import Meta, Struct
from rich.table import Table
from rich.text import Text

from ddzbot.cards import CardsError, hand_text
from ddzbot.kernel import native
from ddzbot.rules import KIND_NAMES, RULE_SETS, SOLO, UNKNOWN, Move, RulesError, RuleSet, rule_set
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import LANDLORD, Endgame, seat_name, seat_names, side_of
from ddzbot.search.limit import Limit

from ..records.notation import NotationError, parse_position
from ..shared.bounds import LONGEST_NAME, MOST_ENDGAMES, UnreadableError, lines_in
from ..shared.default_rules import DEFAULT_RULES
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.json_text import checked, json_text, parse_json
from ..shared.language import fault_word, kind_word, seat_word, tr, translate
from ..shared.message import Message, joined, prose
from ..shared.options import RULES, read_limit
from ..shared.plain import plain
from ..shared.terminal import Console
from ..shared.typed_cards import typed_hand, typed_move

SOLVED, UNKNOWN_WINNER = 0, 1

KINDS = KIND_NAMES[SOLO + 1 : UNKNOWN]
"""The kinds that can be banned."""

ENTRIES = 1 << 21
"""64 MB at most: far more than a puzzle needs."""

PATIENCE = 1.0
"""Seconds after which a search shows how far it is."""
LINE_EVERY = 10.0
"""Seconds between two such lines where there is no terminal."""

errors = Console(stderr=True)


class Problem(NamedTuple):
    """An endgame with a name."""

    name: str | int | None
    endgame: Endgame

    @property
    def shown(self) -> str:
        """The name as a screen takes it."""
        return "" if self.name is None else plain(str(self.name))


class SolvedProblem(NamedTuple):
    """What was found out about a problem, and how long it took."""

    problem: Problem
    solution: Solution
    seconds: float

    @property
    def winner(self) -> str:
        """The winning side in words."""
        if self.solution.winner is None:
            return "unknown"
        return side_name(self.problem.endgame, self.solution.winner)


@click.command(context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("hands", nargs=-1, metavar="[HAND HAND [HAND]]|POSITION")
@click.option("--rules", "name", type=RULES, default=DEFAULT_RULES, help="Rule set.")
@click.option("--to-move", "seat", type=int, default=0, metavar="SEAT", help="The seat to move.")
@click.option("--to-beat", "table", metavar="CARDS", help="The move to beat. Without it, the seat leads.")
@click.option(
    "--played-by", "table_seat", type=int, metavar="SEAT", help="The seat that played it.  [default: the seat before]"
)
@click.option(
    "--ban",
    "banned",
    multiple=True,
    metavar="KIND",
    type=click.Choice(KINDS),
    help="Do not allow this kind of move, such as rocket.",
)
@click.option("--limit", callback=read_limit, help="Limit of each endgame: 5s, 100000p (positions) or both.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each endgame.")
@click.option(
    "--endgames",
    "batch",
    type=click.File("rb"),
    metavar="FILE",
    help="JSON lines, plain or gzip, each an endgame; - is stdin.",
)
def main(
    hands: tuple[str, ...],
    name: str,
    seat: int,
    table: str | None,
    table_seat: int | None,
    banned: tuple[str, ...],
    limit: Limit,
    as_json: bool,
    batch: BinaryIO | None,
) -> None:
    """
    Solve an endgame of two or three open HANDs, or a POSITION in one line, which names its rules: the winner, every
    winning move, and a line that wins.

    Seats are 0, 1 and 2: the landlord, which plays against all others, then landlord_down and landlord_up. With two
    hands the names do not matter.

        python -m tools solve 4667788QK2 334455QK2
        python -m tools solve "standard 4667788QK2/334455QK2/9 ? -@0 - 0 -/-/-"

    The exit status is 1 if the limit was too low to know the winner, and 2 for input that makes no sense.
    """
    rules, ban = rule_set(name), frozenset(KIND_NAMES.index(kind) for kind in banned)
    if (batch is None) == (not hands):
        raise InputError(Message("name either two or three hands, or a file with --endgames"))
    if batch is None:
        problems = [Problem(None, endgame_of(rules, ban, hands, seat, table or "", table_seat))]
    else:
        problems = list(read_problems(batch, rules, ban))
    solver = Solver(problems[0].endgame.rules if problems else rules, ban, ENTRIES)
    unknown = False
    for problem in problems:
        answer = solve(solver, problem, limit)
        unknown = unknown or answer.solution.winner is None
        if as_json:
            click.echo(json_text(as_object(answer)))
        else:
            show(answer)
    sys.exit(UNKNOWN_WINNER if unknown else SOLVED)


def endgame_of(
    rules: RuleSet, banned: frozenset[int], texts: tuple[str, ...], seat: int, table: str, table_seat: int | None
) -> Endgame:
    """
    Reads an endgame; an empty *table* is a lead, and the move on it is of *table_seat*, by default the previous seat.

    *texts* are the hands, or a position in one line, which has all but the bans itself.

    :raises InputError: for what cannot be, with a message that has the reason.
    """
    line = " ".join(texts)
    if line.split(" ")[0] in RULE_SETS:
        return _in_one_line(line, banned, given=bool(seat or table or table_seat))
    try:
        hands = tuple(map(typed_hand, texts))
        to_beat = typed_move(rules, table) if table else None
    except (CardsError, RulesError) as error:
        raise InputError(str(error)) from None
    if to_beat is not None and table_seat is None:
        table_seat = (seat - 1) % len(hands)
    return _possible(Endgame(rules, hands, seat, to_beat, table_seat, banned))


def _in_one_line(line: str, banned: frozenset[int], given: bool) -> Endgame:
    if given:
        raise InputError(Message("the position has the seat to move and what is to beat"))
    try:
        return _possible(Endgame.of(parse_position(line))._replace(banned=banned))
    except NotationError as error:
        raise InputError(str(error)) from None


def _possible(endgame: Endgame) -> Endgame:
    fault = endgame.fault()
    if fault:
        raise InputError(fault_word(fault))
    return endgame


def read_problems(file: BinaryIO, rules: RuleSet, banned: frozenset[int]) -> Iterator[Problem]:
    """
    Reads JSON lines: "hands", or "landlord" and "peasant"; "id", "to_move", "last_move" and "last_player" if there.

    :raises InputError: for the first line that is not an endgame, or is beyond a bound of :mod:`tools.shared.bounds`.
    """
    count, source = 0, _name_of(file)
    try:
        for number, line in enumerate(lines_in(file), 1):
            if not line.strip():
                continue
            count += 1
            if count > MOST_ENDGAMES:
                raise UnreadableError(Message("it has more than {count} endgames", count=f"{MOST_ENDGAMES:,}"))
            try:
                yield _read_row(parse_json(line), rules, banned)
            except (InputError, ValueError) as error:
                place = Message("{file}:{line}", file=source, line=number)
                raise InputError(Message("{file}: {problem}", file=place, problem=_problem_of(error))) from None
    except UnreadableError as error:
        raise InputError(Message("{file}: {problem}", file=source, problem=prose(error))) from None


def _problem_of(error: Exception) -> str:
    """Gets the reason why a line is no endgame."""
    if isinstance(error, InputError):
        return prose(error.message)
    return Message("this is not an endgame: {why}", why=prose(error))


def _name_of(file: BinaryIO) -> str:
    """Names the standard input as other commands do; it may have no name at all."""
    file_name = getattr(file, "name", "<stdin>")
    return Message("standard input") if file_name == "<stdin>" else str(file_name)


_Id = Annotated[str, Meta(max_length=LONGEST_NAME)] | Annotated[int, Meta(gt=-(1 << 63), le=(1 << 63) - 1)]


class _Row(Struct):
    hands: tuple[str, ...] | None = None
    landlord: str | None = None
    peasant: str | None = None
    to_move: int | Literal["landlord", "landlord_down", "landlord_up", "peasant"] = 0
    last_move: str | None = None
    last_player: int | None = None
    id: _Id | None = None


def _read_row(row: Any, rules: RuleSet, banned: frozenset[int]) -> Problem:
    typed = checked(row, _Row)
    hands = (typed.landlord, typed.peasant) if typed.hands is None else typed.hands
    texts = tuple(hand for hand in hands if hand is not None)
    if len(texts) < len(hands):
        raise InputError(Message("it has neither hands, nor landlord and peasant"))
    seat = typed.to_move if isinstance(typed.to_move, int) else seat_names(len(texts)).index(typed.to_move)
    table_seat = None if typed.last_player == -1 else typed.last_player
    return Problem(typed.id, endgame_of(rules, banned, texts, seat, typed.last_move or "", table_seat))


class _Watch:
    """Shows on stderr how far a long search is: a line that changes on a terminal, else a line now and then."""

    def __init__(self, name: str) -> None:
        self._name = name or Message("solving")
        self._status = errors.status("")
        self._clock = Clock.starting_now()
        self._next = PATIENCE

    def __enter__(self) -> "_Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    @property
    def seconds(self) -> float:
        return self._clock.elapsed()

    def __call__(self, nodes: int) -> None:
        if self.seconds < self._next:
            return
        progress = tr(
            "{name}: {nodes} nodes, {seconds} s", name=self._name, nodes=f"{nodes:,}", seconds=f"{self.seconds:.0f}"
        )
        if errors.is_terminal:
            self._status.update(Text(progress))
            self._status.start()
            self._next += 0.1
        else:
            errors.print(progress)
            self._next += LINE_EVERY


def solve(solver: Solver, problem: Problem, limit: Limit) -> SolvedProblem:
    """Solves one problem, within a limit of seconds, or of positions in place of playouts."""
    with _Watch(problem.shown) as watch:
        solution = solver.solve(problem.endgame, Deadline(limit, watch=watch))
        return SolvedProblem(problem, solution, watch.seconds)


def as_object(answer: SolvedProblem) -> dict[str, Any]:
    """Makes the JSON form; ``line`` starts with the seat to move and has the passes in it."""
    return {
        "id": answer.problem.name,
        "winner": answer.winner,
        "winning_moves": texts(answer.solution.winning),
        "undecided": texts(answer.solution.undecided),
        "line": texts(answer.solution.line),
        "nodes": answer.solution.nodes,
        "seconds": round(answer.seconds, 6),
    }


def texts(moves: tuple[Move, ...]) -> list[str]:
    """Gets the text forms of moves."""
    return [str(move) for move in moves]


def side_name(endgame: Endgame, side: int) -> str:
    """Names a side. For example ``peasants``."""
    if side == LANDLORD:
        return seat_name(endgame, 0)
    return "peasant" if len(endgame.hands) == 2 else "peasants"


def show(answer: SolvedProblem) -> None:
    """Prints an answer for people."""
    console, endgame, solution = Console(), answer.problem.endgame, answer.solution
    if answer.problem.shown:
        console.print(Text(answer.problem.shown, "bold"))
    console.print(_position_table(endgame))
    console.print(Text(translate(verdict(answer)), "bold"))
    table = Table(box=None, show_header=False, pad_edge=False)
    for label, style, moves in (
        (Message("winning"), "green", solution.winning),
        (Message("losing"), "red", solution.losing),
        (Message("undecided"), "yellow", solution.undecided),
    ):
        if moves:
            table.add_row(label, Text(" ".join(translate(_move_word(move)) for move in moves), style))
    if solution.line:
        table.add_row(Message("line"), line_text(endgame, solution.line))
    table.add_row(
        Message("search"),
        Message(
            "{nodes} nodes in {seconds} s ({program})",
            nodes=f"{solution.nodes:,}",
            seconds=f"{answer.seconds:.2f}",
            program=Message("kernel") if native() else "Python",
        ),
    )
    console.print(table)


def _position_table(endgame: Endgame) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for seat, hand in enumerate(endgame.hands):
        notes = []
        if seat == endgame.table_seat:
            notes.append(Message("played {move}", move=endgame.to_beat))
        if seat == endgame.seat:
            notes.append(Message("to lead" if endgame.to_beat is None else "to answer"))
        table.add_row(_seat_word(endgame, seat), hand_text(hand), *notes)
    return table


def verdict(answer: SolvedProblem) -> Message:
    """Names the winner in a sentence. For example ``The landlord wins, with 1 of 11 moves.``"""
    endgame, solution = answer.problem.endgame, answer.solution
    winning, undecided = len(solution.winning), len(solution.undecided)
    moves = winning + len(solution.losing) + undecided
    if solution.winner is None:
        key = "The limit was too low: of {moves} moves, {undecided} undecided, the others lose."
        return Message(key, moves=moves, undecided=undecided)
    outcome = _outcome(endgame, solution.winner)
    if solution.winner != side_of(endgame.seat):
        return Message("{outcome}, whatever {seat} plays.", outcome=outcome, seat=_seat_word(endgame, endgame.seat))
    if undecided:
        key = "{outcome}, with {winning} of {moves} moves, and {undecided} more are undecided."
        return Message(key, outcome=outcome, winning=winning, moves=moves, undecided=undecided)
    return Message("{outcome}, with {winning} of {moves} moves.", outcome=outcome, winning=winning, moves=moves)


def _outcome(endgame: Endgame, winner: int) -> Message:
    if winner == LANDLORD:
        return Message("The landlord wins")
    return Message("The peasant wins" if len(endgame.hands) == 2 else "The peasants win")


def line_text(endgame: Endgame, line: tuple[Move, ...]) -> str:
    """Writes the moves of a line with their players. For example ``landlord 4, peasant pass, landlord 5``."""
    count = len(endgame.hands)
    return joined(
        Message("{seat} {move}", seat=_seat_word(endgame, (endgame.seat + index) % count), move=_move_word(move))
        for index, move in enumerate(line)
    )


def _seat_word(endgame: Endgame, seat: int) -> Message:
    """Gets the name of a seat, as :func:`seat_name`, as a message."""
    return Message("peasant") if seat and len(endgame.hands) == 2 else seat_word(seat)


def _move_word(move: Move) -> str:
    return kind_word(move.kind) if move.is_pass else str(move)


if __name__ == "__main__":
    main()
