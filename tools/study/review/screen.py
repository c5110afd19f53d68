"""Shows reviews in the terminal: the mistakes, the moments that decided, and a table by player."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from ddzbot.rules import Move

from ...shared.language import mark_word, seat_word, tr, translate, why_word
from ...shared.message import Message, joined
from ...shared.names import short_names
from ...shared.paths import move_calls
from ...shared.terminal import Console
from .model import MARKS, SURE, WHY, Bid, Review, decisive, loss_named
from .summary import PlayerSummary, summary

_LEAST = joined(
    Message("{mark} {least} %", mark=mark_word(mark), least=f"{100 * least:.0f}") for mark, least in reversed(MARKS)
)
LEGEND = Message(
    "least losses: {losses}; a loss within {number} standard errors is no mistake", losses=_LEAST, number=SURE
)
APART = Message("where points decide a loss is in points, which a line of their own adds up")
Place = tuple[str, int]
"""Type alias: the file of a game, and its number there, from 1."""
MANY_GAMES = 10
"""Beyond so many games neither moves nor moments are listed: only the table by player is."""


def show(console: Console, found: Sequence[Review], everything: bool, games: Mapping[int, Place]) -> None:
    """Shows the mistakes, or *everything*, of *games*."""
    if everything or len(games) <= MANY_GAMES:
        listed = [one for one in found if one.mark or everything]
        console.print(_list(listed) if listed else tr("no mistakes"))
        _print_decisive(console, found, games)
    players = summary(found)
    console.print(_table(players))
    if len({one.points for one in players}) > 1:
        console.print(translate(APART), style="dim", highlight=False)
    console.print(translate(LEGEND), style="dim", highlight=False)


def _list(listed: Sequence[Review]) -> Table:
    table = Table(title=tr("mistakes"), box=None)
    for heading in (tr("game"), tr("move"), tr("seat"), tr("made"), tr("better"), tr("loss"), "+-", tr("mark")):
        table.add_column(heading, no_wrap=True)
    for one in listed:
        number = "-" if isinstance(one.made, Bid) else str(one.ply + 1)
        cells = (str(one.game), number, translate(seat_word(one.seat)), translate(_named(one.made)), _better(one))
        error = "-" if one.error is None else translate(loss_named(one.error, one.points))
        table.add_row(*cells, translate(loss_named(one.loss, one.points)), error, _marked(one))
    return table


def _better(one: Review) -> str:
    return translate(_named(one.best)) if one.loss > 0 else "-"


def _named(made: Move | Bid) -> str:
    if isinstance(made, Bid):
        return Message("bid {points}", points=made.points)
    return Message("pass") if made.is_pass else str(made)


def _marked(one: Review) -> str:
    if not one.mark:
        return ""
    word = mark_word(one.mark)
    return translate(Message("{mark}, proved", mark=word) if one.proved else word)


def _print_decisive(console: Console, found: Iterable[Review], games: Mapping[int, Place]) -> None:
    """Prints the moments of each game that cost most, and how one looks at them."""
    by_game: dict[int, list[Review]] = defaultdict(list)
    for one in found:
        by_game[one.game].append(one)
    shown = short_names({one.name for one in found if one.name})
    for game, reviews in by_game.items():
        for one in decisive(reviews):
            console.print(_moment(game, one, shown), highlight=False)
            if isinstance(one.made, Bid):
                continue
            for call in move_calls(*games[game]).values():
                console.print(f"    {call} {one.ply + 1}", highlight=False, soft_wrap=True)


def _moment(game: int, one: Review, shown: Mapping[str, str]) -> str:
    sure = Message("by the network" if one.error is None else "by the search")
    if one.proved:
        sure = Message("for certain")
    player: str = seat_word(one.seat)
    if one.name:
        player = Message("{seat} ({name})", seat=player, name=shown[one.name])
    words = "game {game}, move {move}: {player} made {made}; {best} was better {sure} ({loss}): {why}"
    where = {"game": game, "move": one.ply + 1}
    if isinstance(one.made, Bid):
        words = "game {game}, auction: {player} {made}; {best} was better {sure} ({loss}): {why}"
        del where["move"]
    made, best = _named(one.made), _named(one.best)
    loss, why = loss_named(one.loss, one.points), why_word(WHY[one.why])
    return tr(words, **where, player=player, made=made, best=best, sure=sure, loss=loss, why=why)


def _table(players: Sequence[PlayerSummary]) -> Table:
    table = Table(title=tr("by player"), box=None)
    marks = (tr("inaccuracies"), tr("mistakes"), tr("blunders"), tr("proved"))
    table.add_column(tr("player"))
    for heading in (tr("decisions"), tr("mean loss"), "+-", *marks):
        table.add_column(heading, justify="right")
    for one in players:
        numbers = (one.marks["inaccuracy"], one.marks["mistake"], one.marks["blunder"], one.proved)
        error = "-" if one.error is None else translate(loss_named(one.error, one.points))
        loss = translate(loss_named(one.loss, one.points))
        table.add_row(one.player, str(one.decisions), loss, error, *map(str, numbers))
    return table
