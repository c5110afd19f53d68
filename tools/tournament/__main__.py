"""
Plays everybody against everybody and ranks all by Elo; neighbours meet more often, and players may come later.

    python -m tools.tournament random rule rhcp mcm champion --limit 0.05s --json tournament.json

The results file keeps every set. Who is added to the list only plays its own pairs, and whoever has become another one,
with a new network for instance, plays its pairs again.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ddzbot.rules import RULE_SETS

from ..arena.faults import Reporter
from ..arena.runner import run
from ..arena.sets import Played, Row
from ..arena.stand_ins import refuse_stand_ins, stand_ins_option
from ..shared.bars import progress_bar
from ..shared.compiling import kernel_at_start
from ..shared.default_rules import DEFAULT_RULES
from ..shared.interrupts import INTERRUPTED, Command, stop_on_signals
from ..shared.kept.autosave import Autosave
from ..shared.options import check_option
from ..shared.seeds import REPORT
from ..shared.terminal import Console
from ..shared.work.pool import WorkersLostError
from .apart import apart
from .cost import cost_of, seconds_of, seconds_played
from .identity import who_plays
from .plan import Tournament
from .stages import Stage, ranked, stage_of
from .standings import standings
from .text import print_cost, print_standings
from .tournament_file import TournamentFile

console = Console(stderr=True)


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("players", nargs=-1, required=True)
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option("--sets", type=click.IntRange(1), default=200, help="Duplicate sets of every pair.")
@click.option(
    "--neighbours",
    type=click.IntRange(0),
    default=0,
    help="Duplicate sets of a pair that is next to each other in Elo after those; 0: no more.",
)
@click.option("--seed", type=click.IntRange(0), default=1, help="Root seed; every deal follows from it.")
@click.option("--namespace", default=REPORT, help="Which deals: train, gate, report or another word.")
@click.option("--limit", default="", help="Limit of a decision of those that search: 0.2s, 5000p or both with a comma.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that play.")
@click.option(
    "--json",
    "path",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Results file; what is missing in it is played.",
)
@click.option("--again", multiple=True, metavar="PLAYER", help="Play the pairs of this one again; several times.")
@click.option("--mix", is_flag=True, help="Sets of a player count though it has become another one since.")
@stand_ins_option
@check_option
@click.option("--estimate", is_flag=True, help="Only say how long it will take.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    players: tuple[str, ...],
    rules: str,
    sets: int,
    neighbours: int,
    seed: int,
    namespace: str,
    limit: str,
    jobs: int,
    path: Path,
    again: tuple[str, ...],
    mix: bool,
    stand_ins: bool,
    check: bool,
    estimate: bool,
    quiet: bool,
) -> None:
    """
    Plays PLAYERS against each other, all on the same deals, and prints their Elo with 95 % intervals.

    When every pair has its sets, the players are ranked by them, and each plays more sets against the next one.

    Before it plays it says how long that takes. Ctrl-C stops, and the same command goes on.
    """
    tournament = Tournament(rules, players, sets, neighbours, seed, namespace, limit)
    try:
        tournament.check()
        for player in again:
            if player not in players:
                raise ValueError(f"--again {player}: it does not play; there are {', '.join(players)}")
        kernel_at_start()
        if not stand_ins:
            apart(refuse_stand_ins, rules, players)
        if check and not path.exists():
            return
        file = TournamentFile(path, tournament)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        if check:
            return
        if file.torn:
            _say(f"Results file {path}: the last {file.torn} bytes are half a line and are dropped.")
        who, own = apart(who_plays, rules, tournament.plan.contestants, jobs)
        file.drop(file.others(who, own, mix, again), _say)
        if not _is_left(tournament, file, jobs):
            if file.was_longer:
                file.begin(who, own)
            rows = file.rows
        elif estimate:
            return
        else:
            file.begin(who, own)
            rows = _play(tournament, file, jobs, quiet)
        print_standings(standings(tournament, rows), Console())
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    finally:
        file.close()


def _is_left(tournament: Tournament, file: TournamentFile, jobs: int) -> bool:
    """Tells whether anything is left to play, and says how long that takes."""
    ranking = file.ranking
    stage = stage_of(tournament, file.rows, ranking)
    ends = ranking is not None or tournament.neighbours <= tournament.sets
    if ends and stage.finished:
        return False
    pairs = {pairing for pairing, _ in stage.left()} if ends else range(len(tournament.pairs))
    players = sorted({player for pairing in pairs for player in tournament.pairs[pairing]})
    known = seconds_played(tournament, file.rows)
    seconds = {player: known[player] for player in players if player in known}
    if fresh := [player for player in players if player not in known]:
        seconds |= apart(seconds_of, tournament, fresh)
    print_cost(tournament, cost_of(tournament, stage, ranking, seconds), seconds, jobs, console)
    return True


def _play(tournament: Tournament, file: TournamentFile, jobs: int, quiet: bool) -> list[list[Row]]:
    """
    Plays both stages, or what is left of them, and gets the sets of each pairing.

    :raises ValueError: if the ranking between the stages cannot be written.
    :raises SystemExit: when what was played is written, after an interrupt or if a set cannot be played.
    """
    ranking, rows = file.ranking, file.rows
    # To the end of the block: what was played is written, however often somebody presses Ctrl-C.
    with stop_on_signals() as stopped:
        saver = Autosave(file, _say, stopped)
        try:
            with _Bar(tournament, saver, quiet) as bar:
                stage = stage_of(tournament, rows, ranking)
                bar.play(stage, jobs, stopped)
                if ranking is None and stage.finished and tournament.neighbours > tournament.sets:
                    saver.flush()
                    ranking = ranked(tournament, rows)
                    file.rank(ranking)
                    stage = stage_of(tournament, rows, ranking)
                    bar.play(stage, jobs, stopped)
            saver.flush()
        except WorkersLostError as error:
            _say(f"Stopped: {error}. The same command goes on.")
            sys.exit(1)
        finally:
            saver.close(None)
    if not stage.finished:
        _say("Stopped by an interrupt; run the same command again to go on.")
        sys.exit(INTERRUPTED)
    return rows


def _say(sentence: str) -> None:
    console.print(sentence, soft_wrap=True, highlight=False)


class _Bar:
    """The progress bar; looks at every set that was played, and has it saved."""

    def __init__(self, tournament: Tournament, saver: Autosave, quiet: bool) -> None:
        self._saver = saver
        self._reporter = Reporter(tournament.pairs, _say)
        self._bar = progress_bar(console=console, disable=quiet)

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._bar.stop()

    def play(self, stage: Stage, jobs: int, stopped: Callable[[], bool]) -> None:
        """Plays what is left of a stage."""
        left = sum(1 for _ in stage.left())
        have = sum(map(len, stage.rows))
        task = self._bar.add_task(stage.name, total=have + left, completed=have)

        def done(pairing: int, played: Played) -> None:
            self._reporter.look(pairing, played.row)
            self._bar.advance(task)
            self._saver.add(pairing, played)

        run(stage, jobs, done, stopped)


if __name__ == "__main__":
    main()
