"""Shows reviews in the terminal: the mistakes, the moments that decided, and a table by player."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from ddzbot.game import SEAT_NAMES

from ...shared.names import short_names
from ...shared.paths import move_calls
from ...shared.terminal import Console
from .model import MARKS, SURE, WHY, Bid, Review, decisive, loss_named
from .summary import PlayerSummary, summary

_LEAST = ", ".join(f"{mark} {100 * least:.0f} %" for mark, least in reversed(MARKS))
LEGEND = f"least losses: {_LEAST}; a loss within {SURE} standard errors is no mistake"
APART = "where points decide a loss is in points, which a line of their own adds up"
Place = tuple[str, int]
"""Type alias: the file of a game, and its number there, from 1."""
MANY_GAMES = 10
"""Beyond so many games neither moves nor moments are listed: only the table by player is."""


def show(console: Console, found: Sequence[Review], everything: bool, games: Mapping[int, Place]) -> None:
    """Shows the mistakes, or *everything*, of *games*."""
    if everything or len(games) <= MANY_GAMES:
        listed = [one for one in found if one.mark or everything]
        console.print(_list(listed) if listed else "no mistakes")
        _print_decisive(console, found, games)
    players = summary(found)
    console.print(_table(players))
    if len({one.points for one in players}) > 1:
        console.print(APART, style="dim", highlight=False)
    console.print(LEGEND, style="dim", highlight=False)


def _list(listed: Sequence[Review]) -> Table:
    table = Table(title="mistakes", box=None)
    for heading in ("game", "move", "seat", "made", "better", "loss", "+-", "mark"):
        table.add_column(heading, no_wrap=True)
    for one in listed:
        number = "-" if isinstance(one.made, Bid) else str(one.ply + 1)
        cells = (str(one.game), number, SEAT_NAMES[one.seat], str(one.made), _better(one))
        error = "-" if one.error is None else loss_named(one.error, one.points)
        table.add_row(*cells, loss_named(one.loss, one.points), error, _marked(one))
    return table


def _better(one: Review) -> str:
    return str(one.best) if one.loss > 0 else "-"


def _marked(one: Review) -> str:
    return f"{one.mark}, proved" if one.proved else one.mark


def _print_decisive(console: Console, found: Iterable[Review], games: Mapping[int, Place]) -> None:
    """Prints the moments of each game that cost most, and how one looks at them."""
    by_game: dict[int, list[Review]] = defaultdict(list)
    for one in found:
        by_game[one.game].append(one)
    shown = short_names({one.name for one in found if one.name})
    for game, reviews in by_game.items():
        for one in decisive(reviews):
            sure = "for certain" if one.proved else "by the search" if one.error is not None else "by the network"
            loss = loss_named(one.loss, one.points)
            player = SEAT_NAMES[one.seat] + (f" ({shown[one.name]})" if one.name else "")
            better = f"{one.best} was better {sure} ({loss})"
            if isinstance(one.made, Bid):
                console.print(f"game {game}, auction: {player} {one.made}; {better}: {WHY[one.why]}", highlight=False)
                continue
            line = f"game {game}, move {one.ply + 1}: {player} made {one.made}; {better}: {WHY[one.why]}"
            console.print(line, highlight=False)
            for call in move_calls(*games[game]).values():
                console.print(f"    {call} {one.ply + 1}", highlight=False, soft_wrap=True)


def _table(players: Sequence[PlayerSummary]) -> Table:
    table = Table(title="by player", box=None)
    for heading in ("player", "decisions", "mean loss", "+-", "inaccuracies", "mistakes", "blunders", "proved"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for one in players:
        numbers = (one.marks["inaccuracy"], one.marks["mistake"], one.marks["blunder"], one.proved)
        error = "-" if one.error is None else loss_named(one.error, one.points)
        table.add_row(one.player, str(one.decisions), loss_named(one.loss, one.points), error, *map(str, numbers))
    return table
