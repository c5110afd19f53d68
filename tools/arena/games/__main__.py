"""
List recorded games, choose some, write them in another format, and play them again with other players.

    python -m tools games games.ddzn.gz --lost A --bombs 2
    python -m tools games games.ddzn.gz --fault any --out bad.ddzn
    python -m tools games game.jsonl --out - --bare
    python -m tools games games.ddzn.gz --number 17 --replay landlord=champion --from-move 9
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ddzbot.game import SEAT_NAMES
from ddzbot.search.limit import parse_limit

from ...records.faults import KINDS
from ...records.files import STANDARD_OUTPUT, check_records_target, texts_of, write_records
from ...records.record import GameRecord, RecordError, without_notes
from ...records.sources import source_games
from ...shared.compiling import kernel_at_start
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.message import Message
from ...shared.options import FILE, numbers_option
from ...shared.plain import plain_lines
from ...shared.terminal import say
from .facts import GameFacts, Letters
from .filters import ANY_FAULT, PEASANT, Span, Wanted, parse_player, parse_span
from .listing import HEADING, game_object, line_of

MOST_REPLAYED = 100
"""Games that are played again at a time."""


class _Span(click.ParamType[Span]):
    name = "number or range"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Span:
        try:
            return parse_span(value)
        except ValueError as error:
            self.fail(str(error), parameter, context)


class _Reading:
    """The games of the files that are wanted, counted while they are read."""

    def __init__(self, files: tuple[Path, ...], wanted: Wanted) -> None:
        self.letters = Letters()
        self.seen = self.found = 0
        self._games = source_games(files, _say)
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

        :raises RecordError: at the end, if there was none, or none of a number that was asked for.
        """
        for facts in self:
            yield facts.record
        self._check_numbers()
        if not self.found:
            raise RecordError(f"none of {self.seen} games is selected")

    def few(self) -> list[GameFacts]:
        """Gets all of them at once; a number of games that was asked for must be there."""
        few = []
        for facts in self:
            few.append(facts)
            if len(few) > MOST_REPLAYED:
                raise InputError(f"more than {MOST_REPLAYED} games are selected: name fewer, as with --number N")
        self._check_numbers()
        if not few:
            raise InputError(f"none of {self.seen} games is selected")
        return few

    def _check_numbers(self) -> None:
        highest = max((some[-1] for some in self._wanted.numbers), default=0)
        if highest > self.seen:
            raise RecordError(Message("there is no game {number}: there are {count}", number=highest, count=self.seen))


@click.command(cls=Command, help=__doc__)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--lost", metavar="PLAYER", help="Games that PLAYER's side lost: a letter of the list, or part of a name."
)
@click.option(
    "--who",
    "players",
    multiple=True,
    metavar="[SEAT=]PLAYER",
    help=f"Games that PLAYER played, perhaps in that seat: {', '.join(SEAT_NAMES)} or {PEASANT}.",
)
@click.option(
    "--fault", type=click.Choice([ANY_FAULT, *KINDS]), multiple=True, help="Something of that kind went wrong."
)
@click.option("--bombs", type=click.IntRange(0), default=0, help="At least so many bombs and rockets.")
@click.option("--set", "sets", type=_Span(), help="The sets of a match with these numbers: 17, 10-19, 10- or -19.")
@numbers_option("The game with this number in the list, as 3, or the games, as 2-8; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game.")
@click.option(
    "--out", type=FILE, help="Write the games, or those played again, as .ddzn or .jsonl, perhaps .gz; - is stdout."
)
@click.option("--bare", is_flag=True, help="With --out: without what was noted about the moves.")
@click.option(
    "--replay", multiple=True, metavar="[SEAT=]PLAYER", help="Play them again with PLAYER in that seat, or in all."
)
@click.option(
    "--from-move",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="With --replay: the first new move; 0: bid again, too, where seats are those of the record.",
)
@click.option("--limit", help="With --replay: limit of a decision, as 2000p or 0.2s; without it that of the match.")
@click.option("--seed", type=click.IntRange(0), help="With --replay: another seed for the players.")
def main(
    files: tuple[Path, ...],
    lost: str | None,
    players: tuple[str, ...],
    fault: tuple[str, ...],
    bombs: int,
    sets: Span | None,
    numbers: tuple[range, ...],
    as_json: bool,
    out: Path | None,
    bare: bool,
    replay: tuple[str, ...],
    **options: Any,
) -> None:
    """List the games of files and folders, and do with the selected ones what the options ask for."""
    selection = Wanted(lost, tuple(map(parse_player, players)), fault, bombs, sets, numbers)
    if as_json and (out or replay):
        raise click.UsageError("--json is a way to list games; it does not go with --out or --replay")
    if bare and not out:
        raise click.UsageError("--bare goes with --out FILE")
    _check(files, out, replay, options)
    reading = _Reading(files, selection)
    try:
        if replay:
            again = _replay_games(reading, replay, out, **options)
            if out:
                _write(out, again, bare)
        elif out:
            _write(out, reading.records(), bare, lambda: f" of {reading.seen}")
        else:
            _list(reading, as_json)
    except ValueError as error:
        raise InputError(str(error)) from None


def _check(files: tuple[Path, ...], out: Path | None, replay: tuple[str, ...], options: dict[str, Any]) -> None:
    """Refuses options that do not go together."""
    given = [option for option, value in options.items() if value != (1 if option == "from_move" else None)]
    if given and not replay:
        raise click.UsageError(f"--{given[0].replace('_', '-')} goes with --replay PLAYER")
    if out and out != STANDARD_OUTPUT and out.resolve() in [file.resolve() for file in files]:
        raise InputError(f"{out}: it is one of the files to read; name another one")


def _write(out: Path, records: Iterable[GameRecord], bare: bool, among: Callable[[], str] = str) -> None:
    """Writes games to a file, or as text to the standard output; *among* adds how many games were read."""
    if bare:
        records = map(without_notes, records)
    if out == STANDARD_OUTPUT:
        for game in texts_of(records, "text"):
            click.echo(plain_lines(game), nl=False)
    else:
        say(f"{out}: {write_records(out, records)}{among()} games")


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


def _replay_games(
    reading: _Reading,
    words: tuple[str, ...],
    out: Path | None,
    from_move: int,
    limit: str | None,
    seed: int | None,
) -> list[GameRecord]:
    """Plays the games again, prints what differs, and gets the new ones."""
    # Only here, because a match needs more packages than a list.
    from .again import difference_lines, parse_players, play_again, players_for

    players = parse_players(words)
    few = reading.few()
    if out and out != STANDARD_OUTPUT:
        check_records_target(out)
    kernel_at_start()
    replayed: list[GameRecord] = []
    for facts in few:
        record = facts.record
        try:
            names = players_for(record, players)
            budget = parse_limit(record.tags.get("Limit", "") if limit is None else limit)
            again = play_again(record, names, budget, max(0, from_move - 1), seed, from_move == 0)
        except ValueError as error:
            raise RecordError(f"game {facts.number}: {error}") from None
        replayed.append(again)
        seated = ", ".join(f"{seat} {again.names[again.position_of(index)]}" for index, seat in enumerate(SEAT_NAMES))
        since = f"move {from_move}" if from_move else "the auction"
        _tell(out, f"game {facts.number}, again from {since}: {seated}")
        for line in difference_lines(record, again):
            _tell(out, f"  {line}")
    if len(few) > 1:
        before, now = (_won_by_landlord(games) for games in ([facts.record for facts in few], replayed))
        _tell(out, f"{len(few)} games: the landlord won {before} as recorded, and {now} again")
    return replayed


def _won_by_landlord(games: Iterable[GameRecord]) -> int:
    return sum(game.result.winner == "landlord" for game in games)


def _tell(out: Path | None, sentence: str) -> None:
    """Prints a message; on standard error where the games go to the standard output."""
    say(sentence, err=out == STANDARD_OUTPUT)


def _say(sentence: str) -> None:
    say(sentence, err=True)


if __name__ == "__main__":
    sys.exit(main())
