"""
Plays games of three contestants, each in a fixed seat: ``python -m tools.seats LANDLORD LANDLORD_DOWN LANDLORD_UP``.

For tables in which partners differ, which duplicate sets of two contestants cannot show. Every deal is played once.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
from rich.table import Table

from ddzbot.game import SEATS, shuffled
from ddzbot.rules import RULE_SETS, rule_set

from .arena.provenance import Provenance, provenance
from .arena.seats_file import SeatsFile
from .arena.stand_ins import refuse_stand_ins, stand_ins_option
from .arena.table import PlayerTable
from .cluster.needs import needs_of
from .shared.bars import progress_bar
from .shared.compiling import kernel_at_start
from .shared.contestants import parse_contestant
from .shared.default_rules import DEFAULT_RULES
from .shared.interrupts import INTERRUPTED, Command, stop_on_signals
from .shared.intervals import wilson
from .shared.kept.autosave import Autosave
from .shared.limits import parse_limit
from .shared.options import check_option
from .shared.seeds import REPORT, deal_seed, player_seed
from .shared.terminal import Console
from .shared.work.pool import WorkersLostError, run_in_pool

SEAT_NAMES = ("landlord", "landlord_down", "landlord_up")
_LETTERS = "ABC"


class Seats(NamedTuple):
    """What is played: everything that the winners depend on."""

    rules: str
    contestants: tuple[str, ...]
    """By seat."""
    seed: int
    namespace: str
    limit: str

    def check(self) -> None:
        """
        Makes sure that it can be played.

        :raises ValueError: for an unknown contestant or limit, a program, and rules with bidding.
        """
        if rule_set(self.rules).bidding:
            raise ValueError(f"rules {self.rules}: with bidding nobody has a fixed seat")
        parse_limit(self.limit)
        deal_seed(self.seed, self.namespace, 0)
        for text in self.contestants:
            contestant = parse_contestant(text)
            if contestant.is_program:
                raise ValueError(f"contestant {text!r} is a program: only players of this process can sit here")
            contestant.engine()


class Game:
    """Plays the games of one table in one process."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        engines = {
            letter: parse_contestant(text).engine() for letter, text in zip(_LETTERS, seats.contestants, strict=True)
        }
        self._table = PlayerTable(rule_set(seats.rules), parse_limit(seats.limit), engines)

    def winner(self, index: int) -> int:
        """Plays deal *index*, and gets the seat that went out."""
        name = deal_seed(self._seats.seed, self._seats.namespace, index)
        deal = shuffled(rule_set(self._seats.rules), name)
        outcome = self._table.play(deal, _LETTERS, [player_seed(name, 0, seat) for seat in range(SEATS)])
        assert outcome.game is not None and outcome.game.winner is not None
        return outcome.game.winner


_game: Game


def _begin(seats: Seats) -> None:
    global _game
    _game = Game(seats)


def _winner(index: int) -> int:
    return _game.winner(index)


def play(
    seats: Seats, indices: Iterator[int], jobs: int, done: Callable[[int, int], None], stopped: Callable[[], bool]
) -> None:
    """Plays the deals in *jobs* processes, and calls *done* with each one's index and winner."""
    run_in_pool(jobs, _winner, indices, done, stopped, lambda index: f"deal {index}", partial(_begin, seats))


def show(seats: Seats, winners: dict[int, int], console: Console) -> None:
    """Prints how often each seat went out, and each side won."""
    went_out = Counter(winners.values())
    games = len(winners)
    table = Table(
        title=f"{games} games, rules {seats.rules}, deals {seats.namespace}/{seats.seed}, limit {seats.limit}"
    )
    for heading in ("seat", "contestant", "went out %", "side won %", "95 %"):
        table.add_column(heading, justify="left" if heading in ("seat", "contestant") else "right")
    for seat, name in enumerate(seats.contestants):
        won = went_out[0] if seat == 0 else games - went_out[0]
        ends = wilson(won / max(games, 1), games)
        shares = [f"{100 * count / max(games, 1):.1f}" for count in (went_out[seat], won)]
        table.add_row(SEAT_NAMES[seat], name, *shares, f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}")
    console.print(table)


@click.command(cls=Command)
@click.argument("contestants", nargs=3)
@click.option(
    "--rules", default=DEFAULT_RULES, show_default=True, type=click.Choice(sorted(RULE_SETS)), help="Rule set."
)
@click.option("--games", default=500, show_default=True, type=click.IntRange(1), help="Deals, each played once.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Root seed of the deals.")
@click.option(
    "--namespace", default=REPORT, show_default=True, help="Which deals: train, gate, report or another word."
)
@click.option("--limit", default="", help="Limit of a decision: 0.2s, 5000p (playouts) or both with a comma.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option(
    "--json",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Results file; an unfinished one is resumed.",
)
@click.option("--mix", is_flag=True, help="With --json: go on even if other code, kernel or networks played before.")
@stand_ins_option
@check_option
def main(
    contestants: tuple[str, ...],
    rules: str,
    games: int,
    seed: int,
    namespace: str,
    limit: str,
    jobs: int,
    file: Path | None,
    mix: bool,
    stand_ins: bool,
    check: bool,
) -> None:
    """Play CONTESTANTS: the landlord, the peasant after it, and the peasant before it. Ctrl-C stops."""
    seats = Seats(rules, contestants, seed, namespace, limit)
    try:
        seats.check()
        kernel_at_start()
        if not stand_ins:
            refuse_stand_ins(rules, contestants)
        if check:
            _check_file(file, seats, games, jobs, mix)
            return
        kept = SeatsFile(file, seats._asdict()) if file else None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    winners = dict(kept.found.winners) if kept and kept.found else {}
    console = Console(stderr=True)
    if kept:
        _begin_part(kept, seats, games, jobs, mix, console)
    failure = ""
    with stop_on_signals() as stopped:
        try:
            _play_left(seats, games, winners, jobs, kept, stopped, console)
        except WorkersLostError as error:
            failure = str(error)
    show(seats, winners, Console())
    if failure:
        _say(console, f"Stopped: {failure}." + (" The same command goes on." if file else ""))
        raise SystemExit(1)
    if stopped():
        console.print("Stopped; the same command goes on." if file else "Stopped; with --json FILE one can go on.")
        raise SystemExit(INTERRUPTED)


def _play_left(
    seats: Seats,
    games: int,
    winners: dict[int, int],
    jobs: int,
    kept: SeatsFile | None,
    stopped: Callable[[], bool],
    console: Console,
) -> None:
    """Plays the games that have no winner yet, and adds theirs to *winners*."""
    saver = Autosave(kept, lambda said: _say(console, said), stopped) if kept else None
    try:
        with progress_bar(console=console) as progress:
            bar = progress.add_task("games", total=games, completed=len(winners))

            def done(index: int, winner: int) -> None:
                winners[index] = winner
                progress.advance(bar)
                if saver:
                    saver.add(index, winner)

            left = (index for index in range(games) if index not in winners)
            play(seats, left, jobs, done, stopped)
            if saver:
                saver.flush()
    finally:
        if saver:
            saver.close(None)


def _check_file(file: Path | None, seats: Seats, games: int, jobs: int, mix: bool) -> None:
    """
    Looks at the results file, and makes none.

    :raises ValueError: if the table cannot go on in it.
    """
    if file and file.exists():
        with closing(SeatsFile(file, seats._asdict())) as kept:
            if not kept.has(games):
                kept.check(_who(seats, jobs), mix)


def _begin_part(kept: SeatsFile, seats: Seats, games: int, jobs: int, mix: bool, console: Console) -> None:
    """Makes sure, before anything is played, that what is played can be written; a finished table is left alone."""
    if kept.found and kept.found.torn:
        _say(console, f"Results file {kept.path}: the last {kept.found.torn} bytes are half a line and are dropped.")
    if kept.has(games):
        return
    try:
        kept.begin(_who(seats, jobs), games, mix)
    except ValueError as error:
        kept.close()
        raise click.UsageError(str(error)) from None


def _who(seats: Seats, jobs: int) -> Provenance:
    """Finds out which program plays."""
    needs = needs_of(seats.contestants)
    return provenance(seats.rules, seats.contestants, needs.modules, needs.files, "", jobs)


def _say(console: Console, sentence: str) -> None:
    console.print(sentence, soft_wrap=True, highlight=False)


if __name__ == "__main__":
    main()
