"""
Finds the mistakes in recorded games: what each move lost against the best one, by the champion's analysis.

    python -m tools.review game.ddzn --limit 2000p

It reads every format of games, whole folders, and the standard input as ``-``.

Each decision is analysed from what its seat knew. The loss is what the best move is worth more than the move that was
made: in winning chances, or in points where these decide. A loss within two standard errors is no mistake. It is
*proved* where another move would have won for certain, and this one loses with the hands that the others really had.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ddzbot.game import SEAT_NAMES, Game
from ddzbot.rules import BOMB, PASS, ROCKET, Move
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit
from ddzbot.view import View

from .analyse.analyse import AnalysisError, analyse
from .analyse.model import Analysis
from .records.record import GameRecord
from .records.sources import source_games
from .shared.errors import InputError
from .shared.interrupts import Command
from .shared.limits import parse_limit

MARKS = (("blunder", 0.2), ("mistake", 0.1), ("inaccuracy", 0.05))
"""The least loss of each, in winning chances; in points these shares of what a game of that stake can swing."""
SURE = 2
"""Standard errors that a loss must have at least to count."""
SOLVER_NODES = 200_000
"""Positions that the solver may look at to prove that a move loses."""
DECISIVE = 3
FEW_CARDS = 2
ALL = 1000
"""As many moves as there may be."""


class Review(NamedTuple):
    """One decision and what it cost."""

    game: int
    ply: int
    """The number of moves before it."""
    seat: int
    name: str
    """The player's name; empty if the record has none."""
    made: Move
    best: Move
    loss: float
    """What the best move is worth more, in winning chances or in points; 0 for the best move."""
    error: float
    """The standard error of the loss; 0 where it is proved."""
    points: bool
    """Whether the loss is in points."""
    mark: str
    """``blunder``, ``mistake``, ``inaccuracy``, or empty."""
    proved: bool
    why: str
    """What happened, in words; empty without a mark."""

    def as_json(self) -> dict[str, Any]:
        """Makes the JSON form."""
        told = {**self._asdict(), "seat": SEAT_NAMES[self.seat], "made": str(self.made), "best": str(self.best)}
        return {**told, "loss": round(self.loss, 4), "error": round(self.error, 4)}


def reviews_of(record: GameRecord, number: int, limit: Limit, seed: int = 0) -> Iterator[Review]:
    """Yields every decision of a game that was one and whose hand is known, in order."""
    for ply in record.plies():
        if ply.problem is not None:
            return
        seat = ply.before.seat
        if seat in record.unknown_seats:
            continue
        view = record.view(ply.number)
        if len(view.legal_moves()) < 2:
            continue
        try:
            analysis = analyse(view, limit, seed=seed, top=ALL)
        except AnalysisError:
            return
        yield _review(record, number, ply.number, ply.before, ply.move, analysis)


def _review(record: GameRecord, number: int, ply: int, game: Game, made: Move, analysis: Analysis) -> Review:
    best = analysis.moves[0]
    mine = next(known for known in analysis.moves if known.move.cards == made.cards)
    points = analysis.notes.get("decides") == "points"
    worth = [(known.score or 0.0) if points else known.win for known in (best, mine)]
    loss = max(0.0, worth[0] - worth[1])
    proved = loss > 0 and _is_proved(game, made, analysis)
    error = 0.0 if proved or mine is best else mine.error or 0.0
    scale = 4.0 * max(1, max(game.bids, default=1)) if points else 1.0
    mark = _mark(loss / scale, error / scale, proved)
    why = _why(View.of(game, game.seat), made, best.move) if mark else ""
    name = record.names[record.position_of(game.seat)] if record.landlord_position is not None else ""
    return Review(number, ply, game.seat, name, made, best.move, loss, error, points, mark, proved, why)


def _mark(loss: float, error: float, proved: bool) -> str:
    if proved:
        return "blunder"
    if loss <= SURE * error:
        return ""
    return next((name for name, least in MARKS if loss >= least), "")


def _is_proved(game: Game, made: Move, analysis: Analysis) -> bool:
    """Checks if another move wins whatever the others hold, while this one loses to what they really held."""
    certain = analysis.notes.get("certain")
    if certain is None or certain == str(made):
        return False
    after = Endgame.of(game).played(made)
    if after.winner is not None or any(hand == 0 for hand in after.hands):
        return False
    winner = Solver(game.rules).winner(after, Deadline(Limit(playouts=SOLVER_NODES)))
    return winner is not None and winner != Endgame.of(game).side


def _why(view: View, made: Move, best: Move) -> str:
    """Says in words what kind of mistake it was."""
    table, bombs = view.table_seat, (BOMB, ROCKET)
    enemies = [seat for seat in range(3) if seat != view.seat and not view.is_partner(seat)]
    few = min(view.cards_left(seat) for seat in enemies) <= FEW_CARDS
    if made.kind in bombs and best.kind not in bombs:
        return "a bomb was given away"
    if best.kind in bombs and made.kind not in bombs:
        return "the bomb was held back"
    if table is not None and view.is_partner(table) and made != PASS and best == PASS:
        return "the partner's lead was overtaken"
    if made == PASS and best != PASS:
        return "an enemy with few cards was let through" if few else "the trick was let go"
    if best == PASS:
        return "cards were spent where a pass was enough"
    if few and made.size == best.size and made.rank < best.rank:
        return "a low card let an enemy with few cards through"
    return "the hand was divided badly" if made.kind != best.kind else "another rank was better"


@click.command("python -m tools.review", cls=Command, help=__doc__)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--limit", default="1000p", show_default=True, help="How long to think about each move: 1000p or 0.5s.")
@click.option("--seed", default=0, show_default=True, help="Chance of the analyses.")
@click.option("--all", "everything", is_flag=True, help="List every decision, not only those with a mark.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a decision.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(files: tuple[Path, ...], limit: str, seed: int, everything: bool, as_json: bool, quiet: bool) -> None:
    """Reviews all games of files and folders; - is the standard input."""
    errors = Console(stderr=True)
    try:
        budget = parse_limit(limit)
    except ValueError as error:
        raise InputError(str(error)) from None
    games = source_games(files, say=lambda said: errors.print(said, markup=False, highlight=False, soft_wrap=True))
    found: list[Review] = []
    refused = None
    hidden = quiet or not errors.is_terminal
    try:
        for game in track(games, "reviewing", disable=hidden, transient=True, console=errors):
            for one in reviews_of(game.record, game.number, budget, seed):
                found.append(one)
                if as_json:
                    click.echo(json.dumps(one.as_json(), ensure_ascii=False))
    except ValueError as error:
        refused = str(error)
    if not as_json and (found or not refused):
        console = Console(width=110)
        _print_list(console, [one for one in found if one.mark or everything])
        _print_decisive(console, found)
        console.print(_summary(found))
    if refused:
        raise InputError(refused)


def _print_list(console: Console, listed: Sequence[Review]) -> None:
    table = Table(title="mistakes" if listed else "no mistakes", box=None)
    for heading in ("game", "move", "seat", "made", "better", "loss", "+-", "mark"):
        table.add_column(heading, no_wrap=True)
    for one in listed:
        cells = (str(one.game), str(one.ply + 1), SEAT_NAMES[one.seat], str(one.made), str(one.best))
        table.add_row(*cells, _shown(one.loss, one.points), _shown(one.error, one.points), _marked(one))
    console.print(table)


def _shown(value: float, points: bool) -> str:
    return f"{value:.2f}" if points else f"{100 * value:.1f} %"


def _marked(one: Review) -> str:
    return f"{one.mark}, proved" if one.proved else one.mark


def _print_decisive(console: Console, found: Iterable[Review]) -> None:
    """Prints the moments of each game that cost most."""
    by_game: dict[int, list[Review]] = defaultdict(list)
    for one in found:
        if one.mark:
            by_game[one.game].append(one)
    for game, reviews in by_game.items():
        for one in sorted(reviews, key=lambda one: (one.proved, one.loss), reverse=True)[:DECISIVE]:
            sure = "for certain" if one.proved else "by the search"
            loss = _shown(one.loss, one.points) + (" points" if one.points else "")
            who = f"{SEAT_NAMES[one.seat]}{f' ({short_name(one.name)})' if one.name else ''}"
            better = f"{one.best} was better {sure} ({loss})"
            console.print(
                f"game {game}, move {one.ply + 1}: {who} made {one.made}; {better}: {one.why}", highlight=False
            )


def short_name(name: str) -> str:
    """Shortens a command line: without its interpreter, and files without their folders."""
    words = [word.rpartition("/")[2] for word in name.split()]
    return " ".join(words[1:] if len(words) > 1 and words[0].startswith("python") else words)


def _summary(found: Sequence[Review]) -> Table:
    """Adds up by player, or by seat where the record has no names."""
    table = Table(title="by player", box=None)
    for heading in ("player", "decisions", "mean loss", "inaccuracies", "mistakes", "blunders", "proved"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    by_player: dict[tuple[str, bool], list[Review]] = defaultdict(list)
    for one in found:
        by_player[short_name(one.name) or SEAT_NAMES[one.seat], one.points].append(one)
    for (player, points), reviews in sorted(by_player.items()):
        marks = Counter(one.mark for one in reviews)
        mean = sum(one.loss for one in reviews) / len(reviews)
        numbers = (marks["inaccuracy"], marks["mistake"], marks["blunder"], sum(one.proved for one in reviews))
        table.add_row(player, str(len(reviews)), _shown(mean, points), *map(str, numbers))
    return table


if __name__ == "__main__":
    main()
