"""
Lists recorded games, filters them, opens them as a page, and plays them again with other players.

    python -m tools games games.ddzn.gz --lost A --bombs 2
    python -m tools games games.ddzn.gz --fault any --write bad.ddzn
    python -m tools games games.ddzn.gz --game 17 --page game.html --open
    python -m tools games games.ddzn.gz --game 17 --replay landlord=champion --from-move 9
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import parse_limit

from ...look.view.game_data import game_data
from ...look.view.render import write_replay
from ...look.view.suits import card_ids
from ...records.faults import KINDS
from ...records.files import READABLE, check_records_target, write_records
from ...records.record import GameRecord, RecordError
from ...records.screen import draw_record
from ...records.sources import source_games
from ...shared.browser import show_page
from ...shared.compiling import kernel_at_start
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.message import Message
from ...shared.options import FILE
from ...shared.terminal import Console, say
from .facts import GameFacts, Letters
from .filters import ANY_FAULT, PEASANT, Span, Wanted, parse_span
from .listing import HEADING, game_object, line_of

MOST_OPENED = 100
"""Games that are opened, shown or played again at a time."""


class _Span(click.ParamType[Span]):
    name = "number or range"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Span:
        try:
            return parse_span(value)
        except ValueError as error:
            self.fail(str(error), parameter, context)


class _Reading:
    """The games of the files that are wanted, counted while they are read."""

    def __init__(self, files: tuple[Path, ...], form: str | None, wanted: Wanted) -> None:
        self.letters = Letters()
        self.seen = self.found = 0
        self._games = source_games(files, form, say=_say)
        self._wanted = wanted

    def __iter__(self) -> Iterator[GameFacts]:
        for game in self._games:
            self.seen += 1
            facts = GameFacts(game, self.letters.of(game.record))
            if self._wanted.accepts(facts):
                self.found += 1
                yield facts

    def records(self) -> Iterator[GameRecord]:
        """
        Yields the records of all of them.

        :raises RecordError: at the end, if there was none.
        """
        for facts in self:
            yield facts.record
        if not self.found:
            raise RecordError(f"none of {self.seen} games is selected")

    def few(self) -> list[GameFacts]:
        """Gets all of them at once; a number of games that was asked for must be there."""
        few = []
        for facts in self:
            few.append(facts)
            if len(few) > MOST_OPENED:
                raise InputError(f"more than {MOST_OPENED} games are selected: name fewer with --game N or a filter")
        missing = sorted(number for number in self._wanted.numbers if number > self.seen)
        if missing:
            raise InputError(
                Message("there is no game {number}: there are {count}", number=missing[0], count=self.seen)
            )
        if not few:
            raise InputError(f"none of {self.seen} games is selected")
        return few


@click.command(cls=Command, help=__doc__)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "form", type=click.Choice(READABLE), help="Format of the files, if their names do not say it.")
@click.option("--lost", metavar="WHO", help="WHO's side lost: a letter of the list, or a part of a name.")
@click.option("--won", metavar="WHO", help="WHO's side won.")
@click.option(
    "--seat",
    type=(str, click.Choice([*SEAT_NAMES, PEASANT])),
    metavar="WHO SEAT",
    help=f"WHO sat there: {', '.join(SEAT_NAMES)} or {PEASANT}.",
)
@click.option("--player", metavar="WHO", help="WHO played.")
@click.option(
    "--fault", type=click.Choice([ANY_FAULT, *KINDS]), multiple=True, help="Something of that kind went wrong."
)
@click.option("--bombs", type=click.IntRange(0), default=0, help="At least so many bombs and rockets.")
@click.option("--moves", type=_Span(), help="So many moves: 40, 30-50, 60- or -20.")
@click.option("--set", "sets", type=_Span(), help="The sets of a match with these numbers.")
@click.option("--rules", type=click.Choice(list(RULE_SETS)), multiple=True, help="The rule set.")
@click.option("--game", "numbers", type=click.IntRange(1), multiple=True, help="The games with these numbers.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game.")
@click.option("--show", is_flag=True, help="Draw the games in the terminal.")
@click.option("--page", type=FILE, help="Write one HTML page of the games.")
@click.option("--open", "in_browser", is_flag=True, help="Open that page in the browser.")
@click.option(
    "--write", type=FILE, help="Write the games, or those played again, as .ddzn or .jsonl, perhaps with .gz."
)
@click.option(
    "--replay", multiple=True, metavar="[SEAT=]PLAYER", help="Play them again with PLAYER in that seat, or in all."
)
@click.option(
    "--from-move", type=click.IntRange(1), default=1, show_default=True, help="With --replay: the first new move."
)
@click.option("--auction", is_flag=True, help="With --replay: bid again, too; seats are those of the record.")
@click.option("--limit", help="With --replay: limit of a decision, as 2000p or 0.2s; without it that of the match.")
@click.option("--seed", type=click.IntRange(0), help="With --replay: another chance for the players.")
def main(
    files: tuple[Path, ...],
    form: str | None,
    lost: str | None,
    won: str | None,
    seat: tuple[str, str] | None,
    player: str | None,
    fault: tuple[str, ...],
    bombs: int,
    moves: Any,
    sets: Any,
    rules: tuple[str, ...],
    numbers: tuple[int, ...],
    as_json: bool,
    show: bool,
    page: Path | None,
    in_browser: bool,
    write: Path | None,
    replay: tuple[str, ...],
    **options: Any,
) -> None:
    """Lists the games of files and folders, and does with those that are selected what the options say."""
    wanted = Wanted(lost, won, seat, player, fault, bombs, moves, sets, frozenset(numbers), rules)
    if as_json and (show or page or write or replay):
        raise click.UsageError("--json is a way to list games; it does not go with --show, --page, --write or --replay")
    _check(files, page, in_browser, write, replay, options)
    reading = _Reading(files, form, wanted)
    try:
        if replay:
            _replay(reading, replay, write, page, **options)
        elif page or show:
            _open(reading.few(), page, show, write)
        elif write:
            written = write_records(write, reading.records())
            say(f"{write}: {written} of {reading.seen} games")
        else:
            _list(reading, as_json)
    except ValueError as error:
        raise InputError(str(error)) from None
    if page and in_browser:
        show_page(page)


def _check(
    files: tuple[Path, ...],
    page: Path | None,
    in_browser: bool,
    write: Path | None,
    replay: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    """Refuses options that do not go together."""
    if in_browser and not page:
        raise click.UsageError("--open goes with --page FILE")
    usual = {"from_move": 1, "auction": False}
    given = [name for name, value in options.items() if value != usual.get(name)]
    if given and not replay:
        raise click.UsageError(f"--{given[0].replace('_', '-')} goes with --replay PLAYER")
    if options["auction"] and options["from_move"] > 1:
        raise click.UsageError("--auction plays all again, so --from-move has no place beside it")
    read = [file.resolve() for file in files]
    for target in (write, page):
        if target and target.resolve() in read:
            raise InputError(f"{target}: it is one of the files to read; name another one")


def _list(reading: _Reading, as_json: bool) -> None:
    heading = None if as_json else HEADING
    for facts in reading:
        if heading:
            say(heading)
            heading = None
        say(json_text(game_object(facts)) if as_json else line_of(facts))
    if not as_json:
        for letter, name in reading.letters.names:
            say(f"{letter} = {name or 'no name'}")
        say(f"{reading.found} of {reading.seen} games")


def _open(few: list[GameFacts], page: Path | None, show: bool, write: Path | None) -> None:
    if show:
        for facts in few:
            say(f"game {facts.number}")
            draw_record(Console(), facts.record)
    if page:
        _write_page(page, [game_data(one.record, one.number, card_ids(one.game.value)) for one in few])
    if write:
        say(f"{write}: {write_records(write, [facts.record for facts in few])} games")


def _write_page(page: Path, games: list[dict[str, Any]]) -> None:
    write_replay(page, games)
    say(f"{page}: {len(games)} game{'s' * (len(games) != 1)}, {-(-page.stat().st_size // 1000)} KB")


def _replay(
    reading: _Reading,
    words: tuple[str, ...],
    write: Path | None,
    page: Path | None,
    from_move: int,
    auction: bool,
    limit: str | None,
    seed: int | None,
) -> None:
    # Only here, because a match needs more packages than a list.
    from .again import difference_lines, parse_players, played_again, players_for

    players = parse_players(words)
    few = reading.few()
    if write:
        check_records_target(write)
    kernel_at_start()
    both: list[tuple[GameRecord, GameRecord]] = []
    for facts in few:
        record = facts.record
        try:
            names = players_for(record, players)
            budget = parse_limit(record.tags.get("Limit", "") if limit is None else limit)
            again = played_again(record, names, budget, from_move - 1, seed, auction)
        except ValueError as error:
            raise RecordError(f"game {facts.number}: {error}") from None
        both.append((record, again))
        seated = ", ".join(f"{seat} {again.names[again.position_of(index)]}" for index, seat in enumerate(SEAT_NAMES))
        since = "the auction" if auction else f"move {from_move}"
        say(f"game {facts.number}, again from {since}: {seated}")
        for line in difference_lines(record, again):
            say(f"  {line}")
    if len(both) > 1:
        before, now = (sum(pair[side].result.winner == "landlord" for pair in both) for side in (0, 1))
        say(f"{len(both)} games: the landlord won {before} as recorded, and {now} again")
    if write:
        say(f"{write}: {write_records(write, [again for _, again in both])} games")
    if page:
        _write_page(page, [game_data(again, number) for number, (_, again) in enumerate(both, 1)])


def _say(sentence: str) -> None:
    say(sentence, err=True)


if __name__ == "__main__":
    sys.exit(main())
