"""Shows reviews in the terminal: the mistakes, the moments that decided, and a table by player."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from ddzbot.rules import Move

from ...shared.language import mark_word, seat_word, tr, why_word
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


def show(console: Console, reviews: Sequence[Review], everything: bool, games: Mapping[int, Place]) -> None:
    """Shows the mistakes, or *everything*, of *games*."""
    if everything or len(games) <= MANY_GAMES:
        listed = [review for review in reviews if review.mark or everything]
        console.print(_list(listed) if listed else tr("no mistakes"))
        _print_decisive(console, reviews, games)
    players = summary(reviews)
    console.print(_table(players))
    if len({player.points for player in players}) > 1:
        console.print(APART, style="dim")
    console.print(LEGEND, style="dim")


def _list(listed: Sequence[Review]) -> Table:
    table = Table(title=tr("mistakes"), box=None)
    for heading in (tr("game"), tr("move"), tr("seat"), tr("made"), tr("better"), tr("loss"), "+-", tr("mark")):
        table.add_column(heading, no_wrap=True)
    for review in listed:
        move = "-" if isinstance(review.made, Bid) else str(review.ply + 1)
        cells = str(review.game), move, seat_word(review.seat), _named(review.made), _better(review)
        error = "-" if review.error is None else loss_named(review.error, review.points)
        table.add_row(*cells, loss_named(review.loss, review.points), error, _mark_text(review))
    return table


def _better(review: Review) -> str:
    return _named(review.best) if review.loss > 0 else "-"


def _named(made: Move | Bid) -> str:
    if isinstance(made, Bid):
        return Message("bid {points}", points=made.points)
    return Message("pass") if made.is_pass else str(made)


def _mark_text(review: Review) -> str:
    if not review.mark:
        return ""
    word = mark_word(review.mark)
    return Message("{mark}, proved", mark=word) if review.proved else word


def _print_decisive(console: Console, all_reviews: Iterable[Review], games: Mapping[int, Place]) -> None:
    """Prints the moments of each game that cost most, and how one looks at them."""
    by_game: dict[int, list[Review]] = defaultdict(list)
    for review in all_reviews:
        by_game[review.game].append(review)
    short = short_names({review.name for review in all_reviews if review.name})
    for game, reviews in by_game.items():
        for review in decisive(reviews):
            console.print(_moment(game, review, short))
            if isinstance(review.made, Bid):
                continue
            for call in move_calls(*games[game]).values():
                console.print(f"    {call} {review.ply + 1}", soft_wrap=True)


def _moment(game: int, review: Review, short: Mapping[str, str]) -> str:
    sure = Message("by the network" if review.error is None else "by the search")
    if review.proved:
        sure = Message("for certain")
    player: str = seat_word(review.seat)
    if review.name:
        player = Message("{seat} ({name})", seat=player, name=short[review.name])
    template = "game {game}, move {move}: {player} made {made}; {best} was better {sure} ({loss}): {why}"
    where = {"game": game, "move": review.ply + 1}
    if isinstance(review.made, Bid):
        template = "game {game}, auction: {player} {made}; {best} was better {sure} ({loss}): {why}"
        del where["move"]
    made, best = _named(review.made), _named(review.best)
    loss, why = loss_named(review.loss, review.points), why_word(WHY[review.why])
    return tr(template, **where, player=player, made=made, best=best, sure=sure, loss=loss, why=why)


def _table(players: Sequence[PlayerSummary]) -> Table:
    table = Table(title=tr("by player"), box=None)
    marks = (tr("inaccuracies"), tr("mistakes"), tr("blunders"), tr("proved"))
    table.add_column(tr("player"))
    for heading in (tr("decisions"), tr("mean loss"), "+-", *marks):
        table.add_column(heading, justify="right")
    for player in players:
        numbers = (player.marks["inaccuracy"], player.marks["mistake"], player.marks["blunder"], player.proved)
        error = "-" if player.error is None else loss_named(player.error, player.points)
        loss = loss_named(player.loss, player.points)
        name = tr("{player}, by points", player=player.player) if player.split else player.player
        table.add_row(name, str(player.decisions), loss, error, *map(str, numbers))
    return table
